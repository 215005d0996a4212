import ical from 'ical-generator'
import type { WeatherValue } from '../answer/value.ts'
import { weatherSchema } from '../answer/weather-schema.ts'
import { csv } from '../present/csv.ts'
import { unitOf } from '../present/property.ts'
import type { TableCell } from '../present/table.ts'
import { Problem } from '../problem.ts'
import { mediaTypes } from '../query/format.ts'
import type { Answer } from '../route.ts'

type RecordRow = Readonly<Record<string, unknown>>

/** Returns the table of a CSV: the included one of hourly and daily, or hourly without `include`. @throws Problem */
export function tableOf(include: string | undefined): 'hourly' | 'daily' {
  const tables = ['hourly', 'daily'].filter((name) => include?.split(',').some((token) => token.trim() === name))
  if (tables.length === 1) return tables[0] as 'hourly' | 'daily'
  if (include === undefined) return 'hourly'
  throw new Problem(
    'bad-request',
    `\`include\` must have exactly one of hourly and daily with \`format=csv\`, which is one table, but has ${tables.length}. Change \`include\` and try again.`,
  )
}

/** Returns the rows of a section with units in the header. Members of objects become columns such as `day.temperature`; lists are joined. */
export function weatherCsv(weather: WeatherValue, table: 'hourly' | 'daily'): Pick<Answer, 'type' | 'body'> {
  const rows = (weather[table] ?? []).map((row) => flat(row))
  const names = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  const columns = names.map((name) => ({
    name,
    unit: unitOf(weatherSchema, [table, ...name.split('.')], weather.units),
  }))
  const cells = rows.map((row) => names.map((name) => row.get(name) ?? null))
  return { type: mediaTypes.csv, body: csv(columns, cells) }
}

function flat(row: object): Map<string, TableCell> {
  const cells = new Map<string, TableCell>()
  for (const [name, value] of Object.entries(row) as [string, unknown][]) {
    if (value !== null && typeof value === 'object' && !Array.isArray(value))
      for (const [inner, member] of Object.entries(value)) cells.set(`${name}.${inner}`, cellOf(member))
    else cells.set(name, cellOf(value))
  }
  return cells
}

function cellOf(value: unknown): TableCell {
  if (value === null || value === undefined) return null
  if (typeof value === 'number' || typeof value === 'string') return value
  if (Array.isArray(value)) return value.map((item: RecordRow) => item['risk_label'] ?? JSON.stringify(item)).join('; ')
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value)
}

/** Returns a calendar with each local day as an all-day event. */
export function weatherCalendar(weather: WeatherValue): Pick<Answer, 'type' | 'body'> {
  const { location, units } = weather
  const simulated = (weather.meta.warnings ?? []).some(({ code }) => code === 'simulated_data')
  const label = simulated ? 'Simulated weather: ' : ''
  const calendar = ical({
    name: `${label}${location.name}${location.region ? `, ${location.region}` : ''}`,
    prodId: '//Hexcast//Forecast//EN',
    ttl: 3600,
  })
  const degrees = `°${units.temperature}`
  const shown = (value: number | null | undefined) =>
    value === null || value === undefined ? '–' : `${Math.round(value)}${degrees}`
  for (const day of weather.daily ?? []) {
    const start = new Date(`${day.date}T00:00:00Z`)
    const chance = day.precip_probability ? `, ${day.precip_probability} %` : ''
    calendar.createEvent({
      id: `${day.date}/${location.lat},${location.lon}@hexcast`,
      stamp: new Date(weather.meta.generated_at),
      allDay: true,
      start,
      end: new Date(start.getTime() + 86_400_000),
      summary: `${label}${shown(day.high)} / ${shown(day.low)} ${day.conditions ?? ''}${chance}`.trim(),
      description: [day.day?.narrative, day.night?.narrative].filter(Boolean).join('\n'),
      location: { title: location.name, geo: { lat: location.lat, lon: location.lon } },
    })
  }
  return { type: mediaTypes.ics, body: calendar.toString() }
}
