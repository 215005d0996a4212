import { z } from 'zod'
import { kilometresBetween } from '../../ingest/domain/shape/field-of-view.ts'
import { isoSeconds } from '../../ingest/domain/time.ts'
import { radarById } from '../../ingest/geo/site.ts'
import { RADAR_RANGE_KM, stormFeature, stormsNow, touches } from '../answer/storms.ts'
import type { RadarFrames } from '../live/frames.ts'
import { simulatedWarnings } from '../present/meta.ts'
import { doc, measured, rangeOf } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { boxShape, domainsOf, parseBox, type QueryBox, requireDomain } from '../query/box.ts'
import { parseParameters } from '../query/query.ts'
import type { Route } from '../route.ts'
import { listMeta, metaOf } from './shapes.ts'
import { unknownRadar } from './sites.ts'

const shape = {
  bbox: boxShape,
  site: z
    .string()
    .trim()
    .toUpperCase()
    .min(3)
    .max(4)
    .optional()
    .meta({ description: 'Storms within 230 km of this radar: FTG or KFTG', expected: 'a radar such as FTG' }),
}

const percent = z.number().min(0).max(100).nullable()
const storm = z.object({
  id: member.id,
  valid_time: member.valid_time,
  source: doc(z.string(), 'probsevere, or nexrad_ and the radar that detected the cell', 'probsevere'),
  speed: measured(z.number().nullable(), 'metrespersecond', 14.2, 'Speed in m/s; null for a cell in only one scan'),
  direction: measured(
    z.number().int().nullable(),
    'direction',
    45,
    'Direction of motion, degrees clockwise from north; null if the storm is stationary',
  ),
  severe_probability: percent.meta({
    description: 'Severe weather within an hour',
    'x-unit': 'percent',
    examples: [62],
  }),
  hail_probability: percent.meta({ description: 'Severe hail within an hour', 'x-unit': 'percent', examples: [48] }),
  wind_probability: percent.meta({ description: 'Severe wind within an hour', 'x-unit': 'percent', examples: [31] }),
  tornado_probability: percent.meta({ description: 'Tornado within an hour', 'x-unit': 'percent', examples: [4] }),
  max_reflectivity_dbz: measured(z.number().nullable(), 'dbz', 58, 'Largest reflectivity of a radar cell'),
  mesocyclone_strength: measured(
    z.number().nullable(),
    'strength',
    7,
    'Strength rank of a circulation in the cell, 1 to 25',
  ),
  tornado_signature: doc(
    z.enum(['TVS', 'ETVS']).nullable(),
    'Tornadic vortex signature; ETVS does not reach the lowest beam',
    'TVS',
  ),
  lat: member.lat,
  lon: member.lon,
  forecast: z
    .array(
      z.object({
        minutes: measured(z.int(), 'minutes', 15, 'Minutes from the scan'),
        lat: member.lat,
        lon: member.lon,
      }),
    )
    .describe('Forecast positions'),
})
const answer = z.object({
  type: z.literal('FeatureCollection').describe('Type of the GeoJSON object'),
  features: z
    .array(
      z.object({
        type: z.literal('Feature').describe('Type of the GeoJSON object'),
        id: member.feature_id,
        geometry: z
          .object({
            type: z.literal('Polygon').describe('Type of the GeoJSON object'),
            coordinates: doc(
              z.array(z.array(z.array(z.number().meta(rangeOf('degrees'))))),
              'Positions in the order of GeoJSON: longitude, latitude',
              [[[-104.99]]],
            ),
          })
          .describe('GeoJSON geometry'),
        properties: storm.describe('Properties of the feature'),
      }),
    )
    .describe('GeoJSON features'),
  meta: listMeta.extend({ valid_time: member.valid_time.nullable() }).describe('Metadata of the answer'),
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
      const { list, warnings } = await stormsNow(radar, now, area && domainsOf(area as QueryBox))
      const chosen = (list?.storms ?? []).filter(
        (storm) =>
          (!box || touches(storm, box)) &&
          (!station || kilometresBetween(station.lat, station.lon, storm.lat, storm.lon) <= RADAR_RANGE_KM),
      )
      const body = {
        type: 'FeatureCollection',
        features: list ? chosen.map((storm) => stormFeature(storm, list.validTime)) : [],
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
        'Contiguous states: ProbSevere objects with outline, speed (m/s), direction of motion, probability of severe weather, and positions extrapolated from the present motion. Alaska and Hawaii: storm cells of single radars, outlined by a circle of 5 km, with circulations and tornadic vortex signatures instead of probabilities. An empty list is not an all-clear.',
      query: shape,
      answer,
      type: 'application/geo+json',
    },
  }
}
