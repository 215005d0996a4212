import { DAY, HOUR, type Instant } from '../time.ts'
import { dayTable, SIDEREAL_RATE } from './ephemeris.ts'

const DEG = Math.PI / 180
const MOON_RADIUS_KM = 1737.4
/** Refraction at the horizon in almanacs, 34', as a sine. */
const REFRACTION = Math.sin((34 / 60) * DEG)
/** Parallax of the sun near the horizon, as a sine. */
const SUN_PARALLAX = Math.sin(0.00244 * DEG)
/** Sine of the sun's altitude at sunrise and sunset: its centre is 50' below the horizon (refraction and a mean semidiameter). */
export const SUN_HORIZON = Math.sin((-50 / 60) * DEG)
/** Sine of the sun's altitude at which civil twilight begins and ends. */
export const CIVIL_TWILIGHT = Math.sin(-6 * DEG)

/** Sun and moon as seen from a point at sea level. Altitudes are sines, because comparing them needs no angle. */
export interface Sky {
  /** Sine of the altitude of the sun's centre, without refraction. */
  sun(at: Instant): number
  /** Returns a value above 0 if the refracted upper limb of the moon is above the horizon. The value is close to a sine. */
  moon(at: Instant): number
  /** Returns both at a full hour, by its number since 1970, in a few multiplications. */
  sunAtHour(hour: number): number
  moonAtHour(hour: number): number
  /** Writes these values for each full hour from `first` on, until `into` is full. */
  sunAtHours(first: number, into: Float64Array): void
  moonAtHours(first: number, into: Float64Array): void
  /** Returns the hour angle of the sun in degrees, -180 to 180; 0 at solar noon. */
  sunHourAngle(at: Instant): number
}

/** The sun's direction at the time of the last call. */
const sunNow = new Float64Array(3)

/**
 * Computes the direction of the sun at a time between full hours.
 * @returns Greenwich sidereal angle, radians
 */
function findSun(at: Instant): number {
  const day = Math.floor(at / DAY)
  const { sun, sidereal } = dayTable(day)
  const hours = (at - day * DAY) / HOUR + 1
  const k = Math.floor(hours)
  const u = hours - k
  const i = k * 3
  sunNow[0] = sun[i]! + (sun[i + 3]! - sun[i]!) * u
  sunNow[1] = sun[i + 1]! + (sun[i + 4]! - sun[i + 1]!) * u
  sunNow[2] = sun[i + 2]! + (sun[i + 5]! - sun[i + 2]!) * u
  return (sidereal + SIDEREAL_RATE * (at - day * DAY)) * DEG
}

/**
 * Returns the sky of a place.
 * @param lat geodetic degrees
 * @param lon degrees east
 */
export function skyAt(lat: number, lon: number): Sky {
  const up = [Math.cos(lat * DEG) * Math.cos(lon * DEG), Math.cos(lat * DEG) * Math.sin(lon * DEG), Math.sin(lat * DEG)]
  const [upX, upY, upZ] = up as [number, number, number]
  const cos = Math.cos(lat * DEG)
  // This is the position of the point from the earth's centre (WGS 84), km. Parallax matters only for the moon.
  const normal = 6378.137 / Math.sqrt(1 - 0.00669437999014 * upZ * upZ)
  const equatorial = normal * cos
  const polar = normal * (1 - 0.00669437999014) * upZ
  const hereX = equatorial * Math.cos(lon * DEG)
  const hereY = equatorial * Math.sin(lon * DEG)

  const moonHeight = (x: number, y: number, z: number) => {
    const dx = x - hereX
    const dy = y - hereY
    const dz = z - polar
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz)
    return (dx * upX + dy * upY + dz * upZ + MOON_RADIUS_KM) / distance + REFRACTION
  }
  return {
    sun(at) {
      const angle = findSun(at) + lon * DEG
      return (sunNow[0]! * Math.cos(angle) + sunNow[1]! * Math.sin(angle)) * cos + sunNow[2]! * upZ - SUN_PARALLAX
    },
    sunAtHour(hour) {
      const day = Math.floor(hour / 24)
      const { sunFixed } = dayTable(day)
      const i = (hour - day * 24 + 1) * 3
      return sunFixed[i]! * upX + sunFixed[i + 1]! * upY + sunFixed[i + 2]! * upZ - SUN_PARALLAX
    },
    moon(at) {
      const day = Math.floor(at / DAY)
      const { moon, sidereal } = dayTable(day)
      const hours = (at - day * DAY) / HOUR + 1
      const k = Math.floor(hours)
      const u = hours - k
      const i = k * 3
      // This is a Lagrange interpolation over four nodes; linear interpolation would be off by 0.1' for the moon.
      const w0 = (-u * (u - 1) * (u - 2)) / 6
      const w1 = ((u + 1) * (u - 1) * (u - 2)) / 2
      const w2 = (-(u + 1) * u * (u - 2)) / 2
      const w3 = ((u + 1) * u * (u - 1)) / 6
      const x = w0 * moon[i - 3]! + w1 * moon[i]! + w2 * moon[i + 3]! + w3 * moon[i + 6]!
      const y = w0 * moon[i - 2]! + w1 * moon[i + 1]! + w2 * moon[i + 4]! + w3 * moon[i + 7]!
      const z = w0 * moon[i - 1]! + w1 * moon[i + 2]! + w2 * moon[i + 5]! + w3 * moon[i + 8]!
      const angle = (sidereal + SIDEREAL_RATE * (at - day * DAY)) * DEG
      const c = Math.cos(angle)
      const s = Math.sin(angle)
      return moonHeight(x * c + y * s, y * c - x * s, z)
    },
    moonAtHour(hour) {
      const day = Math.floor(hour / 24)
      const { moonFixed } = dayTable(day)
      const i = (hour - day * 24 + 1) * 3
      return moonHeight(moonFixed[i]!, moonFixed[i + 1]!, moonFixed[i + 2]!)
    },
    sunAtHours(first, into) {
      let day = Math.floor(first / 24)
      let hour = first - day * 24
      for (let k = 0; k < into.length; day++, hour = 0) {
        const { sunFixed } = dayTable(day)
        for (let i = (hour + 1) * 3; i < 75 && k < into.length; i += 3, k++)
          into[k] = sunFixed[i]! * upX + sunFixed[i + 1]! * upY + sunFixed[i + 2]! * upZ - SUN_PARALLAX
      }
    },
    moonAtHours(first, into) {
      // These are local copies, because the engine reloads closure variables after each store to `into`.
      const [ux, uy, uz, hx, hy, hz] = [upX, upY, upZ, hereX, hereY, polar]
      let day = Math.floor(first / 24)
      let hour = first - day * 24
      for (let k = 0; k < into.length; day++, hour = 0) {
        const { moonFixed } = dayTable(day)
        for (let i = (hour + 1) * 3; i < 75 && k < into.length; i += 3, k++) {
          const dx = moonFixed[i]! - hx
          const dy = moonFixed[i + 1]! - hy
          const dz = moonFixed[i + 2]! - hz
          const distance = Math.sqrt(dx * dx + dy * dy + dz * dz)
          into[k] = (dx * ux + dy * uy + dz * uz + MOON_RADIUS_KM) / distance + REFRACTION
        }
      }
    },
    sunHourAngle(at) {
      const angle = findSun(at) + lon * DEG
      const turned = (angle - Math.atan2(sunNow[1]!, sunNow[0]!)) / DEG
      return turned - 360 * Math.round(turned / 360)
    },
  }
}
