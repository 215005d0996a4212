import { z } from 'zod'
import { pause } from '../../ingest/domain/pacer.ts'
import { polygonsOf } from '../../ingest/geo/polygon.ts'
import { officeAt, officeList, type Zone, zoneList, zoneRings, zonesAt, zonesById } from '../../ingest/geo/zone.ts'
import { longJson } from '../present/long-json.ts'
import { doc, rangeOf } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { Problem } from '../problem.ts'
import { requireOffice, requireState, unknownZone } from '../query/area.ts'
import { formatShape, mediaTypes } from '../query/format.ts'
import { resolve } from '../query/location.ts'
import { parseParameters, selectorOf, selectorShape } from '../query/query.ts'
import type { Route } from '../route.ts'
import { limitShape, listMeta, metaOf, stateShape } from './shapes.ts'

const pointNames = ['lat', 'lon', 'location', 'zip']
const officeShape = {
  ...selectorShape,
  state: stateShape,
  id: z
    .string()
    .trim()
    .regex(/^[A-Za-z]{3,4}$/)
    .optional()
    .meta({ description: 'Forecast office: BOU or KBOU', expected: 'three or four letters such as BOU' }),
}
const officeSchema = z.object({
  id: member.id,
  name: member.name,
  state: member.state,
  lat: member.lat,
  lon: member.lon,
})

/** Returns the offices of the 50 states and DC, without those of the territories. */
const offices = () => officeList().filter(({ state }) => !['PR', 'GU', 'AS', 'VI', 'MP'].includes(state))

export const officesRoute: Route = {
  method: 'get',
  path: '/v1/offices',
  handle: ({ query, now }) => {
    const values = parseParameters(officeShape, query)
    let selected = offices()
    if (pointNames.some((name) => query[name] !== undefined)) {
      const { lat, lon } = resolve(selectorOf(values))
      const id = officeAt(lat, lon)
      selected = selected.filter((office) => office.id === id)
    }
    requireState(values.state, officeList())
    if (values.state) selected = selected.filter(({ state }) => state === values.state)
    if (values.id) {
      const officeId = requireOffice('id', values.id)
      selected = selected.filter(({ id }) => id === officeId)
    }
    return {
      body: { offices: selected, total: selected.length, meta: metaOf(now) },
      headers: { 'Cache-Control': 'max-age=86400' },
    }
  },
  contract: {
    tag: 'places',
    summary: 'Forecast offices at a point, in a state, or all',
    description:
      'A point, state and id may be combined. An id of this list is the `office` of /v1/zones, /v1/alerts and /v1/events.',
    query: officeShape,
    answer: z.object({
      offices: z.array(officeSchema).describe('Forecast offices'),
      total: member.total,
      meta: listMeta,
    }),
  },
}

const MAX_SHAPES = 50
const kinds = ['county', 'forecast', 'fire', 'marine'] as const
const zoneShape = {
  ...selectorShape,
  state: stateShape,
  office: officeShape.id,
  kind: z
    .enum(kinds)
    .optional()
    .meta({ description: 'Kind of zone', expected: `one of ${kinds.join(', ')}` }),
  id: z
    .string()
    .trim()
    .regex(/^[A-Za-z]{3}\d{3}$/)
    .optional()
    .meta({ description: 'Zone code: COC031, COZ040, GMZ630', expected: 'a code such as COZ040' }),
  format: formatShape(['json', 'geojson']),
  limit: limitShape(200, 1000),
}
const zoneSchema = z.object({
  id: member.id,
  kind: doc(z.enum(kinds), 'Kind of the zone', 'forecast'),
  name: member.name,
  state: member.state,
  office: member.office,
})
const featureSchema = z.object({
  type: z.literal('Feature').describe('Type of the GeoJSON object'),
  id: member.feature_id,
  properties: zoneSchema.describe('Properties of the feature'),
  geometry: z
    .object({
      type: z.literal('MultiPolygon').describe('Type of the GeoJSON object'),
      coordinates: doc(
        z.array(z.array(z.array(z.array(z.number().meta(rangeOf('degrees')))))),
        'Positions in the order of GeoJSON: longitude, latitude',
        [[[[-104.99]]]],
      ),
    })
    .nullable()
    .describe('GeoJSON geometry'),
})

export const zonesRoute: Route = {
  method: 'get',
  path: '/v1/zones',
  formats: ['json', 'geojson'],
  handle: async ({ query, now, format }) => {
    const values = parseParameters(zoneShape, query)
    const hasPoint = pointNames.some((name) => query[name] !== undefined)
    if (!hasPoint && !values.state && !values.office && !values.id && values.kind !== 'marine') {
      throw new Problem(
        'bad-request',
        'The request must have a point, `state`, `office`, `id` or `kind=marine`, but has none: the whole list is too long for one answer. Add one of them.',
      )
    }
    let selected: readonly Zone[] = zoneList()
    if (hasPoint) {
      const { lat, lon } = resolve(selectorOf(values))
      const at = zonesAt(lat, lon)
      selected = kinds.flatMap((kind) => zonesById(at[kind] ?? '').filter((zone) => zone.kind === kind))
    }
    if (values.id) {
      selected = zonesById(values.id)
      if (!selected.length) throw unknownZone('id', values.id)
    }
    const office = values.office && requireOffice('office', values.office)
    requireState(values.state, zoneList())
    selected = selected.filter(
      (zone) =>
        (!values.state || zone.state === values.state) &&
        (!office || zone.office === office) &&
        (!values.kind || zone.kind === values.kind),
    )
    const page = selected.slice(0, values.limit)
    const headers = { 'Cache-Control': 'max-age=86400' }
    if (format === 'json') return { body: { zones: page, total: selected.length, meta: metaOf(now) }, headers }
    return {
      type: mediaTypes.geojson,
      body: await longJson({ type: 'FeatureCollection' }, 'features', featuresOf(page.slice(0, MAX_SHAPES)), pause),
      headers,
    }
  },
  contract: {
    tag: 'places',
    summary: 'NWS zones at a point, in a state or of an office, as a list or as at most 50 shapes',
    description:
      'Public forecast zones, counties, fire weather zones and marine zones. Shapes come with `format=geojson` or Accept. Alerts name these zones as their areas.',
    query: zoneShape,
    answer: z.union([
      z.object({
        zones: z.array(zoneSchema).describe('Zones'),
        total: member.total,
        meta: listMeta,
      }),
      z.object({
        type: z.literal('FeatureCollection').describe('Type of the GeoJSON object'),
        features: z.array(featureSchema).describe('GeoJSON features'),
      }),
    ]),
  },
}

/** Yields features one at a time, because the zone of an archipelago takes some milliseconds. */
function* featuresOf(zones: readonly Zone[]): Generator<z.infer<typeof featureSchema>> {
  for (const zone of zones) yield featureOf(zone)
}

function featureOf(zone: Zone): z.infer<typeof featureSchema> {
  const rings = zoneRings(zone.id, zone.kind)
  return {
    type: 'Feature',
    id: zone.id,
    properties: zone,
    geometry: rings ? { type: 'MultiPolygon', coordinates: polygonsOf(rings) as [number, number][][][] } : null,
  }
}
