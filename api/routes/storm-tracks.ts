import { z } from 'zod'
import { kilometresBetween } from '../../ingest/domain/field-of-view.ts'
import { isoSeconds } from '../../ingest/domain/time.ts'
import { radarById } from '../../ingest/geo/site.ts'
import { stormFeature, stormsNow, touches } from '../answer/storms.ts'
import type { RadarFrames } from '../live/frames.ts'
import { simulatedWarnings } from '../present/meta.ts'
import { type Box, domainsOf, parseBox, requireDomain } from '../query/box.ts'
import { parseParameters } from '../query/query.ts'
import type { Route } from '../route.ts'
import { boxShape, listMeta, metaOf } from './shapes.ts'
import { unknownRadar } from './sites.ts'

/** Radius around a radar site. */
const RADAR_RANGE_KM = 230

const shape = {
  bbox: boxShape,
  site: z
    .string()
    .trim()
    .toUpperCase()
    .min(3)
    .max(4)
    .optional()
    .meta({ description: 'Storms within 230 km of this radar: FTG or KFTG', wanted: 'a radar such as FTG' }),
}

const percent = z.number().min(0).max(100).nullable()
const storm = z.object({
  id: z.string(),
  valid_time: z.iso.datetime(),
  source: z.string().describe('probsevere, or nexrad_ and the radar whose cell it is'),
  speed: z.number().nullable().describe('m/s; null for a cell seen in one scan only'),
  direction: z
    .number()
    .int()
    .nullable()
    .describe('degrees from north through east, towards which it moves; null where it is stationary'),
  severe_probability: percent.describe('percent, severe weather within an hour'),
  hail_probability: percent,
  wind_probability: percent,
  tornado_probability: percent,
  max_reflectivity_dbz: z.number().nullable().describe('of cells of a radar'),
  mesocyclone_strength: z.number().nullable().describe('strength rank 1 to 25 of a circulation in the cell'),
  tornado_signature: z
    .enum(['TVS', 'ETVS'])
    .nullable()
    .describe('tornadic vortex signature; ETVS: not down to the lowest beam'),
  lat: z.number(),
  lon: z.number(),
  forecast: z.array(z.object({ minutes: z.int(), lat: z.number(), lon: z.number() })),
})
const answer = z.object({
  type: z.literal('FeatureCollection'),
  features: z.array(
    z.object({
      type: z.literal('Feature'),
      id: z.string(),
      geometry: z.object({ type: z.literal('Polygon'), coordinates: z.array(z.array(z.array(z.number()))) }),
      properties: storm,
    }),
  ),
  meta: listMeta.extend({ valid_time: z.iso.datetime().nullable() }),
})

export function stormTracksRoute(radar: RadarFrames, simulated: () => boolean): Route {
  return {
    method: 'get',
    path: '/v1/storm-tracks',
    sold: true,
    handle: async ({ query, now }) => {
      const { bbox, site } = parseParameters(shape, query)
      const box = bbox === undefined ? undefined : parseBox(bbox)
      if (box) requireDomain(box)
      const station = site === undefined ? undefined : radarById(site)
      if (site !== undefined && !station) throw unknownRadar('site', site)
      const corner = station && [station.lon, station.lat, station.lon, station.lat]
      const area = box ?? corner
      const { list, warnings } = await stormsNow(radar, now, area && domainsOf(area as Box))
      const chosen = (list?.storms ?? []).filter(
        (of) =>
          (!box || touches(of, box)) &&
          (!station || kilometresBetween(station.lat, station.lon, of.lat, of.lon) <= RADAR_RANGE_KM),
      )
      const body = {
        type: 'FeatureCollection',
        features: chosen.map((of) => stormFeature(of, list!.validTime)),
        meta: {
          ...metaOf(now, 'NOAA/CIMSS ProbSevere; NOAA/NWS NEXRAD level 3', [
            ...warnings,
            ...simulatedWarnings(simulated()),
          ]),
          valid_time: list ? isoSeconds(list.validTime) : null,
        },
      }
      return {
        body,
        type: 'application/geo+json; charset=utf-8',
        headers: { 'Cache-Control': list ? 'max-age=60' : 'no-store' },
      }
    },
    contract: {
      tag: 'radar',
      summary: 'Storms with their motion, as GeoJSON',
      description:
        'Contiguous states: ProbSevere objects with outline, speed (m/s), direction (towards), probability of severe weather, positions at the present motion. Alaska and Hawaii: storm cells of single radars, outlined by a circle of 5 km, with circulations and tornadic vortex signatures instead of probabilities. An empty list is not an all-clear.',
      query: shape,
      answer,
      type: 'application/geo+json',
    },
  }
}
