import { precipTypes } from '../../ingest/domain/precip-type.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import { type Blank, choice, type Form, flag, form, instant, perUnits } from '../present/form.ts'
import { memberPieces, objectPieces } from '../present/members.ts'
import type { Page } from '../present/page.ts'
import type { Units } from '../present/units.ts'
import { hourlyNumbers, hourlyUncertainty, type NumberField } from './fields.ts'
import { type Section, type SectionContext, type SectionResult, withoutForecast } from './section.ts'
import { hazardsOf, severeHours } from './severe.ts'
import { hourWords, thunderPossible, wordsBlank, wordsCode } from './words.ts'

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
    const hazards = await hazardsOf(context)
    return {
      write: (page) => writeHourly(page, context, forecast, severeHours(forecast, hazards)),
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

/** Of the first row, and of others: the row before is closed with it. */
const opening = choice(['[{"time":', '},{"time":'])
const falling = [
  ',"aqi":null,"precip_type":',
  choice(precipTypes.map((word) => `"${word}"`)),
  ',"thunder_possible":',
  flag,
]

const formsOf = perUnits((units) => ({
  detailed: rowForm([...memberPieces(hourlyNumbers), ...falling], units),
  concise: rowForm(memberPieces(conciseNumbers), units),
  uncertainty: form([',"uncertainty":', ...objectPieces(hourlyUncertainty)], units),
}))

function rowForm(middle: readonly (string | Blank)[], units: Units): Form {
  return form([opening, instant, ...middle, wordsBlank, ',"severe":', flag], units)
}

function writeHourly(page: Page, context: SectionContext, forecast: Forecast, severe: Uint8Array): void {
  const { query, units } = context
  const concise = query.view === 'concise'
  const uncertain = query.include.has('uncertainty')
  const forms = formsOf(units)
  const form = concise ? forms.concise : forms.detailed
  const { values } = form
  const columns = columnsOf(concise ? conciseNumbers : hourlyNumbers, forecast)
  const spread = columnsOf(hourlyUncertainty, forecast)
  const { hourlyHours, hourlyStep, hourlyStepFrom } = query
  for (let row = 0; row < hourlyHours; row++) {
    if (row >= hourlyStepFrom && (row - hourlyStepFrom) % hourlyStep !== 0) continue
    const h = forecast.now + row
    let i = 0
    values[i++] = row > 0 ? 1 : 0
    values[i++] = forecast.start + h * HOUR
    // By number: going through the list itself costs a fifth of all this.
    for (let k = 0; k < columns.length; k++) values[i++] = columns[k]![h]!
    if (!concise) {
      values[i++] = forecast.precipType[h]!
      values[i++] = thunderPossible(forecast, h) ? 1 : 0
    }
    values[i++] = wordsCode(hourWords(forecast, h))
    values[i] = severe[h]!
    page.put(form)
    if (uncertain) writeUncertainty(page, forms.uncertainty, spread, h)
  }
  page.text('}]')
}

function columnsOf(fields: readonly NumberField[], forecast: Forecast): Float64Array[] {
  return fields.map(({ column }) => forecast.columns[column])
}

function writeUncertainty(page: Page, form: Form, columns: readonly Float64Array[], h: number): void {
  let known = false
  for (let i = 0; i < columns.length; i++) {
    const value = columns[i]![h]!
    form.values[i] = value
    known ||= !Number.isNaN(value)
  }
  if (known) page.put(form)
  else page.text(',"uncertainty":null')
}
