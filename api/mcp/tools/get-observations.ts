import { z } from 'zod'
import { HOUR } from '../../../ingest/domain/time.ts'
import { timezoneAt } from '../../../ingest/geo/coverage.ts'
import { reportsOf } from '../../../sql/queries/observations.ts'
import type { MetaWarning, ObservingStation, StationReport } from '../../contract.ts'
import { findSpot, ONE_PLACE } from '../../dataset/spot.ts'
import { type ShownObservation, shownObservation } from '../../present/observation.ts'
import { round, units } from '../../present/units.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { windWords } from '../words/forecast-words.ts'
import { quoted } from '../words/quote.ts'
import { localTime, phrase, plainMeta, reply, valueWords } from '../words/reply.ts'

/** Largest number of reports of all stations together: 72 hours of 20 stations are more than an assistant can read. */
const MAX_ROWS = 400
const SEARCH_RADIUS_KM = 20_000

/** A station's report in `nearest_station` and `observations`. */
export const observation = z.looseObject({
  station_id: z.string(),
  name: z.string(),
  distance_km: z.number().optional(),
  observed_at: z.string(),
  age_min: z.number(),
  raw: z.string(),
  flight_category: z.string().nullable(),
  temperature: z.number().nullable(),
  dew_point: z.number().nullable(),
  wind_speed: z.number().nullable(),
  wind_gust: z.number().nullable(),
  wind_direction: z.number().nullable(),
  visibility: z.number().nullable(),
  pressure: z.number().nullable(),
  ceiling_ft: z.number().nullable(),
  layers: z.array(
    z.object({ cover: z.string(), base_ft: z.number().int().optional(), convective: z.string().optional() }),
  ),
  weather: z.array(z.string()),
})

/** Returns a report in the form that tools give, with null for absent members. */
export function toolObservation(report: ShownObservation): z.infer<typeof observation> {
  return {
    ...report,
    ceiling_ft: report.ceiling_ft ?? null,
    layers: [...(report.layers ?? [])],
    weather: [...report.weather],
  }
}

/** Returns `KDEN Denver Intl, 7.3 km: 3:53 PM MST, 61 °F, wind 12 mph, VFR` */
export function observationLine(report: ShownObservation, timezone: string, system: keyof typeof units): string {
  const { labels } = units[system]
  return `${report.station_id} ${report.name}${report.distance_km === undefined ? '' : `, ${report.distance_km} km away`}: ${phrase(
    `${localTime(report.observed_at, timezone)} (${report.age_min} min ago)`,
    valueWords('', report.temperature, labels.temperature),
    valueWords('dew point', report.dew_point, labels.temperature),
    windWords(report, { wind_speed: labels.wind_speed }),
    valueWords('gust', report.wind_gust, labels.wind_speed),
    valueWords('visibility', report.visibility, labels.visibility),
    valueWords('altimeter', report.pressure, labels.pressure),
    report.weather.join(' '),
    report.flight_category ?? '',
  )}`
}

export const getObservations = tool({
  name: 'get_observations',
  title: 'Get station observations',
  description:
    'What instruments measured: METARs of the stations nearest to a US place, or of one station (KDEN), now and over past hours: raw report, wind, visibility, flight category: "what did the airport report". The exact point: get_current_conditions; past days: get_past_weather.',
  input: z.strictObject({
    ...shape.place,
    station: z.string().min(3).max(5).optional().describe('Station by ICAO, FAA or IATA code, instead of a place.'),
    radius_km: z.number().min(1).max(200).default(50).describe('Only stations within so many km of the place.'),
    hours: z.number().int().min(1).max(72).default(1).describe('Hours back from now.'),
    limit: z.number().int().min(1).max(20).default(5).describe('Stations at most.'),
    ...shape.units,
  }),
  output: z.object({
    location: shape.location.optional(),
    units: z.string(),
    observations: z.array(observation),
    station_count: z.number().int(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const { observations } = context.deps.live
    const { now } = context
    const isPlaced = input.location !== undefined || input.lat !== undefined || input.lon !== undefined
    if (isPlaced === (input.station !== undefined))
      throw new ToolError(
        'bad-request',
        `Either a place or a station is required, but the call has ${isPlaced ? 'both' : 'neither'}. ${ONE_PLACE}`,
        'call again with location "Denver, CO", or with station "KDEN".',
        { field: 'station', got: input.station ?? null },
      )
    const warnings: MetaWarning[] = [...observations.warnings('observations', now)]
    const warn = (code: MetaWarning['code'], detail: string) =>
      warnings.push({ code, section: 'observations', product_id: 'metar', detail })
    const spot = isPlaced ? findSpot(input) : undefined
    const since = input.hours * HOUR
    let stations: NearStation[]
    if (spot) {
      const { lat, lon } = spot.resolved
      stations = observations.near(lat, lon, input.radius_km, input.limit, now, since)
      if (stations.length === 0) {
        const [nearest] = observations.near(lat, lon, SEARCH_RADIUS_KM, 1, now, since)
        const where = nearest
          ? `; the nearest is ${nearest.station.id} (${nearest.station.name}), ${round(nearest.km ?? 0, 1)} km away`
          : ''
        warn(
          'no_coverage',
          `no station within ${input.radius_km} km reported in the past ${hoursText(input.hours)}${where}`,
        )
      }
    } else {
      const station = observations.station(input.station ?? '')
      if (!station)
        throw new ToolError(
          'not-found',
          `No station is called "${input.station}".`,
          'give a place instead; the call then uses the nearest stations.',
          {
            field: 'station',
            got: input.station,
          },
        )
      stations = [{ station }]
    }
    const rows = await reportsIn(context, stations, since)
    const [first] = stations
    if (!spot && first && rows.length === 0)
      warn('no_data', `${first.station.id} has no report of the past ${hoursText(input.hours)}`)
    if (rows.length === MAX_ROWS)
      warn('truncated', `only the first ${MAX_ROWS} reports are given: ask for fewer hours or stations`)
    const shown = rows.map((row) => shownObservation(row, now, units[input.units]))
    const reporting = new Set(shown.map(({ station_id }) => station_id))
    const newest = rows.reduce<number | undefined>(
      (best, { report }) => Math.max(best ?? 0, report.observedAt),
      undefined,
    )
    const zone = spot?.timezone ?? (first && timezoneAt(first.station.lat, first.station.lon)) ?? 'UTC'
    return reply({
      structured: {
        ...(spot ? { location: spot.location } : {}),
        units: input.units,
        observations: shown.map(toolObservation),
        station_count: reporting.size,
      },
      lines: [
        spot ? `Stations near ${spot.location.name}:` : `Reports of ${first?.station.id}:`,
        ...(shown.length === 0
          ? ['No report.']
          : shown.slice(0, MAX_LINES).flatMap((report, i) => [
              observationLine(report, zone, input.units),
              // The raw report of the newest two; later lines are for their hours.
              ...(i < MAX_RAW ? quoted('METAR', report.raw, 200).slice(1) : []),
            ])),
        ...(shown.length > MAX_LINES ? [hoursLine(shown.slice(MAX_LINES), zone, input.units)] : []),
      ],
      meta: plainMeta(context, ['metar'], {
        spots: [spot],
        warnings,
        freshness: newest === undefined ? [] : [{ source: 'metar', product_id: 'metar', referenceTime: newest }],
      }),
    })
  },
})

const hoursText = (hours: number) => (hours === 1 ? 'hour' : `${hours} hours`)

/** Reports with all their values in the text, and reports that are quoted. */
const MAX_LINES = 6
const MAX_RAW = 2

/** Returns older reports in short: time, temperature and wind of each. */
function hoursLine(reports: readonly ShownObservation[], timezone: string, system: keyof typeof units): string {
  const { labels } = units[system]
  const words = reports.map((report) =>
    phrase(
      `${report.station_id} ${localTime(report.observed_at, timezone)}`,
      valueWords('', report.temperature, labels.temperature),
      valueWords('wind', report.wind_speed, labels.wind_speed),
      valueWords('gust', report.wind_gust, labels.wind_speed),
    ),
  )
  const fitting = words.filter((_, i) => words.slice(0, i + 1).join('; ').length <= MAX_SHORT)
  const more = words.length - fitting.length
  return `Earlier: ${fitting.join('; ')}${more > 0 ? `; ${more} more in the data` : ''}.`
}
/** Longest list of older reports, characters; a line of a text that must be shortened has 400. */
const MAX_SHORT = 340

interface NearStation {
  readonly station: ObservingStation
  /** Distance from the place; absent for a station that was requested by name. */
  readonly km?: number
}

/** Returns the reports of the stations in the past hours, in the order of the stations, newest first. */
async function reportsIn(
  { deps, now }: ToolContext,
  stations: readonly NearStation[],
  sinceMs: number,
): Promise<StationReport[]> {
  if (stations.length === 0) return []
  const known = new Map(stations.map((near) => [near.station.id, near]))
  const { rows } = await reportsOf(deps.database, {
    stations: [...known.keys()],
    from: new Date(now - sinceMs),
    to: new Date(now + HOUR),
    limit: MAX_ROWS,
  })
  return rows.flatMap((report) => {
    const near = known.get(report.station)
    if (!near) return []
    const { station, km } = near
    return { station: { ...station, lat: report.lat, lon: report.lon }, report, ...(km === undefined ? {} : { km }) }
  })
}
