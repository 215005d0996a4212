import { z } from 'zod'
import { skyAt } from '../../../ingest/domain/sky/sky.ts'
import { type SunMoon, sunMoon } from '../../../ingest/domain/sky/sun-moon.ts'
import { DAY, isoOrNull, parseDate } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'
import { findSpot } from '../../dataset/spot.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { dayName, localTime, plainMeta, reply } from '../words/reply.ts'

export const getSunMoon = tool({
  name: 'get_sun_moon',
  title: 'Get sun and moon',
  description:
    'Sunrise, sunset, twilight, solar noon, day length, moonrise, moonset and moon phase at a US place, 1900 to 2100: when the sun sets tonight. Daylight together with the weather: find_best_window.',
  input: z.strictObject({
    ...shape.place,
    date: shape.day('First date, today where absent').optional(),
    days: z.number().int().min(1).max(31).default(1).describe('Number of dates.'),
  }),
  output: z.object({
    location: shape.location,
    timezone: z.string(),
    days: z.array(z.looseObject({ date: z.string() })),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const first = input.date ?? localDate(context.now, spot.timezone)
    const at = parseDate(first)
    const year = Number(first.slice(0, 4))
    if (Number.isNaN(at) || year < 1900 || year > 2100) {
      throw new ToolError(
        'bad-request',
        `date must be a calendar date from 1900-01-01 to 2100-12-31, but was "${first}".`,
        'call again with such a date.',
        { field: 'date', got: first },
      )
    }
    const sky = skyAt(spot.location.lat, spot.location.lon)
    const place = zone(spot.timezone)
    const days = Array.from({ length: input.days }, (_, i) => {
      const day = at / DAY + i
      return {
        date: new Date(day * DAY).toISOString().slice(0, 10),
        ...astroOf(sunMoon(sky, place.startOfDay(day), place.startOfDay(day + 1))),
      }
    })
    const meta = plainMeta(context, ['computed from the place and the date (Astronomy Engine)'], {
      spots: [spot],
    })
    const lines = [
      `Sun and moon at ${spot.location.name} (${spot.timezone}):`,
      ...days.slice(0, MAX_LINES).map((day) => dayLine(day, spot.timezone)),
      ...(days.length > MAX_LINES ? [`${days.length - MAX_LINES} more in data.`] : []),
    ]
    return reply({ structured: { location: spot.location, timezone: spot.timezone, days }, lines, meta })
  },
})

/** Dates in the text block. */
const MAX_LINES = 7

/** Returns a date in words: sun with twilight, solar noon and length of the day, then the moon. */
function dayLine(day: ReturnType<typeof astroOf> & { readonly date: string }, timezone: string): string {
  const clock = (value: string | null) => (value === null ? 'none' : localTime(value, timezone))
  const twilight =
    day.civil_dawn === null && day.civil_dusk === null
      ? 'no civil twilight begins or ends'
      : `civil twilight ${clock(day.civil_dawn)} to ${clock(day.civil_dusk)}`
  return [
    `${dayName(day.date)}: ${day.polar ? `${day.polar.replace('_', ' ')}; ` : ''}sunrise ${clock(day.sunrise)}`,
    `sunset ${clock(day.sunset)}`,
    `day length ${lengthWords(day.day_length)}`,
    twilight,
    `solar noon ${clock(day.solar_noon)}`,
    `moonrise ${clock(day.moonrise)}`,
    `moonset ${clock(day.moonset)}`,
    `${day.moon_phase_name}, ${Math.round(day.moon_illumination * 100)}% lit`,
  ].join(', ')
}

/** Returns `9 h 21 min` for seconds. */
function lengthWords(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Returns sun and moon in the members of `astro` of REST, rounded in the same way. */
function astroOf(sky: SunMoon) {
  const thousandth = (value: number) => Math.round(value * 1000) / 1000
  return {
    civil_dawn: isoOrNull(sky.civilDawn),
    sunrise: isoOrNull(sky.sunrise),
    solar_noon: isoOrNull(sky.solarNoon),
    sunset: isoOrNull(sky.sunset),
    civil_dusk: isoOrNull(sky.civilDusk),
    moonrise: isoOrNull(sky.moonrise),
    moonset: isoOrNull(sky.moonset),
    day_length: Math.round(sky.dayLength),
    daylight_length: Math.round(sky.daylightLength),
    moon_phase: thousandth(sky.moonPhase),
    moon_phase_name: sky.moonPhaseName,
    moon_illumination: thousandth(sky.moonIllumination),
    polar: sky.polar ?? null,
  }
}

/** Returns the local date of an instant, YYYY-MM-DD. */
export function localDate(instant: number, timezone: string): string {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(instant)
}
