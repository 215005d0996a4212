import { precipTypes } from '../../ingest/domain/precip-type.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import { memberPieces, objectPieces } from '../present/members.ts'
import type { Page } from '../present/page.ts'
import { choice, flag, instant, type Placeholder, perUnits, type Template, template } from '../present/template.ts'
import type { Units } from '../present/units.ts'
import type { WriterMemory } from '../present/writer-memory.ts'
import { lastHour, listEnds } from './axis-end.ts'
import { hourlyNumbers, hourlyUncertainty, type NumberField } from './fields.ts'
import { type Section, type SectionContext, type SectionResult, withoutForecast } from './section.ts'
import { hazardsOf, severeHours } from './severe.ts'
import { weatherNow } from './weather-now.ts'
import { hourWords, thunderPossible, wordsCode, wordsPlaceholder } from './words.ts'

const conciseNumbers = hourlyNumbers.filter(({ concise }) => concise)
/** AirNow forecasts days, not hours. */
const unavailableFields = ['aqi']

export const hourly: Section = {
  name: 'hourly',
  async build(context: SectionContext): Promise<SectionResult> {
    const { forecast, warnings } = await weatherNow(context)
    if (!forecast) {
      return {
        maxAgeSeconds: 60,
        degraded: true,
        warnings: [withoutForecast(context, 'hourly')],
      }
    }
    const hazards = await hazardsOf(context)
    const last = lastHour(forecast)
    const rows = Math.max(
      0,
      Math.min(context.query.hourlyHours, Math.round((last - forecast.start) / HOUR) - forecast.now + 1),
    )
    return {
      write: (page) => writeHourly(page, context, forecast, severeHours(forecast, hazards), rows),
      warnings: [
        ...forecast.warnings.filter(
          ({ from }) => !from || Date.parse(from) < forecast.start + (forecast.now + rows) * HOUR,
        ),
        ...warnings.hourly,
        ...(rows < context.query.hourlyHours ? [listEnds('hourly', last)] : []),
        ...(context.query.view === 'detailed'
          ? [
              {
                code: 'not_held' as const,
                section: 'hourly',
                detail: 'no hourly air quality forecast is available',
                fields: unavailableFields,
              },
            ]
          : []),
      ],
      maxAgeSeconds: 600,
      expiresAt: (Math.floor(context.now / HOUR) + 1) * HOUR,
    }
  },
}

/** Beginning of the first row, and of the others, which closes the row before. */
const opening = choice(['[{"time":', '},{"time":'])
const falling = [
  ',"aqi":null,"precip_type":',
  choice(precipTypes.map((word) => `"${word}"`)),
  ',"thunder_possible":',
  flag,
  choice(['', ',"cloud_ceiling_unlimited":true']),
]

const templatesOf = perUnits((memory, units) => ({
  detailed: rowTemplate(memory, [...memberPieces(hourlyNumbers), ...falling], units),
  concise: rowTemplate(memory, memberPieces(conciseNumbers), units),
  uncertainty: template(memory, [',"uncertainty":', ...objectPieces(hourlyUncertainty)], units),
}))

function rowTemplate(memory: WriterMemory, middle: readonly (string | Placeholder)[], units: Units): Template {
  return template(memory, [opening, instant, ...middle, wordsPlaceholder, ',"severe":', flag], units)
}

function writeHourly(page: Page, context: SectionContext, forecast: Forecast, severe: Uint8Array, rows: number): void {
  const { query, units } = context
  const concise = query.view === 'concise'
  const uncertain = query.include.has('uncertainty')
  const templates = templatesOf(page.memory, units)
  const template = concise ? templates.concise : templates.detailed
  const { values } = template
  const columns = columnsOf(concise ? conciseNumbers : hourlyNumbers, forecast)
  const spread = columnsOf(hourlyUncertainty, forecast)
  const { hourlyStep, hourlyStepFrom } = query
  for (let row = 0; row < rows; row++) {
    if (row >= hourlyStepFrom && (row - hourlyStepFrom) % hourlyStep !== 0) continue
    const h = forecast.now + row
    let i = 0
    values[i++] = row > 0 ? 1 : 0
    values[i++] = forecast.start + h * HOUR
    // Index loop: for…of over the columns costs a fifth more.
    for (let k = 0; k < columns.length; k++) values[i++] = columns[k]![h]!
    if (!concise) {
      values[i++] = forecast.precipType[h]!
      values[i++] = thunderPossible(forecast, h) ? 1 : 0
      values[i++] = forecast.ceilingUnlimited[h]!
    }
    values[i++] = wordsCode(hourWords(forecast, h))
    values[i] = severe[h]!
    page.put(template)
    if (uncertain) writeUncertainty(page, templates.uncertainty, spread, h)
  }
  page.text(rows > 0 ? '}]' : '[]')
}

function columnsOf(fields: readonly NumberField[], forecast: Forecast): Float64Array[] {
  return fields.map(({ column }) => forecast.columns[column])
}

function writeUncertainty(page: Page, template: Template, columns: readonly Float64Array[], h: number): void {
  let known = false
  for (let i = 0; i < columns.length; i++) {
    const value = columns[i]![h]!
    template.values[i] = value
    known ||= !Number.isNaN(value)
  }
  if (known) page.put(template)
  else page.text(',"uncertainty":null')
}
