import { type Earth, eccentricity, isometric, latitudeOf, parallel, RADIANS, wrap } from './earth.ts'
import type { Projection } from './plane.ts'

/** Mercator, true to scale at latitude `lad`: Snyder ch. 7. x counts east from the meridian `lon0`. */
export function mercator(earth: Earth, lad: number, lon0: number): Projection {
  const e = eccentricity(earth)
  const scale = earth.major * parallel(lad * RADIANS, e)
  return {
    toPlane: (lat, lon) => [scale * wrap(lon - lon0) * RADIANS, -scale * Math.log(isometric(lat * RADIANS, e))],
    toEarth: (x, y) => [latitudeOf(Math.exp(-y / scale), e) / RADIANS, wrap(lon0 + x / scale / RADIANS)],
    rotation: () => 0,
  }
}
