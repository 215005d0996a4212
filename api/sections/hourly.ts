import { precipTypes } from '../../ingest/domain/precip-type.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import { membersOf } from '../present/members.ts'
import { instantText } from '../present/text.ts'
import type { Units } from '../present/units.ts'
import { hourlyNumbers, hourlyUncertainty, type NumberField } from './fields.ts'
import { type Section, type SectionContext, type SectionResult, withoutForecast } from './section.ts'
import { severeHours } from './severe.ts'
import { hourWords, thunderPossible } from './words.ts'

const conciseNumbers = hourlyNumbers.filter(({ concise }) => concise)
/** Air quality is not held yet; the columns stay null until it is. */
const notHeld = ['aqi']

export const hourly: Section = {
  name: 'hourly',
  async build(context: SectionContext): Promise<SectionResult> {
    const forecast = await context.forecast()
    if (!forecast) {
      return {
        maxAgeSeconds: 60,
        degraded: true,
        warnings: [withoutForecast(context, 'hourly')],
      }
    }
    const severe = await severeHours(context, forecast)
    return {
      json: hourlyText(context, forecast, severe),
      warnings: [
        ...forecast.warnings,
        ...(context.query.view === 'detailed'
          ? [{ code: 'not_held' as const, section: 'hourly', detail: 'no air quality source is held', fields: notHeld }]
          : []),
      ],
      maxAgeSeconds: 600,
      expiresAt: (Math.floor(context.now / HOUR) + 1) * HOUR,
    }
  },
}

/** Indexes of the rows that stay: `step` counts from row `from`. */
export function sampledRows(hours: number, step: number, from: number): number[] {
  const rows: number[] = []
  for (let row = 0; row < hours; row++) if (row < from || (row - from) % step === 0) rows.push(row)
  return rows
}

interface Row {
  /** Members, each with its comma before it. */
  readonly text: string
  readonly known: boolean
}

/** Numbers of a forecast, an object an hour. */
function rowsOf(fields: readonly NumberField[], forecast: Forecast, units: Units): (h: number) => Row {
  const columns = fields.map(({ column }) => forecast.columns[column])
  const { values, text } = membersOf(fields, units)
  return (h) => {
    let known = false
    for (let i = 0; i < columns.length; i++) {
      const value = columns[i]![h]!
      values[i] = value
      known ||= !Number.isNaN(value)
    }
    return { text: text(), known }
  }
}

const falling = precipTypes.map((word) => `,"aqi":null,"precip_type":"${word}","thunder_possible":`)

function hourlyText(context: SectionContext, forecast: Forecast, severe: Uint8Array): string {
  const { query, units } = context
  const concise = query.view === 'concise'
  const numbers = rowsOf(concise ? conciseNumbers : hourlyNumbers, forecast, units)
  const spread = query.include.has('uncertainty') ? rowsOf(hourlyUncertainty, forecast, units) : undefined
  let text = '['
  for (const row of sampledRows(query.hourlyHours, query.hourlyStep, query.hourlyStepFrom)) {
    const h = forecast.now + row
    text += `${row ? ',' : ''}{"time":${instantText(forecast.start + h * HOUR)}${numbers(h).text}`
    const words = hourWords(forecast, h)
    if (!concise) {
      text += falling[forecast.precipType[h]!]! + (thunderPossible(forecast, h) ? 'true' : 'false')
    }
    if (words) text += `,"conditions":"${words.conditions}","icon":"${words.icon}"`
    text += `,"severe":${severe[h] === 1}`
    if (spread) {
      const inner = spread(h)
      text += inner.known ? `,"uncertainty":{${inner.text.slice(1)}}` : ',"uncertainty":null'
    }
    text += '}'
  }
  return `${text}]`
}
