import { type DayTable, dayTable, SIDEREAL_RATE } from './ephemeris.ts'
import { DAY, HOUR, type Instant } from './time.ts'

const DEG = Math.PI / 180
const MOON_RADIUS_KM = 1737.4
/** Refraction at the horizon as almanacs take it: 34', as a sine. */
const REFRACTION = Math.sin((34 / 60) * DEG)
/** Of the sun, near the horizon, as a sine. */
const SUN_PARALLAX = Math.sin(0.00244 * DEG)
/** Sine of the sun's height at rising and setting: its centre 50' below the horizon (refraction and a mean semidiameter). */
export const SUN_HORIZON = Math.sin((-50 / 60) * DEG)
/** Sine of the sun's height at which civil twilight begins and ends. */
export const CIVIL_TWILIGHT = Math.sin(-6 * DEG)

/** Sun and moon as seen from one place at sea level. Heights are sines: no angle is needed to know what is up. */
export interface Sky {
  /** Sine of the altitude of the sun's centre, without refraction. */
  sun(at: Instant): number
  /** Above 0 where the moon's upper limb, refracted, is above the horizon. Close to a sine. */
  moon(at: Instant): number
  /** Both at a full hour, by its number since 1970: a few multiplications. */
  sunAtHour(hour: number): number
  moonAtHour(hour: number): number
  /** Hour angle of the sun in degrees, -180 to 180; 0 at solar noon. */
  sunHourAngle(at: Instant): number
}

/** @param lat geodetic degrees @param lon degrees east */
export function skyAt(lat: number, lon: number): Sky {
  const up = [Math.cos(lat * DEG) * Math.cos(lon * DEG), Math.cos(lat * DEG) * Math.sin(lon * DEG), Math.sin(lat * DEG)]
  const [upX, upY, upZ] = up as [number, number, number]
  const cos = Math.cos(lat * DEG)
  // WGS 84: where the place is from the earth's centre, km; parallax matters for the moon alone.
  const normal = 6378.137 / Math.sqrt(1 - 0.00669437999014 * upZ * upZ)
  const equatorial = normal * cos
  const polar = normal * (1 - 0.00669437999014) * upZ
  const hereX = equatorial * Math.cos(lon * DEG)
  const hereY = equatorial * Math.sin(lon * DEG)

  let table: DayTable = dayTable(0)
  let tableDay = 0
  const tableOf = (day: number): DayTable => {
    if (day !== tableDay) {
      table = dayTable(day)
      tableDay = day
    }
    return table
  }
  const moonHeight = (x: number, y: number, z: number) => {
    const dx = x - hereX
    const dy = y - hereY
    const dz = z - polar
    const distance = Math.sqrt(dx * dx + dy * dy + dz * dz)
    return (dx * upX + dy * upY + dz * upZ + MOON_RADIUS_KM) / distance + REFRACTION
  }
  /** Local sidereal angle, radians, and the sun between its hours. */
  let sunX = 0
  let sunY = 0
  let sunZ = 0
  const findSun = (at: Instant): number => {
    const day = Math.floor(at / DAY)
    const { sun, sidereal } = tableOf(day)
    const hours = (at - day * DAY) / HOUR + 1
    const k = Math.floor(hours)
    const u = hours - k
    const i = k * 3
    sunX = sun[i]! + (sun[i + 3]! - sun[i]!) * u
    sunY = sun[i + 1]! + (sun[i + 4]! - sun[i + 1]!) * u
    sunZ = sun[i + 2]! + (sun[i + 5]! - sun[i + 2]!) * u
    return (sidereal + SIDEREAL_RATE * (at - day * DAY) + lon) * DEG
  }
  return {
    sun(at) {
      const angle = findSun(at)
      return (sunX * Math.cos(angle) + sunY * Math.sin(angle)) * cos + sunZ * upZ - SUN_PARALLAX
    },
    sunAtHour(hour) {
      const day = Math.floor(hour / 24)
      const { sunFixed } = tableOf(day)
      const i = (hour - day * 24 + 1) * 3
      return sunFixed[i]! * upX + sunFixed[i + 1]! * upY + sunFixed[i + 2]! * upZ - SUN_PARALLAX
    },
    moon(at) {
      const day = Math.floor(at / DAY)
      const { moon, sidereal } = tableOf(day)
      const hours = (at - day * DAY) / HOUR + 1
      const k = Math.floor(hours)
      const u = hours - k
      const i = k * 3
      // Four nodes after Lagrange: a straight step of the moon would be 0.1' off.
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
      const { moonFixed } = tableOf(day)
      const i = (hour - day * 24 + 1) * 3
      return moonHeight(moonFixed[i]!, moonFixed[i + 1]!, moonFixed[i + 2]!)
    },
    sunHourAngle(at) {
      const angle = findSun(at)
      const turned = (angle - Math.atan2(sunY, sunX)) / DEG
      return turned - 360 * Math.round(turned / 360)
    },
  }
}
