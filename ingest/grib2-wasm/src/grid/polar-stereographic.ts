import { type Earth, eccentricity, isometric, latitudeOf, parallel, RADIANS, wrap } from './earth.ts'
import type { Projection } from './plane.ts'

/**
 * Polar stereographic, true to scale at latitude `lad`: Snyder ch. 21. `south` puts the pole of the projection at the
 * South Pole; `lov` is the meridian along which y points north.
 */
export function polarStereographic(earth: Earth, lad: number, lov: number, south: boolean): Projection {
  const e = eccentricity(earth)
  const hand = south ? -1 : 1
  // Writers use different signs of LaD for the south, so the flag decides.
  const phi = Math.abs(lad) * RADIANS
  const scale =
    Math.abs(phi - Math.PI / 2) < 1e-12
      ? (2 * earth.major) / Math.sqrt((1 + e) ** (1 + e) * (1 - e) ** (1 - e))
      : (earth.major * parallel(phi, e)) / isometric(phi, e)
  return {
    toPlane(lat, lon) {
      const rho = scale * isometric(hand * lat * RADIANS, e)
      const theta = wrap(lon - lov) * RADIANS
      return [rho * Math.sin(theta), -hand * rho * Math.cos(theta)]
    },
    toEarth(x, y) {
      const rho = Math.hypot(x, y)
      const theta = Math.atan2(x, -hand * y)
      return [(hand * latitudeOf(rho / scale, e)) / RADIANS, wrap(lov + theta / RADIANS)]
    },
    rotation: (_lat, lon) => hand * wrap(lon - lov) * RADIANS,
  }
}
