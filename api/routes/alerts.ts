import { z } from 'zod'
import { mapPaced } from '../../ingest/domain/pacer.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import { alertSchema } from '../answer/schema/alert.ts'
import type { FormatName, MetaWarning } from '../contract.ts'
import { AlertIndex, type LiveAlert } from '../live/alert-index.ts'
import type { AlertWatch } from '../live/alert-watch.ts'
import {
  alertWarnings,
  byGravity,
  doubtfulWarnings,
  geometryOf,
  restOf,
  textsOf,
  unplacedWarnings,
} from '../live/alerts.ts'
import { unnamedNear, unplacedTouching } from '../live/unplaced-area.ts'
import { simulatedWarnings, warningsHeader } from '../present/meta.ts'
import { doc } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { Problem } from '../problem.ts'
import { requireArea } from '../query/area.ts'
import { parseBox, requireDomain } from '../query/box.ts'
import { readEvents } from '../query/events.ts'
import { formatShape, mediaTypes } from '../query/format.ts'
import { resolve } from '../query/location.ts'
import { displayed, nearestWord, parseParameters, selectorOf, weatherShape } from '../query/query.ts'
import { wayOf, whereShape } from '../query/where.ts'
import type { Answer, Route, RouteRequest } from '../route.ts'
import { alertForms } from './alert-forms.ts'
import { listMeta, metaOf } from './shapes.ts'

/** Cache lifetime of a list: it is short, because a new alert may begin at any moment. */
const MAX_AGE_SECONDS = 15
const severities = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'] as const
const urgencies = ['Immediate', 'Expected', 'Future', 'Past', 'Unknown'] as const
const certainties = ['Observed', 'Likely', 'Possible', 'Unlikely', 'Unknown'] as const
const statuses = ['Actual', 'Exercise', 'Test'] as const

/** Returns the schema of a list of words in any case, separated by commas. */
const words = <T extends string>(known: readonly T[], description: string) =>
  z
    .string()
    .max(200)
    .transform((text, context): readonly T[] => {
      const words: T[] = []
      for (const word of text.split(',').map((part) => part.trim())) {
        const match = known.find((name) => name.toLowerCase() === word.toLowerCase())
        if (match === undefined) {
          context.addIssue({ code: 'custom', message: `${displayed(word)} (nearest: ${nearestWord(word, known)})` })
          return z.NEVER
        }
        words.push(match)
      }
      return words
    })
    .optional()
    .meta({ description, expected: `one or more of ${known.join(', ')}` })

const formats = ['json', 'geojson', 'csv', 'atom', 'cap', 'ics'] as const
const alertsShape = {
  ...whereShape,
  id: z
    .string()
    .trim()
    .min(1)
    .max(300)
    .transform((id) => id.replace(/^https?:\/\/[^/]+\/alerts\//, ''))
    .optional()
    .meta({ description: 'Id of one alert, for its full detail', expected: 'an id such as urn:oid:2.49.0.1.840.0.…' }),
  event: z
    .string()
    .max(1000)
    .transform((text) => text.split(',').map((name) => name.trim()))
    .optional()
    .meta({
      description:
        'Names of events in any case, separated by commas: Tornado Warning,Flood Watch. A misspelled name is rejected with the nearest name; a name in no list gives the warning unknown_event',
      expected: 'names such as Tornado Warning',
    }),
  severity: words(severities, 'Severities, separated by commas'),
  urgency: words(urgencies, 'Urgencies, separated by commas'),
  certainty: words(certainties, 'Certainties, separated by commas'),
  status: words(statuses, 'Actual (default), Exercise, Test'),
  alert_detail: weatherShape.alert_detail,
  format: formatShape([...formats]),
}

/** Returns an alert with its full detail. */
function detailOf(alert: LiveAlert): object {
  const { head, record } = alert
  return {
    ...restOf(alert),
    message_type: head.kind,
    sent: new Date(head.sent).toISOString().replace('.000Z', 'Z'),
    category: record.category,
    response: record.response ?? null,
    office: record.office ?? null,
    areas: alert.areas,
    same: record.same,
    ...textsOf(alert),
    references: head.references,
    parameters: record.parameters,
  }
}

function briefOf(alert: LiveAlert): object {
  return { ...restOf(alert), office: alert.record.office ?? null, areas: alert.areas }
}

/** Returns an alert with its full detail as GeoJSON. */
export const featureOf = (alert: LiveAlert) => ({
  type: 'Feature' as const,
  id: alert.id,
  geometry: geometryOf(alert),
  properties: detailOf(alert),
})

interface SelectedAlerts {
  readonly list: LiveAlert[]
  /** The requested point, if there is one. */
  readonly at?: { readonly lat: number; readonly lon: number }
  readonly byId: boolean
  readonly full: boolean
  readonly warnings: readonly MetaWarning[]
}

/** Returns the names of the events of current alerts, which are valid even if no list has them. */
export const activeEvents = (watch: Pick<AlertWatch, 'index'>, now: Instant): Set<string> =>
  new Set(watch.index.all(now).map(({ head }) => head.event))

function selectAlerts(watch: AlertWatch, request: RouteRequest, now: Instant): SelectedAlerts {
  const values = parseParameters(alertsShape, request.query)
  const way = wayOf(values, request.query)
  const { index } = watch
  const { bbox, id, area, zone, office } = values
  let list: LiveAlert[]
  let doubtful: LiveAlert[] = []
  const at = way === 'a point' ? resolve(selectorOf(values)) : undefined
  if (at) {
    list = index.at(at.lat, at.lon, now)
  } else if (bbox !== undefined) {
    const box = parseBox(bbox)
    requireDomain(box)
    list = index.all(now).filter((alert) => AlertIndex.touches(alert, box))
    doubtful = unplacedTouching(index.all(now), box)
  } else if (id !== undefined) {
    list = [index.get(id, now) ?? []].flat()
  } else {
    requireArea(values, (code) => index.all(now).some(({ areas }) => areas.includes(code)))
    list = index
      .all(now)
      .filter(
        (alert) =>
          (area === undefined || alert.areas.some((code) => code.startsWith(area))) &&
          (zone === undefined || alert.areas.includes(zone)) &&
          (office === undefined || alert.record.office === office),
      )
    const code = zone ?? area
    if (code !== undefined) doubtful = unnamedNear(index.all(now), code)
  }
  const events = values.event && readEvents('event', values.event, activeEvents(watch, now))
  const allowedStatuses = values.status ?? (id === undefined ? (['Actual'] as const) : statuses)
  list = list.filter(
    ({ head, record }) =>
      allowedStatuses.includes(head.status) &&
      (!events || events.includes(head.event)) &&
      (!values.severity || values.severity.includes(record.severity as (typeof severities)[number])) &&
      (!values.urgency || values.urgency.includes(record.urgency as (typeof urgencies)[number])) &&
      (!values.certainty || values.certainty.includes(record.certainty as (typeof certainties)[number])),
  )
  return {
    list: list.sort(byGravity),
    at,
    byId: id !== undefined,
    full: values.alert_detail === 'full',
    warnings: [...(events?.warnings ?? []), ...doubtfulWarnings(doubtful.filter((alert) => !list.includes(alert)))],
  }
}

const listedSchema = z
  .object({
    ...alertSchema.shape,
    office: member.office.nullable(),
    areas: doc(z.array(z.string()), 'UGC codes of its area', ['COC031']),
    description: doc(
      z.string().nullish(),
      'Text of the alert; only with id, with alert_detail=full and in GeoJSON',
      'At 312 PM MDT, a severe thunderstorm was located near Denver.',
    ),
    instruction: doc(z.string().nullish(), 'What to do', 'Move to an interior room.'),
  })
  .loose()

/** `GET /v1/alerts`. @param simulated whether the weather is simulated; formats without warnings say so in their text */
export function alertsRoute(watch: AlertWatch, simulated: () => boolean): Route {
  return {
    method: 'get',
    path: '/v1/alerts',
    sold: true,
    formats,
    handle: async (request): Promise<Answer> => {
      const now = watch.now(request.now)
      const { list, at, byId, full, warnings: doubts } = selectAlerts(watch, request, now)
      const { feed, doubt } = watch.trust(request.now)
      if (!feed?.confirmed_at) {
        throw new Problem('service-unavailable', 'The NWS alert feed has not been read yet. Retry in a minute.', {
          retryAfter: 30,
        })
      }
      const next = Math.min(
        ...list.flatMap(({ record, expiration }) => [record.onset, expiration]).filter((at) => at > now),
      )
      const age = Math.max(0, Math.min(MAX_AGE_SECONDS, Math.floor((next - now) / 1000)))
      const meta = {
        ...metaOf(request.now, 'National Weather Service'),
        total: list.length,
        confirmed_at: feed.confirmed_at.toISOString(),
        warnings: [
          ...doubts,
          ...alertWarnings(doubt, list, at),
          ...(at ? unplacedWarnings(watch.index, at, now) : []),
          ...simulatedWarnings(simulated()),
        ],
      }
      const headers = { 'Cache-Control': doubt ? 'no-store' : `max-age=${age}`, ...warningsHeader(meta.warnings) }
      const { format } = request
      if (format !== 'json' && format !== 'geojson') {
        refuseForm(format, doubt !== undefined, list.length, byId)
        return {
          ...alertForms(format as 'csv', {
            list,
            simulated: simulated(),
            request,
            notes: doubts.map(({ detail = '' }) => detail),
          }),
          headers,
        }
      }
      const geojson = format === 'geojson'
      const show = byId || full ? withGeometry : briefOf
      // The geometries of the whole country have about 10 MB.
      const alerts = await mapPaced(list, (alert) => JSON.stringify(geojson ? featureOf(alert) : show(alert)))
      const [type, before] = geojson
        ? [mediaTypes.geojson, '"type":"FeatureCollection","features"']
        : ['application/json; charset=utf-8', '"alerts"']
      return { type, body: Buffer.from(`{${before}:[${alerts.join(',')}],"meta":${JSON.stringify(meta)}}`), headers }
    },
    contract: {
      tag: 'alerts',
      summary: 'Active NWS alerts at a point, in a box, in a state or zone, of an office, or one alert by id',
      description:
        'Use at most one of a point, bbox, area, zone, office or id; without one, the list is for the whole country. An empty list without a point is not an all-clear.',
      query: alertsShape,
      answer: z.union([
        z.object({
          alerts: z
            .array(listedSchema)
            .describe('Active alerts of the National Weather Service, the most severe first'),
          meta: listMeta.loose().describe('Metadata of the answer'),
        }),
        z.object({
          type: z.literal('FeatureCollection').describe('Type of the GeoJSON object'),
          features: z
            .array(
              z.object({
                type: z.literal('Feature').describe('Type of the GeoJSON object'),
                id: member.feature_id,
                geometry: z.unknown().describe('GeoJSON geometry'),
                properties: listedSchema.extend({ id: member.id }).describe('Properties of the feature'),
              }),
            )
            .describe('GeoJSON features'),
          meta: listMeta.loose().describe('Metadata of the answer'),
        }),
      ]),
    },
  }
}

/** @throws Problem for a format that cannot carry a warning while the feed is in doubt, and for CAP unless there is exactly one alert */
function refuseForm(format: FormatName, doubtful: boolean, count: number, byId: boolean): void {
  if (doubtful) {
    throw new Problem(
      'service-unavailable',
      `The alert feed could not be confirmed, and ${format} cannot say so. Use format=json, or retry in a minute.`,
      { retryAfter: 30 },
    )
  }
  if (format !== 'cap') return
  if (!byId)
    throw new Problem(
      'bad-request',
      '`format=cap` is one message and needs `id`. Add it, such as id=urn:oid:2.49.0.1.840.0.…',
    )
  if (count === 0)
    throw new Problem('not-found', '`id`: no active alert has this id. See /v1/alerts for the active alerts.')
}

function withGeometry(alert: LiveAlert): object {
  return { ...detailOf(alert), geometry: geometryOf(alert) }
}
