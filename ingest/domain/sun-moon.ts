import { moonElongation } from './ephemeris.ts'
import { CIVIL_TWILIGHT, type Sky, SUN_HORIZON } from './sky.ts'
import { DAY, HOUR, type Instant } from './time.ts'

/** What sun and moon do on one local date. Undefined: the event does not occur on that date. */
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
  /** The same with civil twilight. */
  readonly daylightLength: number
  /** 0 new, 0.5 full, towards 1 new again; at the middle of the date. */
  readonly moonPhase: number
  readonly moonPhaseName: string
  /** Lit fraction of the disc, 0 to 1. */
  readonly moonIllumination: number
  readonly polar?: 'midnight_sun' | 'polar_night'
}

/** @param from local midnight @param to the next one: a day has 23, 24 or 25 hours */
export function sunMoon(sky: Sky, from: Instant, to: Instant): SunMoon {
  const noon = solarNoon(sky, (from + to) / 2)
  const day = arcAround(sky, noon, SUN_HORIZON)
  const twilight = arcAround(sky, noon, CIVIL_TWILIGHT)
  const within = (at: Instant | undefined) => at !== undefined && at >= from && at < to
  // Of a sun that sets after midnight, the date's own event may be the one of the noon before or after.
  const onDate = (own: Instant | undefined, rising: boolean, threshold: number): Instant | undefined => {
    if (within(own)) return own
    const other = arcAround(sky, solarNoon(sky, noon + (rising ? DAY : -DAY)), threshold)
    const candidate = rising ? other.start : other.end
    return within(candidate) ? candidate : undefined
  }
  const sunrise = onDate(day.start, true, SUN_HORIZON)
  const sunset = onDate(day.end, false, SUN_HORIZON)
  const moon = moonEvents(sky, from, to)
  const phase = moonElongation((from + to) / 2) / 360
  return {
    civilDawn: onDate(twilight.start, true, CIVIL_TWILIGHT),
    sunrise,
    solarNoon: within(noon) ? noon : undefined,
    sunset,
    civilDusk: onDate(twilight.end, false, CIVIL_TWILIGHT),
    moonrise: moon.rise,
    moonset: moon.set,
    dayLength: day.seconds,
    daylightLength: twilight.seconds,
    moonPhase: phase,
    moonPhaseName: phaseName(phase),
    moonIllumination: (1 - Math.cos(phase * 2 * Math.PI)) / 2,
    polar:
      sunrise === undefined && sunset === undefined
        ? sky.sun(noon) > SUN_HORIZON
          ? 'midnight_sun'
          : 'polar_night'
        : undefined,
  }
}

/** The sun's transit nearest to an instant. */
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

/** The stretch around a solar noon in which the sun stands above a threshold (a sine), within half a day on either side. */
function arcAround(sky: Sky, noon: Instant, threshold: number): Arc {
  if (sky.sun(noon) <= threshold) return { seconds: 0 }
  const start = sunCrossing(sky, noon, -1, threshold)
  const end = sunCrossing(sky, noon, 1, threshold)
  const length = Math.round(((end ?? noon + DAY / 2) - (start ?? noon - DAY / 2)) / 1000)
  return { start, end, seconds: start === undefined && end === undefined ? 86_400 : Math.min(86_400, length) }
}

/** Goes from noon by full hours until the sun is down, then closes in; undefined where it is not down within half a day. */
function sunCrossing(sky: Sky, noon: Instant, step: -1 | 1, threshold: number): Instant | undefined {
  let high = noon
  for (let hour = step > 0 ? Math.ceil(noon / HOUR) : Math.floor(noon / HOUR), n = 0; n < 12; n++, hour += step) {
    if (sky.sunAtHour(hour) <= threshold) return crossing(sky.sun, hour * HOUR, high, threshold)
    high = hour * HOUR
  }
  const midnight = noon + (step * DAY) / 2
  return sky.sun(midnight) < threshold ? crossing(sky.sun, midnight, high, threshold) : undefined
}

/** Where a height crosses a threshold between `low` (below it) and `high` (above it), to half a second: regula falsi after Illinois. */
function crossing(height: (at: Instant) => number, low: Instant, high: Instant, threshold: number): Instant {
  let a = low
  let b = high
  let fa = height(a) - threshold
  let fb = height(b) - threshold
  let side = 0
  for (let i = 0; i < 40 && Math.abs(b - a) > 500; i++) {
    const c = b - (fb * (b - a)) / (fb - fa)
    const fc = height(c) - threshold
    if (Math.abs(fc) < 3e-8) return Math.round(c)
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
  return Math.round((a + b) / 2)
}

/** Heights (sines) between which the moon may cross the horizon twice within an hour. */
const GRAZING = 0.03

/** First rise and first set of the moon within the date, which begins and ends on a full hour. */
function moonEvents(sky: Sky, from: Instant, to: Instant): { rise?: Instant; set?: Instant } {
  let rise: Instant | undefined
  let set: Instant | undefined
  let at = from
  let height = sky.moon(from)
  const look = (next: Instant, later: number) => {
    if (height <= 0 && later > 0) rise ??= crossing(sky.moon, at, next, 0)
    else if (height > 0 && later <= 0) set ??= crossing(sky.moon, next, at, 0)
    at = next
    height = later
  }
  for (let hour = Math.floor(from / HOUR) + 1; hour * HOUR <= to; hour++) {
    const next = hour * HOUR
    const later = sky.moonAtHour(hour)
    if (Math.abs(height) < GRAZING && Math.abs(later) < GRAZING) {
      for (let between = at + HOUR / 6; between < next; between += HOUR / 6) look(between, sky.moon(between))
    }
    look(next, later)
  }
  return { rise, set }
}

/** A principal phase names the date within half a day of it. */
function phaseName(phase: number): string {
  const near = 0.5 / 29.530588
  if (phase < near || phase > 1 - near) return 'New Moon'
  if (Math.abs(phase - 0.25) <= near) return 'First Quarter'
  if (Math.abs(phase - 0.5) <= near) return 'Full Moon'
  if (Math.abs(phase - 0.75) <= near) return 'Last Quarter'
  if (phase < 0.25) return 'Waxing Crescent'
  if (phase < 0.5) return 'Waxing Gibbous'
  return phase < 0.75 ? 'Waning Gibbous' : 'Waning Crescent'
}
