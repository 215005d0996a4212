import { z } from 'zod'
import { skyAt } from '../../ingest/domain/sky.ts'
import { zone } from '../../ingest/domain/timezone.ts'
import { astroText } from '../sections/astro.ts'
import { ToolError } from './error.ts'
import { findSpot, type Row, rowsOf } from './forecast.ts'
import * as shape from './input.ts'
import { dayName, localTime, plainMeta, reply } from './reply.ts'
import { tool } from './tool.ts'

export const getSunMoon = tool({
  name: 'get_sun_moon',
  title: 'Get sun and moon',
  description:
    'Sunrise, sunset, twilight, solar noon, day length, moonrise, moonset and moon phase at a US place, for dates from 1900 to 2100: when the sun sets tonight, how long the day is in June in Fairbanks. For daylight together with the weather use find_best_window. UTC in the data, local time in the text; null for what does not happen that day. One day by default, 31 at most. 50 US states and DC.',
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
    const at = Date.parse(`${first}T00:00:00Z`)
    const year = Number(first.slice(0, 4))
    if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== first || year < 1900 || year > 2100) {
      throw new ToolError(
        'bad-request',
        `date: wanted a date of the calendar from 1900-01-01 to 2100-12-31, got "${first}".`,
        'call again with such a date.',
        { field: 'date', got: first },
      )
    }
    const days: Row[] = []
    const place = { sky: skyAt(spot.location.lat, spot.location.lon), zone: zone(spot.timezone) }
    for (let i = 0; i < input.days; i++) {
      const date = new Date(at + i * 86_400_000).toISOString().slice(0, 10)
      days.push({ date, ...(JSON.parse(astroText(place, at / 86_400_000 + i)) as object) })
    }
    const meta = plainMeta(context, ['computed from the place and the date (Astronomy Engine)'], {
      spots: [spot],
    })
    const at2 = (value: unknown) => (typeof value === 'string' ? localTime(value, spot.timezone) : 'none')
    const lines = [
      `Sun and moon at ${spot.location.name} (${spot.timezone}):`,
      ...rowsOf(days)
        .slice(0, 7)
        .map(
          (day) =>
            `${dayName(String(day['date']))}: ${day['polar'] ? `${String(day['polar']).replace('_', ' ')}; ` : ''}sunrise ${at2(day['sunrise'])}, sunset ${at2(day['sunset'])}, moonrise ${at2(day['moonrise'])}, moonset ${at2(day['moonset'])}, ${day['moon_phase_name']}`,
        ),
    ]
    return reply({ structured: { location: spot.location, timezone: spot.timezone, days }, lines, meta })
  },
})

/** Local date of an instant, YYYY-MM-DD. */
export function localDate(instant: number, timezone: string): string {
  return new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).format(instant)
}
