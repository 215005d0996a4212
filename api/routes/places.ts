import { z } from 'zod'
import { findPlaces } from '../../ingest/geo/gazetteer.ts'
import { placeAt } from '../../ingest/geo/place.ts'
import { zonesAt } from '../../ingest/geo/zone.ts'
import { nearestFirst, resolve } from '../query/location.ts'
import { nearShape, parseParameters, selectorOf, selectorShape } from '../query/query.ts'
import type { Route } from '../route.ts'
import { limitShape, listMeta, metaOf } from './shapes.ts'

const ATTRIBUTION =
  'Places: GeoNames (CC BY 4.0), USGS GNIS. Time zones: OpenStreetMap contributors (ODbL). Counties and ZIP areas: US Census Bureau.'

const matchSchema = z.object({
  kind: z.enum(['place', 'zip', 'coordinates', 'feature']),
  feature: z
    .string()
    .optional()
    .describe('Of a feature: airport, county, park, forest, summit, lake, military, tribal, university, stadium, …'),
  name: z.string(),
  region: z.string(),
  country: z.literal('US'),
  county: z.string().optional(),
  zip: z.string().optional(),
  lat: z.number(),
  lon: z.number(),
  timezone: z.string().optional(),
  population: z.int().nullable(),
})

const searchShape = {
  q: z.string().trim().min(1).max(200).meta({
    description:
      'City, airport (name, ICAO or IATA code), county, park, summit, lake, university, …, with or without its state; ZIP code; or lat,lon. Case and accents do not matter; the beginning of a name is enough',
    wanted: 'text of 1 to 200 characters, such as Denver, CO',
  }),
  limit: limitShape(10, 50),
  near: nearShape,
}

export const geocode: Route = {
  method: 'get',
  path: '/v1/geocode',
  handle: ({ query, now }) => {
    const { q, limit, near } = parseParameters(searchShape, query)
    const found = findPlaces(q, near ? 50 : limit)
    const places = (near ? nearestFirst(found, near).slice(0, limit) : found)
      .filter((match) => placeAt(match.lat, match.lon))
      .map(({ state, ...match }) => ({ ...match, region: state, country: 'US' as const }))
    return { body: { places, meta: metaOf(now, ATTRIBUTION) }, headers: { 'Cache-Control': 'max-age=86400' } }
  },
  contract: {
    tag: 'places',
    summary: 'Find places by name, ZIP code or coordinates, the most populous first',
    query: searchShape,
    answer: z.object({ places: z.array(matchSchema), meta: listMeta }),
  },
}

const site = { lat: z.number(), lon: z.number(), distance_km: z.number() }

export const reverseGeocode: Route = {
  method: 'get',
  path: '/v1/reverse-geocode',
  handle: ({ query, now }) => {
    const { lat, lon, place, gis } = resolve(selectorOf(parseParameters(selectorShape, query)))
    return {
      body: {
        location: { lat, lon, ...place },
        gis,
        zones: zonesAt(lat, lon),
        meta: metaOf(now, ATTRIBUTION),
      },
      headers: { 'Cache-Control': 'max-age=86400' },
    }
  },
  contract: {
    tag: 'places',
    summary: 'Name of a point, and what is near it',
    query: selectorShape,
    answer: z.object({
      location: z.object({
        lat: z.number(),
        lon: z.number(),
        name: z.string(),
        region: z.string(),
        country: z.string(),
        timezone: z.string(),
        county: z.string().optional(),
        zip: z.string().optional(),
      }),
      gis: z.object({
        lat: z.number(),
        lon: z.number(),
        timezone: z.string(),
        city: z.string().optional(),
        nearest_city: z.string().optional(),
        state: z.string().optional(),
        county: z.string().optional(),
        country: z.string().optional(),
        population: z.int().nullable(),
        nearest_radar: z.object({ id: z.string(), name: z.string(), ...site }),
        nearest_station: z.object({
          id: z.string(),
          name: z.string(),
          state: z.string(),
          elevation_m: z.number().nullable(),
          ...site,
        }),
      }),
      zones: z.object({
        office: z.string().optional(),
        county: z.string().optional(),
        fire: z.string().optional(),
        forecast: z.string().optional(),
        marine: z.string().optional(),
      }),
      meta: listMeta,
    }),
  },
}
