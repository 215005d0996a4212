import { dayTable, SIDEREAL_RATE } from './ephemeris.ts'
import { DAY, HOUR, type Instant } from './time.ts'

const DEG = Math.PI / 180
const MOON_RADIUS_KM = 1737.4
/** Refraction at the horizon as almanacs take it. */
const REFRACTION = 34 / 60
/** Near the horizon, degrees. */
const SUN_PARALLAX = 0.00244
/** Centre of the sun at rising and setting: refraction and a mean semidiameter of 16'. */
export const SUN_HORIZON = -50 / 60
export const CIVIL_TWILIGHT = -6

/** Sun and moon as seen from one place at sea level. */
export interface Sky {
  /** Altitude of the sun's centre in degrees, without refraction. */
  sunAltitude(at: Instant): number
  /** Degrees of the moon's upper limb, refracted, above the horizon: 0 at rising and setting. */
  moonAltitude(at: Instant): number
  /** Hour angle of the sun in degrees, -180 to 180; 0 at solar noon. */
  sunHourAngle(at: Instant): number
}

/** @param lat geodetic degrees @param lon degrees east */
export function skyAt(lat: number, lon: number): Sky {
  const sin = Math.sin(lat * DEG)
  const cos = Math.cos(lat * DEG)
  // WGS 84: where the place is from the earth's centre, km; parallax matters for the moon alone.
  const normal = 6378.137 / Math.sqrt(1 - 0.00669437999014 * sin * sin)
  const equatorial = normal * cos
  const polar = normal * (1 - 0.00669437999014) * sin

  const position = new Float64Array(3)
  let angle = 0
  const place = (which: 'sun' | 'moon', at: Instant) => {
    const day = Math.floor(at / DAY)
    const table = dayTable(day)
    const nodes = table[which]
    const hours = (at - day * DAY) / HOUR + 1
    const k = Math.floor(hours)
    const u = hours - k
    angle = (table.sidereal + SIDEREAL_RATE * (at - day * DAY) + lon) * DEG
    if (which === 'sun' || k < 1) {
      for (let c = 0; c < 3; c++) position[c] = nodes[k * 3 + c]! * (1 - u) + nodes[k * 3 + 3 + c]! * u
      return
    }
    // Four nodes after Lagrange: a linear step of the moon would be 0.1' off.
    const w0 = (-u * (u - 1) * (u - 2)) / 6
    const w1 = ((u + 1) * (u - 1) * (u - 2)) / 2
    const w2 = (-(u + 1) * u * (u - 2)) / 2
    const w3 = ((u + 1) * u * (u - 1)) / 6
    for (let c = 0; c < 3; c++) {
      const i = k * 3 + c
      position[c] = w0 * nodes[i - 3]! + w1 * nodes[i]! + w2 * nodes[i + 3]! + w3 * nodes[i + 6]!
    }
  }
  return {
    sunAltitude(at) {
      place('sun', at)
      const x = position[0]!
      const y = position[1]!
      const z = position[2]!
      const up = (x * Math.cos(angle) + y * Math.sin(angle)) * cos + z * sin
      return Math.asin(up / Math.sqrt(x * x + y * y + z * z)) / DEG - SUN_PARALLAX
    },
    moonAltitude(at) {
      place('moon', at)
      const east = Math.sin(angle)
      const north = Math.cos(angle)
      const x = position[0]! - equatorial * north
      const y = position[1]! - equatorial * east
      const z = position[2]! - polar
      const distance = Math.sqrt(x * x + y * y + z * z)
      const up = (x * north + y * east) * cos + z * sin
      return (Math.asin(up / distance) + Math.asin(MOON_RADIUS_KM / distance)) / DEG + REFRACTION
    },
    sunHourAngle(at) {
      place('sun', at)
      const ascension = Math.atan2(position[1]!, position[0]!)
      const turned = (angle - ascension) / DEG
      return turned - 360 * Math.round(turned / 360)
    },
  }
}
