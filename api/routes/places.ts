import { z } from 'zod'
import { placeAt } from '../../ingest/geo/place.ts'
import { zonesAt } from '../../ingest/geo/zone.ts'
import { doc } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { nearestFirst, resolve } from '../query/location.ts'
import { citiesOf } from '../query/place-fault.ts'
import { searchPlaces } from '../query/place-search.ts'
import { nearShape, parseParameters, selectorOf, selectorShape } from '../query/query.ts'
import type { Route } from '../route.ts'
import { limitShape, listMeta, metaOf } from './shapes.ts'

const ATTRIBUTION =
  'Places: GeoNames (CC BY 4.0), USGS GNIS. Time zones: OpenStreetMap contributors (ODbL). Counties and ZIP areas: US Census Bureau.'

const matchSchema = z.object({
  kind: doc(z.enum(['place', 'zip', 'coordinates', 'feature']), 'Kind of the match', 'place'),
  feature: doc(
    z.string().optional(),
    'Kind of a feature: airport, county, park, forest, summit, lake, military, tribal, university, stadium, …',
    'airport',
  ),
  match: doc(
    z.enum(['exact', 'other', 'prefix', 'similar']),
    'How the name fits the text: its own name, another name of it, a name that begins so, a similar name',
    'exact',
  ),
  name: member.name,
  region: member.region,
  country: doc(z.literal('US'), 'Country by ISO 3166-1 alpha-2', 'US'),
  county: member.county.optional(),
  zip: member.zip.optional(),
  lat: member.lat,
  lon: member.lon,
  timezone: member.timezone.optional(),
  population: member.population.nullable(),
})

const searchShape = {
  q: z.string().trim().min(1).max(200).meta({
    description:
      'City, airport (name, ICAO or IATA code), county, park, summit, lake, university, …, with or without its state; ZIP code; or lat,lon. Case and accents are ignored, and the beginning of a name is enough',
    expected: 'text of 1 to 200 characters, such as Denver, CO',
  }),
  limit: limitShape(10, 50),
  near: nearShape,
}

export const geocode: Route = {
  method: 'get',
  path: '/v1/geocode',
  handle: ({ query, now }) => {
    const { q, limit, near } = parseParameters(searchShape, query)
    const { matches, sentence, advice, area, abroad } = searchPlaces(q, near ? 50 : limit)
    const places = (near ? nearestFirst(matches, near).slice(0, limit) : matches)
      .filter((match) => placeAt(match.lat, match.lon))
      .map(({ state, fit = 'exact', ...match }) => ({ ...match, match: fit, region: state, country: 'US' as const }))
    return {
      body: {
        places,
        ...(area && { area: { kind: area.kind, name: area.name, states: area.states, cities: citiesOf(area) } }),
        ...(abroad && { abroad: { kind: abroad.kind, where: abroad.where } }),
        ...(sentence && { message: [sentence, advice?.rest].filter(Boolean).join(' ') }),
        meta: metaOf(now, ATTRIBUTION),
      },
      headers: { 'Cache-Control': 'max-age=86400' },
    }
  },
  contract: {
    tag: 'places',
    summary: 'Find places by name, ZIP code or coordinates, the most populous first',
    description:
      'US places only, from packaged tables. Each has the point to use with the other routes. Nothing that matches is an empty list with the reason.',
    query: searchShape,
    answer: z.object({
      places: z.array(matchSchema).describe('Places, the most likely first'),
      area: z
        .object({
          kind: doc(z.enum(['state', 'region', 'country']), 'Kind of the area', 'state'),
          name: doc(z.string(), 'Name of the area', 'Michigan'),
          states: doc(z.array(z.string()), 'Postal codes of its states', ['MI']),
          cities: doc(z.array(z.string()), 'Large cities in it', ['Detroit, MI']),
        })
        .optional()
        .describe('The state, region or country that the text names; places then has the towns with the same name'),
      abroad: z
        .object({
          kind: doc(z.enum(['territory', 'country', 'city']), 'Kind of the place', 'city'),
          where: doc(z.string(), 'Country or territory of the place', 'France'),
        })
        .optional()
        .describe('The place outside coverage that the text names'),
      message: doc(
        z.string().optional(),
        'What the text names besides the places, in a sentence',
        '"Michigan" is a state',
      ),
      meta: listMeta,
    }),
  },
}

const site = { lat: member.lat, lon: member.lon, distance_km: member.distance_km }

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
    summary: 'Name of a point, and the places, stations and zones around it',
    description:
      'The nearest place with its time zone, county and zones, and the stations and radars around the point with their distances.',
    query: selectorShape,
    answer: z.object({
      location: z
        .object({
          lat: member.lat,
          lon: member.lon,
          name: member.name,
          region: member.region,
          country: member.country,
          timezone: member.timezone,
          county: member.county.optional(),
          zip: member.zip.optional(),
        })
        .describe('The place of the answer'),
      gis: z
        .object({
          lat: member.lat,
          lon: member.lon,
          timezone: member.timezone,
          city: member.city.optional(),
          nearest_city: member.nearest_city.optional(),
          state: member.state.optional(),
          county: member.county.optional(),
          country: member.country.optional(),
          population: member.population.nullable(),
          nearest_radar: z.object({ id: member.id, name: member.name, ...site }).describe('Nearest radar'),
          nearest_station: z
            .object({
              id: member.id,
              name: member.name,
              state: member.state,
              elevation_m: member.elevation_m.nullable(),
              ...site,
            })
            .describe('Nearest station'),
        })
        .describe('Surroundings of the point'),
      zones: z
        .object({
          office: member.office.optional(),
          county: doc(z.string().optional(), 'Code of the county', 'COC031'),
          fire: doc(z.string().optional(), 'Code of the fire weather zone', 'COZ240'),
          forecast: doc(z.string().optional(), 'Code of the forecast zone', 'COZ040'),
          marine: doc(z.string().optional(), 'Code of the marine zone', 'GMZ335'),
        })
        .describe('Zones of the point'),
      meta: listMeta,
    }),
  },
}
