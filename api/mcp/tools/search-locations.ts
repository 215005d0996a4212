import { z } from 'zod'
import { placeAbroad } from '../../../ingest/geo/abroad.ts'
import { findPlaces } from '../../../ingest/geo/gazetteer.ts'
import { placeAt } from '../../../ingest/geo/place.ts'
import { nearestRadar, nearestStation } from '../../../ingest/geo/site.ts'
import { zonesAt } from '../../../ingest/geo/zone.ts'
import { findSpot } from '../../dataset/spot.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { oneLine } from '../words/quote.ts'
import { plainMeta, reply } from '../words/reply.ts'

const nearestSite = z.object({ id: z.string(), distance_km: z.number() }).nullable()

export const searchLocations = tool({
  name: 'search_locations',
  title: 'Search places',
  description:
    'Find a US place by name or ZIP code, or say what lies at a point: coordinates, time zone, county, NWS office and zone, nearest radar and station. For when it is unclear which place is meant (there are many Springfields), or to turn coordinates into a name. No weather: for that use get_forecast. 5 by default, 10 at most. US states and DC.',
  input: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Name, name and state, or ZIP code; not together with lat and lon.'),
    lat: z.number().min(-90).max(90).optional().describe('Latitude in degrees, with lon.'),
    lon: z.number().min(-180).max(180).optional().describe('Longitude in degrees, with lat.'),
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
        kind: z.enum(['place', 'zip', 'point']),
        office: z.string().nullable(),
        forecast_zone: z.string().nullable(),
        nearest_radar: nearestSite,
        nearest_station: nearestSite,
      }),
    ),
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
    const results: ReturnType<typeof around>[] = []
    if (query === undefined) {
      const spot = findSpot({ lat: input.lat, lon: input.lon }, 'lat')
      results.push(around(spot.location.lat, spot.location.lon, { name: spot.resolved.place.name, kind: 'point' }))
    } else {
      for (const match of findPlaces(query, input.limit)) {
        const kind = match.kind === 'coordinates' ? 'point' : match.kind
        if (placeAt(match.lat, match.lon))
          results.push(
            around(match.lat, match.lon, {
              name: match.name,
              region: match.state,
              zip: match.zip,
              county: match.county,
              population: match.population,
              kind,
            }),
          )
      }
    }
    const meta = plainMeta(context, ['GeoNames', 'US Census Bureau', 'NOAA/NWS'])
    const lines =
      results.length === 0
        ? [noMatchLine(query ?? '')]
        : results.map(
            ({ name, region, lat, lon, population, county, timezone }) =>
              `${name}, ${region} (${lat}, ${lon})${population ? `, ${population} people` : ''}${county ? `, ${county}` : ''}, ${timezone}`,
          )
    return reply({ structured: { results }, lines, meta })
  },
})

/** The text for a place abroad, or for a name that is not known. */
function noMatchLine(query: string): string {
  const plain = oneLine(query, 80)
  const abroad = placeAbroad(query)
  if (abroad)
    return `"${plain}" is ${abroad.kind === 'city' ? 'a city abroad' : `in ${abroad.where}`}: outside the coverage, which is the 50 US states and DC.`
  return `0 places in the 50 US states and DC match "${plain}".`
}

/** A result with what lies at a point; members that the gazetteer knows take precedence. */
function around(
  lat: number,
  lon: number,
  known: { name: string; kind: string; region?: string; zip?: string; county?: string; population?: number | null },
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
    office: zones.office ?? null,
    forecast_zone: zones.forecast ?? null,
    nearest_radar: radar ? { id: radar.id, distance_km: radar.distance_km } : null,
    nearest_station: station ? { id: station.id, distance_km: station.distance_km } : null,
  }
}
