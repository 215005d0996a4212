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

const SAMPLES = 25

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
        ? sky.sunAltitude(noon) > SUN_HORIZON
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

/** The stretch around a solar noon in which the sun stands above a threshold, within half a day on either side. */
function arcAround(sky: Sky, noon: Instant, threshold: number): Arc {
  if (sky.sunAltitude(noon) <= threshold) return { seconds: 0 }
  const before = noon - DAY / 2
  const after = noon + DAY / 2
  const start = sky.sunAltitude(before) < threshold ? crossing(sky.sunAltitude, before, noon, threshold) : undefined
  const end = sky.sunAltitude(after) < threshold ? crossing(sky.sunAltitude, after, noon, threshold) : undefined
  const length = Math.round(((end ?? after) - (start ?? before)) / 1000)
  return { start, end, seconds: start === undefined && end === undefined ? 86_400 : Math.min(86_400, length) }
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
    if (Math.abs(fc) < 2e-6) return Math.round(c)
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

/** First rise and first set of the moon within the date. Heights are looked at each hour, and where two of them graze the horizon. */
function moonEvents(sky: Sky, from: Instant, to: Instant): { rise?: Instant; set?: Instant } {
  let rise: Instant | undefined
  let set: Instant | undefined
  let at = from
  let height = sky.moonAltitude(at)
  const look = (next: Instant) => {
    const later = sky.moonAltitude(next)
    if (height <= 0 && later > 0) rise ??= crossing(sky.moonAltitude, at, next, 0)
    else if (height > 0 && later <= 0) set ??= crossing(sky.moonAltitude, next, at, 0)
    at = next
    height = later
  }
  const step = (to - from) / (SAMPLES - 1)
  for (let k = 1; k < SAMPLES; k++) {
    const next = from + k * step
    // Near an extremum close to the horizon the moon may cross twice within the hour.
    if (Math.abs(height) < 1.5 && Math.abs(sky.moonAltitude(next)) < 1.5) {
      for (let fine = 1; fine < 6; fine++) look(at + (next - at) / (7 - fine))
    }
    look(next)
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
