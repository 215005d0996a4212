import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { dateText, floorTo, HOUR, type Instant } from '../../ingest/domain/time.ts'
import { NONE, RAIN, WINTRY_MIX } from '../../ingest/domain/weather/precip-type.ts'
import type { Threat } from '../../ingest/domain/weather/threat.ts'
import type { Forecast } from '../blend/columns.ts'
import type { ClimateAtPoint, MetaWarning } from '../contract.ts'
import { MRMS_ATTRIBUTION } from '../present/meta.ts'
import type { Page } from '../present/page.ts'
import type { WeatherQuery } from '../query/query.ts'
import { writeAstro } from './astro.ts'
import { lastHour, listEnds } from './axis-end.ts'
import { dailyClimate, dailyNormals } from './climate.ts'
import { type DayPast, missingOf, pastOf } from './day-past.ts'
import { type DayRow, isCutOff, rowOf, type ShownHalf } from './day-row.ts'
import { dayTemplates } from './day-templates.ts'
import { rowThreats } from './day-threats.ts'
import { writeUncertainty } from './day-uncertainty.ts'
import { emptySummary } from './half-summary.ts'
import { highest, hourRangeOf, lowest } from './hour-range.ts'
import { MIN_SNOW_MM, type NarrativeInput, narrate } from './narrative.ts'
import { SCAN_SECONDS, type Section, type SectionContext, type SectionResult, withoutForecast } from './section.ts'
import { type Hazards, hazardsOf } from './severe.ts'
import { timingOf } from './timing.ts'
import { halfWords, skyWords } from './words.ts'

export const daily: Section = {
  name: 'daily',
  async build(context: SectionContext): Promise<SectionResult> {
    const { forecast, radar, blended } = await context.weatherNow()
    if (!forecast) {
      return {
        maxAgeSeconds: 60,
        degraded: context.takesModels,
        warnings: [withoutForecast(context, 'daily')],
      }
    }
    const hazards = await hazardsOf(context)
    // `air` is undefined if the installation does not ingest air quality; it is then not reported as missing.
    const air = await context.source('airQuality').catch(() => null)
    const aqiOf = (window: DayWindow) => air?.forecast(dateText(window.day)) ?? Number.NaN
    const isAqiKnown = context.windows.some((window) => !Number.isNaN(aqiOf(window)))
    const normals = await dailyNormals(context)
    const past = pastOf(forecast, context.windows, context.now, radar?.precip24h ?? Number.NaN)
    const warnings: MetaWarning[] = past ? partialDay(forecast, past, context.query.view) : []
    if (context.query.view === 'detailed' && air !== undefined) warnings.push(isAqiKnown ? DAYS_ONLY : NO_AIR_QUALITY)
    const last = lastHour(forecast)
    const windows = context.windows.filter(
      ({ start, nightfall }) => start <= context.now || !isCutOff(last + HOUR, start, nightfall),
    )
    // The list also ends early if forecasts end within the last row.
    if (windows.length < context.windows.length || (context.windows.at(-1)?.end ?? 0) > last + HOUR) {
      warnings.push(listEnds('daily', last))
    }
    return {
      write: (page) => writeDaily(page, context, { forecast, hazards, past, windows, aqiOf, normals }),
      freshness: blended,
      sources: [...(isAqiKnown ? ['airnow'] : []), ...(blended.length > 0 ? [MRMS_ATTRIBUTION] : [])],
      warnings,
      maxAgeSeconds: blended.length > 0 ? SCAN_SECONDS : 600,
      expiresAt: (Math.floor(context.now / HOUR) + 1) * HOUR,
    }
  },
}

const NO_AIR_QUALITY: MetaWarning = {
  code: 'not_held',
  section: 'daily',
  detail: 'No air quality forecast is stored for this place.',
  fields: ['aqi_max', 'aqi'],
}

const DAYS_ONLY: MetaWarning = {
  code: 'not_held',
  section: 'daily',
  detail: 'AirNow forecasts whole days, not day and night separately.',
  fields: ['aqi'],
}

const PARTIAL_DAY =
  'Values of hours of today that have passed are not known. Members for the whole day are left out; the others are for the remaining hours.'

const conciseTotals: readonly string[] = ['high', 'low', 'precip_total', 'snow_total', 'wind_gust_max']

function partialDay(forecast: Forecast, past: DayPast, view: WeatherQuery['view']): MetaWarning[] {
  const missing = missingOf(forecast, past).filter((name) => view === 'detailed' || conciseTotals.includes(name))
  return missing.length > 0 ? [{ code: 'partial_day', section: 'daily', detail: PARTIAL_DAY, fields: missing }] : []
}

interface Days {
  readonly forecast: Forecast
  readonly hazards: Hazards
  readonly past: DayPast | undefined
  readonly windows: readonly DayWindow[]
  readonly aqiOf: (window: DayWindow) => number
  readonly normals: ClimateAtPoint['nearest']
}

function writeDaily(
  page: Page,
  context: SectionContext,
  { forecast, hazards, past, windows, aqiOf, normals }: Days,
): void {
  const { query, units } = context
  page.openList('daily')
  for (const window of windows) {
    const row = rowOf(context, forecast, hazards.severe, window, past)
    row.aqiMax = aqiOf(window)
    if (query.view === 'concise') page.put(dayTemplates(page.memory, units).concise.from(row))
    else writeDetailed(page, context, forecast, row, rowThreats(forecast, row, hazards))
    if (query.include.has('uncertainty')) writeUncertainty(page, forecast, row, units)
    if (query.include.has('climate')) page.value('climate', dailyClimate(normals, window.day, row.high, row.low, units))
    page.closeObject()
  }
  page.closeList()
}

function writeDetailed(
  page: Page,
  context: SectionContext,
  forecast: Forecast,
  row: DayRow,
  threats: readonly Threat[],
): void {
  page.put(dayTemplates(page.memory, context.units).detailed.from(row))
  writeAstro(page, context, row.window.day)
  writeHalf(page, context, forecast, row, row.shownDay)
  writeHalf(page, context, forecast, row, row.shownNight)
  if (threats.length > 0) page.value('threats', threats)
  else page.put(dayTemplates(page.memory, context.units).noThreats)
}

function writeHalf(page: Page, context: SectionContext, forecast: Forecast, row: DayRow, half: ShownHalf): void {
  const templates = dayTemplates(page.memory, context.units)
  page.put(templates[half.name].from(half))
  page.sentence('narrative', narrate(narrativeInputOf(context, forecast, row, half), context.units))
  page.put(templates.end.from(half))
  page.closeObject()
}

/** Smallest difference (K) from an extreme that has passed at which the extreme of the remaining hours is mentioned. */
const MIN_PASSED_K = 2.5

/**
 * Returns the extreme (K) of the remaining hours of the running half that is farthest from the extreme that has passed;
 * NaN if the difference is small.
 */
function remainingExtreme(forecast: Forecast, { name, temperature }: ShownHalf, from: Instant, to: Instant): number {
  const { first, last } = hourRangeOf(forecast, from, to)
  const { temperature: hours } = forecast.columns
  const [warmest, coldest] = [highest(hours, first, last), lowest(hours, first, last)]
  const passed = name === 'day' ? temperature - warmest : coldest - temperature
  return passed >= MIN_PASSED_K ? (name === 'day' ? coldest : warmest) : Number.NaN
}

/** Reused for each half; it is read before the next half is written. */
const narrativeInput: { -readonly [K in keyof NarrativeInput]: NarrativeInput[K] } = {
  name: 'day',
  half: emptySummary(),
  words: undefined,
  firstWords: undefined,
  temperature: Number.NaN,
  remaining: Number.NaN,
  sky: undefined,
  timing: undefined,
}

function narrativeInputOf(context: SectionContext, forecast: Forecast, row: DayRow, half: ShownHalf): NarrativeInput {
  const { zone, now } = context
  const { window } = row
  const { name, half: summary, words } = half
  const from = name === 'day' ? window.start : window.nightfall
  const to = name === 'day' ? window.nightfall : window.end
  const wet = words !== undefined && summary.precipType !== NONE
  narrativeInput.name = name
  narrativeInput.half = summary
  narrativeInput.words = words
  narrativeInput.temperature = half.temperature
  narrativeInput.remaining = half.passed
    ? remainingExtreme(forecast, half, Math.max(from, floorTo(now, HOUR)), to)
    : Number.NaN
  narrativeInput.sky = wet ? skyWords(summary, name === 'day') : undefined
  const { precipType: type, snowTotal } = summary
  const namesSnow = type === WINTRY_MIX || (type === RAIN && snowTotal >= MIN_SNOW_MM)
  const timing = wet
    ? timingOf(forecast, row.active ? Math.max(from, floorTo(now, HOUR)) : from, to, zone, type, namesSnow)
    : undefined
  narrativeInput.timing = timing
  narrativeInput.firstWords = timing?.change
    ? halfWords({ ...summary, precipType: timing.change.first }, name === 'day')
    : undefined
  return narrativeInput
}
