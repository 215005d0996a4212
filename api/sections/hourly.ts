import { nth } from '../../ingest/domain/nth.ts'
import { HOUR, isoSeconds } from '../../ingest/domain/time.ts'
import { precipTypes } from '../../ingest/domain/weather/precip-type.ts'
import type { Forecast } from '../blend/columns.ts'
import { hourlyNumbers, hourlyUncertainty, type NumberField } from '../blend/fields.ts'
import {
  choice,
  flag,
  instant,
  type Member,
  member,
  numberMembers,
  type Template,
  template,
} from '../present/members.ts'
import { MRMS_ATTRIBUTION } from '../present/meta.ts'
import type { Page } from '../present/page.ts'
import { perUnits } from '../present/template.ts'
import type { Units } from '../present/units.ts'
import type { WriterMemory } from '../present/writer-memory.ts'
import { lastHour, listEnds } from './axis-end.ts'
import { readPast, writePast } from './past-rows.ts'
import { SCAN_SECONDS, type Section, type SectionContext, type SectionResult, withoutForecast } from './section.ts'
import { hazardsOf } from './severe.ts'
import { ceilingUnlimitedMembers, hourWords, isThunderPossible, wordsCode, wordsMembers } from './words.ts'

const conciseNumbers = hourlyNumbers.filter(({ concise }) => concise)
/** Members that are always null: AirNow forecasts days, not hours. */
const unavailableFields = ['aqi']

export const hourly: Section = {
  name: 'hourly',
  async build(context: SectionContext): Promise<SectionResult> {
    const [{ forecast, warnings, blended }, past] = await Promise.all([context.weatherNow(), context.once(readPast)])
    const pastParts = {
      freshness: [...(past?.freshness ?? []), ...blended],
      sources: [...(past?.sources ?? []), ...(blended.length > 0 ? [MRMS_ATTRIBUTION] : [])],
    }
    if (!forecast) {
      return {
        ...pastParts,
        ...(past && { write: (page) => writeRows(page, () => writePast(page, context, past.table)) }),
        maxAgeSeconds: 60,
        degraded: context.takesModels,
        warnings: [withoutForecast(context, 'hourly'), ...(past?.warnings ?? [])],
      }
    }
    const { severe } = await hazardsOf(context)
    const last = lastHour(forecast)
    const rows = Math.max(
      0,
      Math.min(context.query.hourlyHours, Math.round((last - forecast.start) / HOUR) - forecast.first + 1),
    )
    return {
      ...pastParts,
      ...(past?.degraded && { degraded: true }),
      write: (page) =>
        writeRows(page, () => {
          if (past) writePast(page, context, past.table)
          writeHourly(page, context, forecast, severe, rows)
        }),
      warnings: [
        ...(past?.warnings ?? []),
        // All instants have the same text format, so their texts can be compared like instants.
        ...forecast.warnings.filter(
          ({ from }) => !from || from < isoSeconds(forecast.start + (forecast.first + rows) * HOUR),
        ),
        ...warnings.hourly,
        ...(rows < context.query.hourlyHours ? [listEnds('hourly', last)] : []),
        ...(context.query.view === 'detailed'
          ? [
              {
                code: 'not_held' as const,
                section: 'hourly',
                detail: 'No hourly air quality forecast is available.',
                fields: unavailableFields,
              },
            ]
          : []),
      ],
      maxAgeSeconds: blended.length > 0 ? SCAN_SECONDS : 600,
      expiresAt: (Math.floor(context.now / HOUR) + 1) * HOUR,
    }
  },
}

const precipitationMembers: readonly Member[] = [
  { name: 'aqi', is: null },
  member('precip_type', choice(precipTypes)),
  member('thunder_possible', flag),
  ceilingUnlimitedMembers,
]

const templatesOf = perUnits((memory, units) => ({
  detailed: rowTemplate(memory, [...numberMembers(hourlyNumbers), ...precipitationMembers], units),
  concise: rowTemplate(memory, numberMembers(conciseNumbers), units),
  uncertainty: template(memory, [{ name: 'uncertainty', members: numberMembers(hourlyUncertainty) }], units),
}))

function rowTemplate(memory: WriterMemory, middle: readonly Member[], units: Units): Template {
  return template(memory, [member('time', instant), ...middle, wordsMembers, member('severe', flag)], units, {})
}

function writeRows(page: Page, write: () => void): void {
  page.openList('hourly')
  write()
  page.closeList()
}

function writeHourly(page: Page, context: SectionContext, forecast: Forecast, severe: Uint8Array, rows: number): void {
  const { query, units } = context
  const concise = query.view === 'concise'
  const hasUncertainty = query.include.has('uncertainty')
  const templates = templatesOf(page.memory, units)
  const template = concise ? templates.concise : templates.detailed
  const { values } = template
  const columns = columnsOf(concise ? conciseNumbers : hourlyNumbers, forecast)
  const spread = hasUncertainty ? columnsOf(hourlyUncertainty, forecast) : []
  const { hourlyStep, hourlyStepFrom } = query
  for (let row = 0; row < rows; row++) {
    if (row >= hourlyStepFrom && (row - hourlyStepFrom) % hourlyStep !== 0) continue
    const h = forecast.first + row
    let i = 0
    values[i++] = forecast.start + h * HOUR
    // A loop over indexes is used, because for…of over the columns takes a fifth more time.
    for (let k = 0; k < columns.length; k++) values[i++] = nth(columns, k)[h]!
    if (!concise) {
      values[i++] = nth(forecast.precipType, h)
      values[i++] = isThunderPossible(forecast, h) ? 1 : 0
      values[i++] = nth(forecast.ceilingUnlimited, h)
    }
    values[i++] = wordsCode(hourWords(forecast, h))
    values[i] = severe[h]!
    page.put(template)
    if (hasUncertainty) writeUncertainty(page, templates.uncertainty, spread, h)
    page.closeObject()
  }
}

function columnsOf(fields: readonly NumberField[], forecast: Forecast): Float64Array[] {
  return fields.map(({ name }) => forecast.columns[name])
}

function writeUncertainty(page: Page, template: Template, columns: readonly Float64Array[], h: number): void {
  let isKnown = false
  for (let i = 0; i < columns.length; i++) {
    const value = nth(columns, i)[h]!
    template.values[i] = value
    isKnown ||= !Number.isNaN(value)
  }
  if (isKnown) page.put(template)
  else page.value('uncertainty', null)
}
