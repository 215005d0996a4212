import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { dateText, floorTo, HOUR, type Instant } from '../../ingest/domain/time.ts'
import { NONE } from '../../ingest/domain/weather/precip-type.ts'
import type { Threat } from '../../ingest/domain/weather/threat.ts'
import type { Forecast } from '../blend/columns.ts'
import type { ClimateAtPoint, MetaWarning } from '../contract.ts'
import type { Page } from '../present/page.ts'
import type { WeatherQuery } from '../query/query.ts'
import { writeAstro } from './astro.ts'
import { lastHour, listEnds } from './axis-end.ts'
import { dailyClimate, dailyNormals } from './climate.ts'
import { emptyFold } from './day-fold.ts'
import { type DayPast, missingOf, pastOf } from './day-past.ts'
import { type DayRow, isCutOff, rowOf, type ShownHalf } from './day-row.ts'
import { dayTemplates } from './day-templates.ts'
import { rowThreats } from './day-threats.ts'
import { writeUncertainty } from './day-uncertainty.ts'
import { highest, lowest, stretch } from './day-walk.ts'
import { type Narrated, narrate } from './narrative.ts'
import { type Section, type SectionContext, type SectionResult, withoutForecast } from './section.ts'
import { type Hazards, hazardsOf } from './severe.ts'
import { timingOf } from './timing.ts'
import { skyWords } from './words.ts'

export const daily: Section = {
  name: 'daily',
  async build(context: SectionContext): Promise<SectionResult> {
    const { forecast, radar } = await context.weatherNow()
    if (!forecast) {
      return {
        maxAgeSeconds: 60,
        degraded: context.takesModels,
        warnings: [withoutForecast(context, 'daily')],
      }
    }
    const hazards = await hazardsOf(context)
    // Undefined where the installation takes no air quality: then it is not missing.
    const air = await context.source('airQuality').catch(() => null)
    const aqiOf = (window: DayWindow) => air?.forecast(dateText(window.day)) ?? Number.NaN
    const aqiKnown = context.windows.some((window) => !Number.isNaN(aqiOf(window)))
    const normals = await dailyNormals(context)
    const past = pastOf(forecast, context.windows, context.now, radar?.precip24h ?? Number.NaN)
    const warnings: MetaWarning[] = past ? partialDay(forecast, past, context.query.view) : []
    if (context.query.view === 'detailed' && air !== undefined) warnings.push(aqiKnown ? DAYS_ONLY : NO_AIR_QUALITY)
    const last = lastHour(forecast)
    const windows = context.windows.filter(
      ({ start, nightfall }) => start <= context.now || !isCutOff(last + HOUR, start, nightfall),
    )
    // Also where they end within the last row.
    if (windows.length < context.windows.length || context.windows.at(-1)!.end > last + HOUR) {
      warnings.push(listEnds('daily', last))
    }
    return {
      write: (page) => writeDaily(page, context, { forecast, hazards, past, windows, aqiOf, normals }),
      sources: aqiKnown ? ['airnow'] : [],
      warnings,
      maxAgeSeconds: 600,
      expiresAt: (Math.floor(context.now / HOUR) + 1) * HOUR,
    }
  },
}

const NO_AIR_QUALITY: MetaWarning = {
  code: 'not_held',
  section: 'daily',
  detail: 'no air quality forecast is stored for the place',
  fields: ['aqi_max', 'aqi'],
}

const DAYS_ONLY: MetaWarning = {
  code: 'not_held',
  section: 'daily',
  detail: 'AirNow forecasts whole days, not day and night',
  fields: ['aqi'],
}

const PARTIAL_DAY =
  'hours of today have passed without stored values: what needs the whole day is not given, the rest covers the hours to come'

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

function writeHalf(page: Page, context: SectionContext, forecast: Forecast, row: DayRow, shown: ShownHalf): void {
  const templates = dayTemplates(page.memory, context.units)
  page.put(templates[shown.name].from(shown))
  page.sentence('narrative', narrate(narratedOf(context, forecast, row, shown), context.units))
  page.put(templates.end.from(shown))
  page.closeObject()
}

/** K: an extreme that differs by less from that of the whole half is taken as the same. */
const MIN_PASSED_K = 2.5

/** K, the extreme of the running half's hours to come that lies farthest from the one that has passed; NaN where they are near it. */
function remainingExtreme(forecast: Forecast, { name, temperature }: ShownHalf, from: Instant, to: Instant): number {
  const { first, last } = stretch(forecast, from, to)
  const { temperature: hours } = forecast.columns
  const [warmest, coldest] = [highest(hours, first, last), lowest(hours, first, last)]
  const passed = name === 'day' ? temperature - warmest : coldest - temperature
  return passed >= MIN_PASSED_K ? (name === 'day' ? coldest : warmest) : Number.NaN
}

/** Reused for each half: read before the next is made. */
const narrated: { -readonly [K in keyof Narrated]: Narrated[K] } = {
  name: 'day',
  half: emptyFold(),
  words: undefined,
  temperature: Number.NaN,
  remaining: Number.NaN,
  sky: undefined,
  timing: undefined,
}

function narratedOf(context: SectionContext, forecast: Forecast, row: DayRow, shown: ShownHalf): Narrated {
  const { zone, now } = context
  const { window } = row
  const { name, half, words } = shown
  const from = name === 'day' ? window.start : window.nightfall
  const to = name === 'day' ? window.nightfall : window.end
  const wet = words !== undefined && half.precipType !== NONE
  narrated.name = name
  narrated.half = half
  narrated.words = words
  narrated.temperature = shown.temperature
  narrated.remaining = shown.passed
    ? remainingExtreme(forecast, shown, Math.max(from, floorTo(now, HOUR)), to)
    : Number.NaN
  narrated.sky = wet ? skyWords(half, name === 'day') : undefined
  narrated.timing = wet
    ? timingOf(forecast, row.active ? Math.max(from, floorTo(now, HOUR)) : from, to, zone)
    : undefined
  return narrated
}
