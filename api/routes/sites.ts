import { z } from 'zod'
import { nearest } from '../../ingest/domain/nearest.ts'
import {
  type Away,
  nearRadars,
  nearStations,
  type Radar,
  radarById,
  radars,
  type Station,
  stationById,
  stations,
} from '../../ingest/geo/site.ts'
import * as member from '../present/shared-properties.ts'
import { Problem } from '../problem.ts'
import { requireState, unknownCode } from '../query/area.ts'
import { boxShape, contains, parseBox, requireDomain } from '../query/box.ts'
import { resolve } from '../query/location.ts'
import { parseParameters, selectorOf, selectorShape } from '../query/query.ts'
import type { Route, RouteRequest } from '../route.ts'
import { limitShape, listMeta, metaOf, radiusShape, stateShape } from './shapes.ts'

const shape = {
  ...selectorShape,
  bbox: boxShape,
  state: stateShape,
  id: z
    .string()
    .trim()
    .min(3)
    .max(5)
    .optional()
    .meta({ description: 'One site: KDEN, KFTG or FTG', expected: 'an id such as KDEN' }),
  radius_km: radiusShape,
  limit: limitShape(50, 500),
}

const stationSchema = z.object({
  id: member.id,
  name: member.name,
  state: member.state,
  lat: member.lat,
  lon: member.lon,
  elevation_m: member.elevation_m.nullable(),
  distance_km: member.distance_km.optional(),
})
const radarSchema = z.object({
  id: member.id,
  icao: member.icao,
  name: member.name,
  state: member.state,
  lat: member.lat,
  lon: member.lon,
  elevation_m: member.elevation_m,
  distance_km: member.distance_km.optional(),
})

/** Returns the first `limit` sites at a point (nearest first), in a box, in a state, by id, or of all, and their total number. */
function selectSites<T extends { id: string; lat: number; lon: number; state: string }>(
  { query }: RouteRequest,
  all: readonly T[],
  near: (lat: number, lon: number, count: number, km?: number) => Away<T>[],
  byId: (id: string) => T | undefined,
  kind: string,
): { sites: readonly T[]; total: number } {
  const values = parseParameters(shape, query)
  const hasPoint = ['lat', 'lon', 'location', 'zip'].some((name) => query[name] !== undefined)
  const ways = [
    hasPoint && 'a point',
    values.bbox !== undefined && 'bbox',
    values.state !== undefined && 'state',
    values.id !== undefined && 'id',
  ].filter(Boolean)
  if (ways.length > 1)
    throw new Problem(
      'bad-request',
      `The request must have at most one of a point, \`bbox\`, \`state\` or \`id\`, but has ${ways.join(' and ')}. Keep one of them.`,
    )
  if (values.radius_km !== undefined && !hasPoint)
    throw new Problem('bad-request', '`radius_km` needs a point. Add `lat` with `lon`, `location` or `zip`.', {
      members: { field: 'radius_km' },
    })
  if (hasPoint) {
    const { lat, lon } = resolve(selectorOf(values))
    const sites = near(lat, lon, values.limit, values.radius_km)
    return { sites, total: sites.length }
  }
  if (values.id !== undefined) {
    const site = byId(values.id)
    if (!site) throw unknownSite('id', kind, values.id, all)
    return { sites: [site], total: 1 }
  }
  requireState(values.state, all)
  let sites = all
  if (values.bbox !== undefined) {
    const box = parseBox(values.bbox)
    requireDomain(box)
    sites = all.filter(({ lat, lon }) => contains(box, lat, lon))
  }
  if (values.state !== undefined) sites = all.filter(({ state }) => state === values.state)
  return { sites: sites.slice(0, values.limit), total: sites.length }
}

/** Returns the problem for a site that is in no list, with the nearest ids. */
function unknownSite(field: string, kind: string, id: string, all: readonly { readonly id: string }[]): Problem {
  return unknownCode(
    field,
    kind,
    id,
    nearest(
      id,
      all.map((site) => site.id),
    ),
  )
}

export const unknownRadar = (field: string, id: string): Problem => unknownSite(field, 'radar', id, radars())
export const unknownStation = (field: string, id: string): Problem => unknownSite(field, 'station', id, stations())

export const stationsRoute: Route = {
  method: 'get',
  path: '/v1/stations',
  handle: (request) => {
    const { sites, total } = selectSites<Station>(request, stations(), nearStations, stationById, 'station')
    return {
      body: { stations: sites, total, meta: metaOf(request.now) },
      headers: { 'Cache-Control': 'max-age=86400' },
    }
  },
  contract: {
    tag: 'places',
    summary: 'METAR stations near a point, in a box or a state',
    description: 'Use at most one of a point, bbox, state or id. The nearest are first if a point is given.',
    query: shape,
    answer: z.object({
      stations: z.array(stationSchema).describe('Stations, the nearest first'),
      total: member.total,
      meta: listMeta,
    }),
  },
}

export const radarsRoute: Route = {
  method: 'get',
  path: '/v1/radars',
  handle: (request) => {
    const { sites, total } = selectSites<Radar>(request, radars(), nearRadars, radarById, 'radar')
    return { body: { radars: sites, total, meta: metaOf(request.now) }, headers: { 'Cache-Control': 'max-age=86400' } }
  },
  contract: {
    tag: 'places',
    summary: 'WSR-88D radars near a point, in a box or a state',
    description: 'Use at most one of a point, bbox, state or id. The nearest are first if a point is given.',
    query: shape,
    answer: z.object({
      radars: z.array(radarSchema).describe('Radars, the nearest first'),
      total: member.total,
      meta: listMeta,
    }),
  },
}
