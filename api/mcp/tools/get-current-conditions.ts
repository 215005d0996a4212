import { z } from 'zod'
import { isoSeconds, MINUTE } from '../../../ingest/domain/time.ts'
import { labelsOf, valuesAt } from '../../answer/values.ts'
import { analyses } from '../../blend/field-table.ts'
import type { MetaWarning } from '../../contract.ts'
import { findSpot, type Spot } from '../../dataset/spot.ts'
import { type ShownObservation, shownObservation } from '../../present/observation.ts'
import { units } from '../../present/units.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { pointAt } from '../protocol/point.ts'
import { tool } from '../protocol/tool.ts'
import { alertsInForce } from '../query/alerts-in-force.ts'
import { fallingAt, fallingNow } from '../query/falling-now.ts'
import { age, localTime, plainMeta, reply, shown } from '../words/reply.ts'
import { observation, observationLine, toolObservation } from './get-observations.ts'

const variables = [
  'temperature',
  'dew_point',
  'wind_speed',
  'wind_gust',
  'wind_direction',
  'visibility',
  'cloud_cover',
  'cloud_ceiling',
  'surface_pressure',
]

/** The family of the analyses. */
const ANALYSIS = analyses[1]
/** An older analysis does not show the present weather; `current` of /v1/weather then uses the forecast. */
const ANALYSIS_MAX_AGE_MS = 90 * MINUTE

export const getCurrentConditions = tool({
  name: 'get_current_conditions',
  earlier: true,
  title: 'Get current conditions',
  description:
    'What the weather is now at the exact point by the RTMA analysis and radar, beside the nearest METAR station (raw report, flight category): temperature, wind, visibility, clouds, pressure. Days ahead: get_forecast.',
  input: z.strictObject({ ...shape.place }),
  output: z.object({
    location: shape.location,
    analysis: shape.series.nullable(),
    nearest_station: observation.nullable(),
    precipitation: fallingNow,
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const { values } = context.deps
    const inForce = await alertsInForce(context, spot)
    const newest = analyses
      .flatMap((id) => {
        const run = values.current.served(id, spot.resolved.domain)?.run
        return run === undefined ? [] : [{ id, run }]
      })
      .reduce<NewestAnalysis | undefined>((best, served) => (best && best.run >= served.run ? best : served), undefined)
    const analysis = newest && (await analysisAt(context, spot, newest))
    const observed = await values.suppliers.observations?.(pointAt(context, spot))
    const station = observed?.nearest && shownObservation(observed.nearest, context.now, units.imperial)
    const hasReport = station !== undefined && reportsPrecipitation(station)
    const falling = await fallingAt(context, spot, hasReport)
    const warnings: MetaWarning[] = [
      ...(observed?.warnings ?? []).map((warning) => ({ ...warning, section: 'nearest_station' })),
      ...falling.warnings,
      ...inForce.warnings,
    ]
    const freshness = [...falling.freshness, ...(observed?.freshness ?? []), ...inForce.freshness]
    const sources = [...falling.sources, ...inForce.sources]
    const precipitation = falling.value
    if (!analysis && !station) {
      // A warning that is in force is said with the failure, which would otherwise read as if nothing were known.
      const parts = [
        `No RTMA analysis is available for ${spot.location.name}, and no station nearby has reported.`,
        ...inForce.lines,
      ]
      const message = inForce.lines.length > 0 ? `${parts.join('\n')}\n` : parts.join('')
      throw new ToolError('no-data', message, 'get_forecast gives the forecast for this hour.')
    }
    const lines: string[] = [falling.line]
    if (station) lines.push(`Nearest station ${observationLine(station, spot.timezone, 'imperial')}`, station.raw)
    const nearest_station = station ? toolObservation(station) : null
    if (!analysis) {
      warnings.push({
        code: 'source_missing',
        section: 'analysis',
        product_id: ANALYSIS,
        detail: 'no RTMA analysis that covers the place is available',
      })
      const meta = plainMeta(context, ['metar', ...sources], { spots: [spot], warnings, freshness })
      lines.push(...inForce.lines)
      return reply({
        structured: { location: spot.location, analysis: null, nearest_station, precipitation },
        lines,
        meta,
      })
    }
    const { id, time, run, values: measured } = analysis
    const labels = labelsOf(
      measured.map(([name]) => name),
      'imperial',
    )
    const ageWords = age((context.now - time) / 1000)
    lines.unshift(
      `${spot.location.name} at ${localTime(time, spot.timezone)} (${ageWords} ago) by the ${id} analysis:`,
      measured.map(([name, value]) => `${name.replaceAll('_', ' ')} ${shown(value, labels[name])}`).join(', '),
    )
    if (context.now - time > ANALYSIS_MAX_AGE_MS)
      warnings.push({
        code: 'stale_source',
        section: 'analysis',
        product_id: id,
        detail: `the newest analysis is ${ageWords} old: get_forecast gives the forecast for now`,
      })
    const meta = plainMeta(context, [id, ...(station ? ['metar'] : []), ...sources], {
      spots: [spot],
      warnings,
      freshness: [{ source: ANALYSIS, product_id: id, referenceTime: run }, ...freshness],
    })
    lines.push(...inForce.lines)
    const series = {
      dataset_id: id,
      valid_times: [isoSeconds(time)],
      data: Object.fromEntries(measured.map(([name, value]) => [name, [value]])),
      units: labels,
    }
    return reply({
      structured: { location: spot.location, analysis: series, nearest_station, precipitation },
      lines,
      meta,
    })
  },
})

interface NewestAnalysis {
  readonly id: string
  readonly run: number
}

/** Returns the values of the first valid time of an analysis at a place, in imperial units; undefined if it has none or cannot be read. */
async function analysisAt({ deps }: ToolContext, spot: Spot, { id, run }: NewestAnalysis) {
  const { lat, lon } = spot.location
  const request = { datasetId: id, variables, units: units.imperial, now: run }
  const table = await valuesAt(deps.values, lat, lon, request, 1).catch(() => undefined)
  const [time] = table?.times ?? []
  if (!table || time === undefined) return undefined
  const values = variables.flatMap((name): [string, number][] => {
    const value = table.data[name]?.[0]
    return typeof value === 'number' ? [[name, value]] : []
  })
  return { id, time, run: table.run ?? run, values }
}

/** A report from within this distance and age describes the place and moment of the newest radar scan. */
const SAME_PLACE_KM = 15
const SAME_MOMENT_MIN = 20
/** METAR groups for precipitation at the station; groups for the vicinity and for blowing snow do not match. */
const PRECIPITATION = /^[-+]?(?:TS|SH|FZ)?(?:DZ|RA|SN|SG|PL|GR|GS|UP)/

function reportsPrecipitation({ distance_km = 0, age_min, weather }: ShownObservation): boolean {
  return (
    distance_km <= SAME_PLACE_KM && age_min <= SAME_MOMENT_MIN && weather.some((group) => PRECIPITATION.test(group))
  )
}
