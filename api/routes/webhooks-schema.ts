import { z } from 'zod'
import { alertSchema } from '../answer/schema/alert.ts'
import { doc, measured, part } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { printable } from '../query/printable.ts'
import { filterSchema } from '../webhooks/filter.ts'
import { limitShape, listMeta } from './shapes.ts'

export const webhookEvents = [
  ...['alert.*', 'alert.issued', 'alert.updated', 'alert.cancelled', 'alert.expired'],
  ...['run.*', 'run.started', 'run.published', 'run.stage', 'run.late'],
  'nowcast.onset',
] as const

const URL = {
  description: 'URL of the receiver: https with a public host name',
  examples: ['https://example.org/hooks/weather'],
}
const EVENTS = { description: 'Types of events', examples: [['alert.*']] }
const FILTER = 'Conditions on events'
const PURPOSE = { description: 'Purpose of the webhook', examples: ['Alerts of the Front Range'] }
const enabled = doc(
  z.boolean(),
  'Whether calls are sent; false while paused, and after the receiver answered 410',
  true,
)
const bodyShape = {
  url: z.string().max(2000).meta(URL),
  events: z.array(z.enum(webhookEvents)).min(1).max(webhookEvents.length).meta(EVENTS),
  filter: part(filterSchema.default({}), FILTER),
  description: printable.max(200).default('').meta(PURPOSE),
}
export const newSchema = z.strictObject(bodyShape)
export const patchSchema = z
  .strictObject({
    ...bodyShape,
    filter: part(filterSchema, FILTER),
    description: printable.max(200).meta(PURPOSE),
    enabled,
  })
  .partial()

export const hookSchema = z
  .object({
    id: doc(z.string(), 'Id of the webhook', 'wh_3fJ2mQ0aXb9cD1eF'),
    url: z.string().meta(URL),
    events: z.array(z.string()).meta(EVENTS),
    filter: part(filterSchema, FILTER),
    description: z.string().meta(PURPOSE),
    enabled,
    created_at: member.created_at,
    waiting: measured(z.int(), 'count', 0, 'Number of waiting calls'),
    failing_since: doc(
      z.iso.datetime().nullable(),
      'When the receiver began to fail (no answer, 5xx, 408, 429, redirects); null while it works',
      '2026-08-20T20:02:00.000Z',
    ),
    next_attempt_at: doc(
      z.iso.datetime().nullable(),
      'Time of the next call to a failing receiver; null while it works',
      '2026-08-20T21:13:00.000Z',
    ),
    warnings: listMeta.shape.warnings.describe('Doubts about the filter of the request: unknown_event'),
  })
  .meta({ id: 'Webhook' })
export const newHookSchema = hookSchema.extend({
  secret: doc(
    z.string(),
    'Secret that signs every call; it is shown only once',
    'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
  ),
})
export const deliverySchema = z
  .object({
    id: doc(z.string(), 'The webhook-id header, the same at every attempt', 'msg_8aJ2mQ0aXb9cD1eFgH3k'),
    type: doc(z.string(), 'Type of the event', 'alert.issued'),
    subject: doc(
      z.string(),
      'Subject of the event; calls with one subject are sent in order',
      'Actual/KBOU.TO.W.0007.2026',
    ),
    state: doc(
      z.enum(['pending', 'delivered', 'dead']),
      'dead: attempts failed for a day, or too many calls were waiting',
      'delivered',
    ),
    attempts: measured(z.int(), 'count', 1, 'Attempts so far'),
    next_at: doc(
      z.iso.datetime().nullable(),
      'Time of the next attempt; null if there is none',
      '2026-08-20T21:13:00.000Z',
    ),
    status: measured(z.int().nullable(), 'answerstatus', 200, 'Status of the last answer; null without an answer'),
    error: doc(z.string().nullable(), 'Why the last attempt failed; null if it succeeded', 'no answer within 10 s'),
    created_at: member.created_at,
    ended_at: doc(z.iso.datetime().nullable(), 'When the call was delivered or given up', '2026-08-20T21:12:02.000Z'),
  })
  .meta({ id: 'WebhookDelivery' })
const instant = z.iso.datetime()
const at = doc(instant, 'Time of the event', '2026-08-20T17:12:00.000Z')
const simulated = z.literal(true).optional().describe('Present only if the weather is simulated')
const alert = alertSchema.shape
export const calls = {
  alert: z
    .object({
      type: doc(
        z.enum(['alert.issued', 'alert.updated', 'alert.cancelled', 'alert.expired']),
        'Type of the event',
        'alert.issued',
      ),
      timestamp: member.timestamp,
      data: z
        .object({
          id: doc(z.string(), 'Id of the alert, as in /v1/alerts', 'urn:oid:2.49.0.1.840.0.8a1f.001.1'),
          event: alert.event,
          change: doc(z.string(), 'Kind of the change', 'issued'),
          areas: doc(z.array(z.string()), 'UGC codes of the alert', ['COC031']),
          cells: doc(
            z.array(z.string()),
            'Coarse H3 cells that the alert touches, as in Surrogate-Key of cached answers',
            ['8426b5dffffffff'],
          ),
          expiration: alert.expiration.nullable(),
          replaces: doc(z.array(z.string()).optional(), 'Ids of the messages that it replaces', [
            'urn:oid:2.49.0.1.840.0.8a1f.000.1',
          ]),
          severity: alert.severity.optional(),
          urgency: alert.urgency.optional(),
          certainty: alert.certainty.optional(),
          headline: alert.headline.optional(),
          area_desc: alert.area_desc,
          geometry: doc(
            z.string(),
            'URL of the alert with its geometry',
            'https://weather.example.org/v1/alerts?id=urn:oid:2.49.0.1.840.0.8a1f.001.1&format=geojson',
          ),
          simulated,
        })
        .describe('The change of the alert'),
    })
    .meta({ id: 'AlertCall' }),
  run: z
    .object({
      type: doc(
        z.enum(['run.started', 'run.published', 'run.stage', 'run.late']),
        'Type of the event; run.stage extends a published run',
        'run.published',
      ),
      timestamp: member.timestamp,
      data: z
        .object({
          dataset: doc(z.string(), 'Id of the dataset', 'nbm'),
          domain: member.domain.optional(),
          run: doc(instant, 'Reference time of the run', '2026-08-20T16:00:00Z'),
          stage: measured(z.int().optional(), 'count', 1, 'Stage of the run; absent for the only or first stage'),
          at,
          expected_at: doc(instant.optional(), 'When the run is usually served', '2026-08-20T13:15:00Z'),
          due_at: doc(instant.optional(), 'When the run becomes late', '2026-08-20T13:45:00Z'),
          simulated,
        })
        .describe('The run'),
    })
    .meta({ id: 'RunCall' }),
  onset: z
    .object({
      type: z.literal('nowcast.onset').describe('Type of the event'),
      timestamp: member.timestamp,
      data: z
        .object({
          lat: member.lat,
          lon: member.lon,
          within_minutes: measured(z.int(), 'minutes', 60, 'How far ahead precipitation is reported'),
          starts_at: member.starts_at,
          minutes: measured(z.int(), 'minutes', 15, 'Minutes until precipitation begins'),
          ends_at: member.ends_at.nullable(),
          type: doc(z.string(), 'Type of the precipitation', 'rain'),
          peak_intensity: member.peak_intensity,
          generated_at: member.generated_at,
          at,
          simulated,
        })
        .describe('The onset of precipitation'),
    })
    .meta({ id: 'OnsetCall' }),
}
export const deliveriesShape = {
  state: z
    .enum(['pending', 'delivered', 'dead'])
    .optional()
    .meta({ description: 'Only calls in this state', expected: 'pending, delivered or dead' }),
  limit: limitShape(100, 1000),
}
export const deliveryMember = { description: 'Id of a call', examples: ['msg_8aJ2mQ0aXb9cD1eFgH3k'] }
export const replaySchema = z.strictObject({
  delivery_id: z.string().max(60).optional().meta(deliveryMember),
})
