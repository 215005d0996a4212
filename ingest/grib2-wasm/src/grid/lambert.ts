import { type Earth, eccentricity, isometric, latitudeOf, parallel, RADIANS, wrap } from './earth.ts'
import type { Projection } from './plane.ts'

/**
 * Lambert conformal conic, secant at two parallels, or tangent if they are equal: Snyder, Map Projections, ch. 15. `lov` is the meridian
 * along which y points north.
 */
export function lambert(earth: Earth, latin1: number, latin2: number, lov: number): Projection {
  const e = eccentricity(earth)
  const phi1 = latin1 * RADIANS
  const phi2 = latin2 * RADIANS
  const t1 = isometric(phi1, e)
  const m1 = parallel(phi1, e)
  const n =
    Math.abs(latin1 - latin2) < 1e-9
      ? Math.sin(phi1)
      : (Math.log(m1) - Math.log(parallel(phi2, e))) / (Math.log(t1) - Math.log(isometric(phi2, e)))
  const scale = (earth.major * m1) / (n * t1 ** n)
  return {
    toPlane(lat, lon) {
      const rho = scale * isometric(lat * RADIANS, e) ** n
      const theta = n * wrap(lon - lov) * RADIANS
      return [rho * Math.sin(theta), -rho * Math.cos(theta)]
    },
    toEarth(x, y) {
      const sign = Math.sign(n)
      const rho = sign * Math.hypot(x, y)
      const theta = Math.atan2(sign * x, -sign * y)
      const phi = latitudeOf((rho / scale) ** (1 / n), e)
      return [phi / RADIANS, wrap(lov + theta / n / RADIANS)]
    },
    rotation: (_lat, lon) => n * wrap(lon - lov) * RADIANS,
  }
}
