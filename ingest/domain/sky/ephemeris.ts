import { Body, Ecliptic, GeoVector, MakeTime, RotateVector, Rotation_EQJ_EQD, SiderealTime } from 'astronomy-engine'
import { DAY, HOUR, type Instant } from '../time.ts'

/**
 * Positions of sun and moon on a UTC day, which are the same for every place. astronomy-engine computes them once for each day. The sky of
 * a place then takes a few multiplications (`sky.ts`).
 */
export interface DayTable {
  /**
   * Geocentric vectors in the equatorial frame of date, x, y, z, at hours -1 to 26 of the UTC day (28 triples). The sun's have length 1,
   * the moon's are in km.
   */
  readonly sun: Float64Array
  readonly moon: Float64Array
  /** The same vectors in the rotating frame of the earth: x towards Greenwich, y towards 90° E. */
  readonly sunFixed: Float64Array
  readonly moonFixed: Float64Array
  /** Greenwich apparent sidereal time in degrees at hour 0. */
  readonly sidereal: number
  /** The moon's phase at each hour -1 to 26: ecliptic elongation in degrees, 0 at new moon, 180 at full moon. */
  readonly phase: Float64Array
}

const AU_KM = 149_597_870.7
const NODES = 28
const DEG = Math.PI / 180
/** Sidereal rotation of the earth, degrees per millisecond. */
export const SIDEREAL_RATE = 360.98564736629 / DAY

/**
 * Direct-mapped cache of the day tables, indexed by the low bits of the day, because this lookup dominates the time of sun and moon
 * queries.
 */
const MAX_CACHED_DAYS = 64
const tables: { readonly day: number; readonly table: DayTable }[] = []

/**
 * Returns the table of a day.
 * @param day UTC days since 1970-01-01
 */
export function dayTable(day: number): DayTable {
  const cached = tables[day & (MAX_CACHED_DAYS - 1)]
  if (cached?.day === day) return cached.table
  const table = build(day)
  tables[day & (MAX_CACHED_DAYS - 1)] = { day, table }
  return table
}

/** Returns whether the table of a day exists already; building one takes 3 to 7 ms. @param day UTC days since 1970-01-01 */
export function hasDayTable(day: number): boolean {
  return tables[day & (MAX_CACHED_DAYS - 1)]?.day === day
}

function build(day: number): DayTable {
  const sun = new Float64Array(NODES * 3)
  const moon = new Float64Array(NODES * 3)
  const sunFixed = new Float64Array(NODES * 3)
  const moonFixed = new Float64Array(NODES * 3)
  const phase = new Float64Array(NODES)
  const sidereal = SiderealTime(MakeTime(new Date(day * DAY))) * 15
  // Precession and nutation change by less than 0.2 arc seconds within the day.
  const turn = Rotation_EQJ_EQD(MakeTime(new Date(day * DAY + DAY / 2)))
  for (let k = 0; k < NODES; k++) {
    const time = MakeTime(new Date(day * DAY + (k - 1) * HOUR))
    const s = RotateVector(turn, GeoVector(Body.Sun, time, true))
    const moonVector = GeoVector(Body.Moon, time, true)
    const m = RotateVector(turn, moonVector)
    const length = Math.hypot(s.x, s.y, s.z)
    const angle = (sidereal + SIDEREAL_RATE * (k - 1) * HOUR) * DEG
    put(sun, sunFixed, k, s.x / length, s.y / length, s.z / length, angle)
    put(moon, moonFixed, k, m.x * AU_KM, m.y * AU_KM, m.z * AU_KM, angle)
    // This equals the library's `MoonPhase`, which would compute the moon again and take half of the time of a table.
    const elongation = Ecliptic(moonVector).elon - Ecliptic(GeoVector(Body.Sun, time, false)).elon
    phase[k] = elongation < 0 ? elongation + 360 : elongation
  }
  return { sun, moon, sunFixed, moonFixed, sidereal, phase }
}

function put(free: Float64Array, fixed: Float64Array, k: number, x: number, y: number, z: number, angle: number): void {
  free.set([x, y, z], k * 3)
  const cos = Math.cos(angle)
  const sin = Math.sin(angle)
  fixed.set([x * cos + y * sin, y * cos - x * sin, z], k * 3)
}

/** Returns the moon's ecliptic elongation in degrees, 0 to 360. */
export function moonElongation(at: Instant): number {
  const day = Math.floor(at / DAY)
  const { phase } = dayTable(day)
  const hours = (at - day * DAY) / HOUR + 1
  const k = Math.floor(hours)
  const a = phase[k]!
  let b = phase[k + 1]!
  if (b < a - 180) b += 360
  return (a + (b - a) * (hours - k)) % 360
}
