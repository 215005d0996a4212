import { z } from 'zod'
import type { NameFit } from '../../../ingest/geo/gazetteer.ts'
import { placeAt } from '../../../ingest/geo/place.ts'
import { nearestRadar, nearestStation } from '../../../ingest/geo/site.ts'
import { zonesAt } from '../../../ingest/geo/zone.ts'
import { findSpot } from '../../dataset/spot.ts'
import { citiesOf } from '../../query/place-fault.ts'
import { searchPlaces } from '../../query/place-search.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { oneLine } from '../words/quote.ts'
import { phrase, plainMeta, reply } from '../words/reply.ts'

const nearestSite = z.object({ id: z.string(), distance_km: z.number() }).nullable()

export const searchLocations = tool({
  name: 'search_locations',
  title: 'Search places',
  description:
    'Find a US place by name, ZIP or airport code, or say what lies at a point: coordinates, time zone, county, NWS office, zone, radar, station. For when it is unclear which place is meant (many Springfields). Weather: get_forecast.',
  input: z.strictObject({
    query: z.string().min(1).max(200).optional().describe('Name, ZIP or airport code; not with lat and lon.'),
    lat: z.number().min(-90).max(90).optional().describe('Latitude'),
    lon: z.number().min(-180).max(180).optional().describe('Longitude'),
    limit: z.number().int().min(1).max(10).default(5).describe('Results at most.'),
  }),
  output: z.object({
    results: z.array(
      z.object({
        name: z.string(),
        region: z.string(),
        county: z.string().nullable(),
        zip: z.string().nullable(),
        lat: z.number(),
        lon: z.number(),
        timezone: z.string(),
        population: z.number().nullable(),
        kind: z.enum(['place', 'zip', 'point', 'feature']),
        feature: z.string().nullable(),
        match: z.enum(['exact', 'other', 'prefix', 'similar']),
        office: z.string().nullable(),
        forecast_zone: z.string().nullable(),
        nearest_radar: nearestSite,
        nearest_station: nearestSite,
      }),
    ),
    area: z
      .object({
        kind: z.enum(['state', 'region', 'country']),
        name: z.string(),
        states: z.array(z.string()),
        cities: z.array(z.string()),
      })
      .optional(),
    abroad: z.object({ kind: z.enum(['territory', 'country', 'city']), where: z.string() }).optional(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const { query } = input
    const isPoint = input.lat !== undefined || input.lon !== undefined
    if (isPoint === (query !== undefined) || (isPoint && (input.lat === undefined || input.lon === undefined))) {
      throw new ToolError(
        'bad-request',
        'Either query or both lat and lon are required, but the call has both, neither, or only one coordinate.',
        'call again with query "Denver, CO", or with lat and lon.',
        { field: 'query' },
      )
    }
    const meta = plainMeta(context, ['GeoNames', 'US Census Bureau', 'NOAA/NWS'])
    if (query === undefined) {
      const spot = findSpot({ lat: input.lat, lon: input.lon }, 'lat')
      const { lat, lon } = spot.location
      const result = around(lat, lon, { name: spot.resolved.place.name, kind: 'point', match: 'exact' })
      return reply({ structured: { results: [result] }, lines: [resultLine(result)], meta })
    }
    const { matches, sentence, advice, area, abroad } = searchPlaces(oneLine(query, 80), input.limit)
    const results = matches
      .filter(({ lat, lon }) => placeAt(lat, lon))
      .map(({ lat, lon, state, kind, fit, ...match }) =>
        around(lat, lon, {
          ...match,
          region: state,
          kind: kind === 'coordinates' ? 'point' : kind,
          match: fit ?? 'exact',
        }),
      )
    const lines = [
      ...(sentence ? [sentence] : []),
      ...(advice ? [`Next: ${advice.tool}`] : []),
      ...results.map(resultLine),
    ]
    return reply({
      structured: {
        results,
        ...(area && { area: { kind: area.kind, name: area.name, states: area.states, cities: citiesOf(area) } }),
        ...(abroad && { abroad: { kind: abroad.kind, where: abroad.where } }),
      },
      lines,
      meta,
    })
  },
})

type PlaceResult = ReturnType<typeof around>

const fits: Readonly<Record<PlaceResult['match'], string>> = {
  exact: '',
  other: ' (another name of it)',
  prefix: ' (its name begins so)',
  similar: ' (a similar name)',
}

/** Returns a result in words: what and where it is, and whose forecasts, radar and reports are its. */
function resultLine(result: PlaceResult): string {
  const { name, region, lat, lon, population, county, timezone, feature, match } = result
  const { office, forecast_zone, nearest_radar: radar, nearest_station: station } = result
  return phrase(
    `${name}, ${region} (${lat}, ${lon})${fits[match]}`,
    feature,
    population ? `${population} people` : '',
    county,
    timezone,
    office ? `NWS office ${office}` : '',
    forecast_zone ? `zone ${forecast_zone}` : '',
    radar ? `radar ${radar.id} ${Math.round(radar.distance_km)} km` : '',
    station ? `station ${station.id} ${Math.round(station.distance_km)} km` : '',
  )
}

/** Returns a result with what lies at a point; members that the gazetteer knows take precedence. */
function around(
  lat: number,
  lon: number,
  known: {
    readonly name: string
    readonly kind: 'place' | 'zip' | 'point' | 'feature'
    readonly match: NameFit
    readonly feature?: string
    readonly region?: string
    readonly zip?: string
    readonly county?: string
    readonly population?: number | null
  },
) {
  const place = placeAt(lat, lon)
  const zones = zonesAt(lat, lon)
  const radar = nearestRadar(lat, lon)
  const station = nearestStation(lat, lon)
  return {
    name: known.name,
    region: known.region ?? place?.region ?? '',
    county: known.county ?? place?.county ?? null,
    zip: known.zip ?? place?.zip ?? null,
    lat,
    lon,
    timezone: place?.timezone ?? '',
    population: known.population ?? null,
    kind: known.kind,
    feature: known.feature ?? null,
    match: known.match,
    office: zones.office ?? null,
    forecast_zone: zones.forecast ?? null,
    nearest_radar: radar ? { id: radar.id, distance_km: radar.distance_km } : null,
    nearest_station: station ? { id: station.id, distance_km: station.distance_km } : null,
  }
}
