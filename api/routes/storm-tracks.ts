import { z } from 'zod'
import { kilometresBetween } from '../../ingest/domain/field-of-view.ts'
import { headingOf, movedPlace, type StormList, type StormObject } from '../../ingest/domain/storm.ts'
import { type Instant, isoSeconds, MINUTE } from '../../ingest/domain/time.ts'
import { radarById } from '../../ingest/geo/site.ts'
import { type Box, contains, parseBox, requireDomain } from '../box.ts'
import { round } from '../present/units.ts'
import { Problem } from '../problem.ts'
import { parseParameters } from '../query.ts'
import type { RadarHeld } from '../radar-held.ts'
import type { Route } from '../route.ts'
import type { MetaWarning } from '../sections/section.ts'
import { boxShape, listMeta, metaOf } from './shapes.ts'

export const STORMS = 'storm-tracks'
/** A list of storms that is older is left out. */
const HOLDS = 15 * MINUTE
/** Minutes ahead for which positions are told, at the storm's present motion. */
const AHEAD = [15, 30, 45, 60] as const
/** What a radar site is asked for: its range, km. */
const RANGE = 230

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
  speed: z.number().describe('m/s'),
  direction: z
    .number()
    .int()
    .nullable()
    .describe('degrees from north through east, towards which it moves; null where it stands'),
  severe_probability: percent.describe('percent, severe weather within an hour'),
  hail_probability: percent,
  wind_probability: percent,
  tornado_probability: percent,
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
  meta: listMeta.extend({
    valid_time: z.iso.datetime().nullable(),
    warnings: z
      .array(
        z.object({
          code: z.string(),
          section: z.string(),
          detail: z.string().optional(),
          product_id: z.string().optional(),
        }),
      )
      .optional(),
  }),
})

/** The list of storms that is served, if it is young enough. */
export async function stormsNow(
  held: RadarHeld,
  now: Instant,
): Promise<{ list?: StormList; warnings: readonly MetaWarning[] }> {
  const list = await held.object(STORMS, 'conus', (bytes) => JSON.parse(Buffer.from(bytes).toString()) as StormList)
  const about = { section: 'storm_tracks', product_id: STORMS } as const
  if (!list) return { warnings: [{ ...about, code: 'source_missing', detail: 'no list of storms is held' }] }
  const age = now - list.validTime
  if (age <= HOLDS) return { list, warnings: [] }
  const detail = `the newest list of storms is ${Math.round(age / MINUTE)} minutes old and is left out`
  return { warnings: [{ ...about, code: 'stale_source', detail }] }
}

export function stormFeature(of: StormObject, validTime: Instant) {
  const heading = headingOf(of.east, of.north)
  return {
    type: 'Feature' as const,
    id: of.id,
    geometry: { type: 'Polygon' as const, coordinates: of.outline },
    properties: {
      id: of.id,
      valid_time: isoSeconds(validTime),
      speed: round(Math.hypot(of.east, of.north), 1),
      direction: heading === undefined ? null : Math.round(heading) % 360,
      severe_probability: of.severe ?? null,
      hail_probability: of.hail ?? null,
      wind_probability: of.wind ?? null,
      tornado_probability: of.tornado ?? null,
      lat: round(of.lat, 4),
      lon: round(of.lon, 4),
      forecast: AHEAD.map((minutes) => {
        const { lat, lon } = movedPlace(of.lat, of.lon, of.east, of.north, minutes * 60)
        return { minutes, lat: round(lat, 4), lon: round(lon, 4) }
      }),
    },
  }
}

function touches({ outline, lat, lon }: StormObject, box: Box): boolean {
  return contains(box, lat, lon) || outline[0]!.some(([x, y]) => contains(box, y, x))
}

export function stormTracksRoute(held: RadarHeld): Route {
  return {
    method: 'get',
    path: '/v1/storm-tracks',
    handle: async ({ query, now }) => {
      const { bbox, site } = parseParameters(shape, query)
      const box = bbox === undefined ? undefined : parseBox(bbox)
      if (box) requireDomain(box)
      const radar = site === undefined ? undefined : radarById(site)
      if (site !== undefined && !radar) throw new Problem('not-found', `site: no radar "${site}" is known.`)
      const { list, warnings } = await stormsNow(held, now)
      const chosen = (list?.storms ?? []).filter(
        (of) =>
          (!box || touches(of, box)) && (!radar || kilometresBetween(radar.lat, radar.lon, of.lat, of.lon) <= RANGE),
      )
      const body = {
        type: 'FeatureCollection',
        features: chosen.map((of) => stormFeature(of, list!.validTime)),
        meta: {
          ...metaOf(now, 'NOAA/CIMSS ProbSevere'),
          valid_time: list ? isoSeconds(list.validTime) : null,
          ...(warnings.length > 0 && { warnings }),
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
        'ProbSevere objects over the contiguous states: outline, speed (m/s), direction (towards), probability of severe weather, positions at the present motion. An empty list is not an all-clear.',
      query: shape,
      answer,
      type: 'application/geo+json',
    },
  }
}
