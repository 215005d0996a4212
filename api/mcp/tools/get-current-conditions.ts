import { z } from 'zod'
import { MINUTE } from '../../../ingest/domain/time.ts'
import { labelsOf, valuesAt } from '../../answer/values.ts'
import type { MetaWarning } from '../../contract.ts'
import { findSpot } from '../../dataset/spot.ts'
import { type ShownObservation, shownObservation } from '../../present/observation.ts'
import { units } from '../../present/units.ts'
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

/** Older ones are not the weather of now: `current` of /v1/weather takes the forecast then. */
const ANALYSIS_MAX_AGE_MS = 90 * MINUTE

export const getCurrentConditions = tool({
  name: 'get_current_conditions',
  earlier: true,
  title: 'Get current conditions',
  description:
    'What the weather is now at the exact point by the RTMA analysis (every 15 minutes, Alaska and Hawaii hourly) and radar, beside the nearest METAR station that reports (raw report, flight category): temperature, dew point, wind, gust, visibility, cloud, ceiling, pressure, what falls. For the days ahead use get_forecast, hours get_hourly_forecast. Imperial units. US states and DC.',
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
    const { lat, lon } = spot.location
    const { values } = context.deps
    const inForce = await alertsInForce(context, spot)
    const ids = ['rtma-ru', 'rtma'].filter((id) => values.current.served(id, spot.resolved.domain))
    const newest = ids
      .map((id) => ({ id, run: values.current.served(id, spot.resolved.domain)!.run }))
      .sort((a, b) => b.run - a.run)[0]
    const ask = newest && { datasetId: newest.id, variables, units: units.imperial, now: newest.run }
    const found = ask && (await valuesAt(values, lat, lon, ask, 1).catch(() => undefined))
    const observed = await values.suppliers.observations!(pointAt(context, spot))
    const station = observed.nearest && shownObservation(observed.nearest, context.now, units.imperial)
    const reported = station !== undefined && reportsPrecipitation(station)
    const falling = await fallingAt(context, spot, reported)
    const warnings: MetaWarning[] = [
      ...observed.warnings.map((one) => ({ ...one, section: 'nearest_station' })),
      ...falling.warnings,
      ...inForce.warnings,
    ]
    const freshness = [...falling.freshness, ...observed.freshness, ...inForce.freshness]
    const sources = [...falling.sources, ...inForce.sources]
    const precipitation = falling.value
    const analysed = found !== undefined && found.times.length > 0
    if (!analysed && !station)
      throw new ToolError(
        'no-data',
        `No RTMA analysis is available for ${spot.location.name}, and no station near by has reported.`,
        'get_forecast gives the forecast for this hour.',
      )
    const lines: string[] = [falling.line]
    if (station) lines.push(`Nearest station ${observationLine(station, spot.timezone, 'imperial')}`, station.raw)
    const nearest_station = station ? toolObservation(station) : null
    if (!analysed) {
      warnings.push({
        code: 'source_missing',
        section: 'analysis',
        product_id: 'rtma',
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
    const names = variables.filter((name) => found.data[name]?.[0] !== null && found.data[name]?.[0] !== undefined)
    const labels = labelsOf(names, 'imperial')
    const analysis = {
      dataset_id: newest.id,
      valid_times: [`${new Date(found.times[0]).toISOString().slice(0, 19)}Z`],
      data: Object.fromEntries(names.map((name) => [name, [found.data[name][0]]])),
      units: labels,
    }
    lines.unshift(
      `${spot.location.name} at ${localTime(found.times[0], spot.timezone)} (${age((context.now - found.times[0]) / 1000)} ago) by the ${newest.id} analysis:`,
      names.map((name) => `${name.replaceAll('_', ' ')} ${shown(found.data[name][0], labels[name])}`).join(', '),
    )
    if (context.now - found.times[0] > ANALYSIS_MAX_AGE_MS)
      warnings.push({
        code: 'stale_source',
        section: 'analysis',
        product_id: newest.id,
        detail: `the newest analysis is ${age((context.now - found.times[0]) / 1000)} old: get_forecast gives the forecast for now`,
      })
    const meta = plainMeta(context, [newest.id, ...(station ? ['metar'] : []), ...sources], {
      spots: [spot],
      warnings,
      freshness: [{ source: 'rtma', product_id: newest.id, referenceTime: found.run ?? newest.run }, ...freshness],
    })
    lines.push(...inForce.lines)
    return reply({ structured: { location: spot.location, analysis, nearest_station, precipitation }, lines, meta })
  },
})

/** A report so near and new that it speaks of the place and moment of the newest radar scan. */
const SAME_PLACE_KM = 15
const SAME_MOMENT_MIN = 20
/** Groups of precipitation, not those of the vicinity or of blowing snow. */
const PRECIPITATION = /^[-+]?(?:TS|SH|FZ)?(?:DZ|RA|SN|SG|PL|GR|GS|UP)/

function reportsPrecipitation({ distance_km = 0, age_min, weather }: ShownObservation): boolean {
  return (
    distance_km <= SAME_PLACE_KM && age_min <= SAME_MOMENT_MIN && weather.some((group) => PRECIPITATION.test(group))
  )
}
