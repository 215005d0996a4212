import { nth } from '../nth.ts'
import { DAY, HOUR, type Instant } from '../time.ts'
import { moonElongation } from './ephemeris.ts'
import { CIVIL_TWILIGHT, type Sky, SUN_HORIZON } from './sky.ts'

/** Events of sun and moon on a local date; undefined if the event does not occur on that date. */
export interface SunMoon {
  readonly civilDawn?: Instant
  readonly sunrise?: Instant
  readonly solarNoon?: Instant
  readonly sunset?: Instant
  readonly civilDusk?: Instant
  readonly moonrise?: Instant
  readonly moonset?: Instant
  /** Seconds from sunrise to sunset around the date's solar noon; 86400 at midnight sun, 0 in polar night. */
  readonly dayLength: number
  /** Seconds from civil dawn to civil dusk around the date's solar noon. */
  readonly daylightLength: number
  /** Phase of the moon at the middle of the date: 0 new, 0.5 full, close to 1 before the next new moon. */
  readonly moonPhase: number
  readonly moonPhaseName: MoonPhaseName
  /** Illuminated fraction of the disc, 0 to 1. */
  readonly moonIllumination: number
  readonly polar?: 'midnight_sun' | 'polar_night'
}

/**
 * Returns the events of a local date.
 * @param from local midnight
 * @param to the next local midnight, 23, 24 or 25 hours later
 */
export function sunMoon(sky: Sky, from: Instant, to: Instant): SunMoon {
  const noon = lookAround(sky, solarNoon(sky, (from + to) / 2))
  const day = arcAround(sky, noon, SUN_HORIZON)
  const twilight = arcAround(sky, noon, CIVIL_TWILIGHT)
  const sunrise = onDate(sky, noon.at, day.start, true, SUN_HORIZON, from, to)
  const sunset = onDate(sky, noon.at, day.end, false, SUN_HORIZON, from, to)
  const moon = moonEvents(sky, from, to)
  const phase = moonElongation((from + to) / 2) / 360
  return {
    civilDawn: onDate(sky, noon.at, twilight.start, true, CIVIL_TWILIGHT, from, to),
    sunrise,
    solarNoon: isWithin(noon.at, from, to) ? noon.at : undefined,
    sunset,
    civilDusk: onDate(sky, noon.at, twilight.end, false, CIVIL_TWILIGHT, from, to),
    moonrise: moon.rise,
    moonset: moon.set,
    dayLength: day.seconds,
    daylightLength: twilight.seconds,
    moonPhase: phase,
    moonPhaseName: phaseName(moonElongation(from), moonElongation(to)),
    moonIllumination: (1 - Math.cos(phase * 2 * Math.PI)) / 2,
    polar:
      sunrise === undefined && sunset === undefined
        ? noon.height > SUN_HORIZON
          ? 'midnight_sun'
          : 'polar_night'
        : undefined,
  }
}

function isWithin(at: Instant | undefined, from: Instant, to: Instant): boolean {
  return at !== undefined && at >= from && at < to
}

/** Returns an event around a noon if it is on the date. If the sun sets after midnight, the date's event belongs to the previous or next noon. */
function onDate(
  sky: Sky,
  noon: Instant,
  own: Instant | undefined,
  rising: boolean,
  threshold: number,
  from: Instant,
  to: Instant,
): Instant | undefined {
  if (isWithin(own, from, to)) return own
  const beside = lookAround(sky, solarNoon(sky, noon + (rising ? DAY : -DAY)))
  const other = arcAround(sky, beside, threshold)
  const candidate = rising ? other.start : other.end
  return isWithin(candidate, from, to) ? candidate : undefined
}

/** Returns the sun's transit nearest to an instant. */
function solarNoon(sky: Sky, near: Instant): Instant {
  let at = near - (sky.sunHourAngle(near) / 15) * HOUR
  at -= (sky.sunHourAngle(at) / 15) * HOUR
  return Math.round(at)
}

interface Arc {
  readonly start?: Instant
  readonly end?: Instant
  readonly seconds: number
}

/** Numbers of full hours before and after the beginning of an hour that locate a crossing within it. */
const BEFORE = 2
const AFTER = 3
/** Sines of the sun's altitude within half a day of a noon. The array is filled for one noon at a time. */
const sunHeights = new Float64Array(2 * 12 + 1 + BEFORE + AFTER)
/** Sines of the moon's altitude at the hours of a date. */
const moonHeights = new Float64Array(25 + 1 + BEFORE + AFTER)

/** A solar noon, and the sun at the full hours around it. */
interface Noon {
  readonly at: Instant
  readonly height: number
  /** The full hour at which `sunHeights` begins. */
  readonly first: number
}

function lookAround(sky: Sky, noon: Instant): Noon {
  const first = Math.floor(noon / HOUR) - 12 - BEFORE + 1
  sky.sunAtHours(first, sunHeights)
  return { at: noon, height: sky.sun(noon), first }
}

/** Returns the period around a solar noon in which the sun is above a threshold (a sine), within half a day on either side. */
function arcAround(sky: Sky, noon: Noon, threshold: number): Arc {
  if (noon.height <= threshold) return { seconds: 0 }
  const start = sunCrossing(sky, noon, -1, threshold)
  const end = sunCrossing(sky, noon, 1, threshold)
  const length = Math.round(((end ?? noon.at + DAY / 2) - (start ?? noon.at - DAY / 2)) / 1000)
  return { start, end, seconds: start === undefined && end === undefined ? 86_400 : Math.min(86_400, length) }
}

/**
 * Steps from noon by full hours until the sun is below the threshold, then refines the time; undefined if it stays above for half a day.
 */
function sunCrossing(sky: Sky, noon: Noon, step: -1 | 1, threshold: number): Instant | undefined {
  const begin = step > 0 ? Math.ceil(noon.at / HOUR) : Math.floor(noon.at / HOUR)
  for (let hour = begin, n = 0; n < 12; n++, hour += step) {
    if (sunHeights[hour - noon.first]! > threshold) continue
    if (n === 0) return between(sky.sun, hour * HOUR, noon.at, threshold)
    return withinHour(sky.sun, sunHeights, noon.first, step > 0 ? hour - 1 : hour, threshold)
  }
  const midnight = noon.at + (step * DAY) / 2
  if (sky.sun(midnight) >= threshold) return undefined
  return between(sky.sun, midnight, (begin + 11 * step) * HOUR, threshold)
}

/** Step in ms below which the error is negligible. */
const TOLERANCE_MS = 50

/**
 * Returns when an altitude crosses a threshold in the hour that begins at full hour `hour`. The altitude is below the threshold at one end
 * and above it at the other. The polynomial through six full hours is accurate to some hundredths of a second; the altitude itself then
 * refines the result.
 * @param heights altitudes at the full hours from `first` on
 */
function withinHour(
  height: (at: Instant) => number,
  heights: Float64Array,
  first: number,
  hour: number,
  threshold: number,
): Instant {
  const i = hour - first
  const a = heights[i - 2]! - threshold
  const b = heights[i - 1]! - threshold
  const c = heights[i]! - threshold
  const d = heights[i + 1]! - threshold
  const e = heights[i + 2]! - threshold
  const f = heights[i + 3]! - threshold
  // The polynomial is c + p1 u + … + p5 u⁵, with u from 0 at `hour` to 1 an hour later.
  const p1 = (3 * a - 30 * b - 20 * c + 60 * d - 15 * e + 2 * f) * (1 / 60)
  const p2 = (16 * (b + d) - a - e - 30 * c) * (1 / 24)
  const p3 = (10 * c - a - b - 14 * d + 7 * e - f) * (1 / 24)
  const p4 = (a - 4 * b + 6 * c - 4 * d + e) * (1 / 24)
  const p5 = (f - a + 5 * (b - e) + 10 * (d - c)) * (1 / 120)
  let u = c / (c - d)
  let slope = 0
  for (let n = 0; n < 2; n++) {
    slope = p1 + u * (2 * p2 + u * (3 * p3 + u * (4 * p4 + u * 5 * p5)))
    u -= (c + u * (p1 + u * (p2 + u * (p3 + u * (p4 + u * p5))))) / slope
  }
  let at = (hour + u) * HOUR
  for (let n = 0; n < 4; n++) {
    const step = ((height(at) - threshold) / slope) * HOUR
    at -= step
    if (!(at >= hour * HOUR && at <= (hour + 1) * HOUR)) break
    if (Math.abs(step) < TOLERANCE_MS) return Math.floor(at)
  }
  // The altitude touches the threshold without a clear crossing.
  const [low, high] = c < d ? [hour, hour + 1] : [hour + 1, hour]
  return between(height, low * HOUR, high * HOUR, threshold)
}

/**
 * Returns when an altitude crosses a threshold between `low` (below it) and `high` (above it), to the millisecond, by the Illinois method
 * of regula falsi.
 */
function between(height: (at: Instant) => number, low: Instant, high: Instant, threshold: number): Instant {
  let a = low
  let b = high
  let fa = height(a) - threshold
  let fb = height(b) - threshold
  let side = 0
  for (let i = 0; i < 60 && Math.abs(b - a) > 0.01; i++) {
    const c = b - (fb * (b - a)) / (fb - fa)
    const fc = height(c) - threshold
    if (Math.abs(fc) < 1e-12) return Math.floor(c)
    if (fc > 0) {
      b = c
      fb = fc
      if (side === 1) fa /= 2
      side = 1
    } else {
      a = c
      fa = fc
      if (side === -1) fb /= 2
      side = -1
    }
  }
  return Math.floor((a + b) / 2)
}

/** Absolute altitude (a sine) below which the moon may cross the horizon twice within an hour. */
const GRAZING = 0.03

interface MoonEvents {
  rise?: Instant
  set?: Instant
}

/** Returns the first rise and the first set of the moon within the date. */
function moonEvents(sky: Sky, from: Instant, to: Instant): MoonEvents {
  const events: MoonEvents = { rise: undefined, set: undefined }
  const begin = Math.ceil(from / HOUR)
  const end = Math.floor(to / HOUR)
  // Almost everywhere a date begins on a full hour.
  if (from < begin * HOUR) lookClosely(sky, from, begin * HOUR, events)
  const first = begin - BEFORE
  sky.moonAtHours(first, moonHeights)
  let later = moonHeights[BEFORE]!
  for (let hour = begin; hour < end; hour++) {
    const height = later
    later = moonHeights[hour + 1 - first]!
    if (Math.abs(height) < GRAZING && Math.abs(later) < GRAZING)
      lookClosely(sky, hour * HOUR, (hour + 1) * HOUR, events)
    else if (height > 0 === later > 0) continue
    else if (later > 0) events.rise ??= withinHour(sky.moon, moonHeights, first, hour, 0)
    else events.set ??= withinHour(sky.moon, moonHeights, first, hour, 0)
  }
  if (end * HOUR < to) lookClosely(sky, end * HOUR, to, events)
  return events
}

/** Searches for crossings in steps of ten minutes. */
function lookClosely(sky: Sky, from: Instant, to: Instant, events: MoonEvents): void {
  let height = sky.moon(from)
  for (let at = from; at < to; ) {
    const next = Math.min(to, at + HOUR / 6)
    const later = sky.moon(next)
    if (height <= 0 && later > 0) events.rise ??= between(sky.moon, at, next, 0)
    else if (height > 0 && later <= 0) events.set ??= between(sky.moon, next, at, 0)
    at = next
    height = later
  }
}

export const moonPhaseNames = [
  'New Moon',
  'Waxing Crescent',
  'First Quarter',
  'Waxing Gibbous',
  'Full Moon',
  'Waning Gibbous',
  'Last Quarter',
  'Waning Crescent',
] as const
export type MoonPhaseName = (typeof moonPhaseNames)[number]

/**
 * Returns the name of the phase on a date: the principal phase that occurs on it, or otherwise the phase between two of them.
 * @param from elongation in degrees at the date's midnight
 * @param to elongation at the next midnight, 10° to 16° later
 */
function phaseName(from: number, to: number): MoonPhaseName {
  const quarter = Math.floor(to / 90) % 4
  const isPrincipal = Math.floor(from / 90) % 4 !== quarter
  return nth(moonPhaseNames, 2 * quarter + (isPrincipal ? 0 : 1))
}
