import { Body, GeoVector, MakeTime, MoonPhase, RotateVector, Rotation_EQJ_EQD, SiderealTime } from 'astronomy-engine'
import { DAY, HOUR, type Instant } from './time.ts'

/**
 * Sun and moon on the sky of a day, the same for every place: geocentric vectors of date (km) at each full hour,
 * from astronomy-engine once a UTC day. A place's own sky then costs a few multiplications (`sky.ts`).
 */
export interface DayTable {
  /** x, y, z at hours -1 to 26 of the UTC day: 28 triples. */
  readonly sun: Float64Array
  readonly moon: Float64Array
  /** Greenwich apparent sidereal time in degrees at hour 0. */
  readonly sidereal: number
  /** The moon's phase at each hour -1 to 26: ecliptic elongation in degrees, 0 new, 180 full. */
  readonly phase: Float64Array
}

const AU_KM = 149_597_870.7
const NODES = 28
/** Degrees that the earth turns in a millisecond against the stars. */
export const SIDEREAL_RATE = 360.98564736629 / DAY

const tables = new Map<number, DayTable>()
const KEPT = 64

/** @param day UTC days since 1970-01-01 */
export function dayTable(day: number): DayTable {
  let found = tables.get(day)
  if (!found) {
    found = build(day)
    if (tables.size >= KEPT) tables.delete(tables.keys().next().value!)
    tables.set(day, found)
  }
  return found
}

function build(day: number): DayTable {
  const sun = new Float64Array(NODES * 3)
  const moon = new Float64Array(NODES * 3)
  const phase = new Float64Array(NODES)
  const first = MakeTime(new Date(day * DAY))
  // Precession and nutation move by less than 0.2 arc seconds within the day.
  const turn = Rotation_EQJ_EQD(MakeTime(new Date(day * DAY + DAY / 2)))
  for (let k = 0; k < NODES; k++) {
    const time = MakeTime(new Date(day * DAY + (k - 1) * HOUR))
    const s = RotateVector(turn, GeoVector(Body.Sun, time, true))
    const m = RotateVector(turn, GeoVector(Body.Moon, time, true))
    sun.set([s.x * AU_KM, s.y * AU_KM, s.z * AU_KM], k * 3)
    moon.set([m.x * AU_KM, m.y * AU_KM, m.z * AU_KM], k * 3)
    phase[k] = MoonPhase(time)
  }
  return { sun, moon, sidereal: SiderealTime(first) * 15, phase }
}

/** The moon's ecliptic elongation in degrees, 0 to 360. */
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
