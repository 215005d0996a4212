import { z } from 'zod'
import type { WebhookRow } from '../../sql/queries/webhooks.ts'
import { alertFilterOf } from '../changes/alert-changes.ts'
import { requireRunDatasets } from '../changes/run-changes.ts'
import type { MetaWarning } from '../contract.ts'
import { doc } from '../present/property.ts'
import { Problem } from '../problem.ts'
import { readEvents } from '../query/events.ts'
import { printable } from '../query/printable.ts'
import type { StoredFilter } from './fan-out.ts'
import { MAX_WITHIN_MINUTES, MIN_WITHIN_MINUTES, ONSET } from './onset-watch.ts'

export const filterSchema = z
  .strictObject({
    lat: z
      .number()
      .min(-90)
      .max(90)
      .optional()
      .meta({ description: 'Latitude, north is positive', 'x-unit': 'degrees', examples: [39.74] }),
    lon: z
      .number()
      .min(-180)
      .max(180)
      .optional()
      .meta({ description: 'Longitude, west is negative', 'x-unit': 'degrees', examples: [-104.99] }),
    bbox: doc(z.string().max(120).optional(), 'west,south,east,north in degrees', '-105.5,39.5,-104.5,40.2'),
    area: doc(z.string().max(10).optional(), 'State, or the two letters of marine zones', 'CO'),
    zone: doc(z.string().max(10).optional(), 'Zone or county', 'COZ040'),
    office: doc(z.string().max(10).optional(), 'Forecast office', 'BOU'),
    min_severity: doc(
      z.enum(['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown']).optional(),
      'The least severity that is reported',
      'Severe',
    ),
    event: doc(z.array(printable.min(1).max(100)).min(1).max(50).optional(), 'Names of alerts', ['Tornado Warning']),
    dataset_id: doc(z.array(z.string().min(1).max(80)).min(1).max(50).optional(), 'Datasets whose runs are reported', [
      'nbm',
    ]),
    within_minutes: z
      .int()
      .min(MIN_WITHIN_MINUTES)
      .max(MAX_WITHIN_MINUTES)
      .optional()
      .meta({ description: 'How far ahead precipitation is reported', 'x-unit': 'min', examples: [60] }),
  })
  .meta({
    id: 'WebhookFilter',
    description:
      'A place as in /v1/alerts, the least severity, names of alerts, and datasets of runs; for nowcast.onset, the point and how far ahead to report',
  })

const placeNames = ['lat', 'lon', 'bbox', 'area', 'zone', 'office'] as const

/**
 * Checks a filter and returns its stored form, so that a wrong filter is rejected now and not at the first event.
 * @param active names of events of current alerts
 * @throws Fault, Problem
 */
export function storedFilter(
  filter: z.output<typeof filterSchema>,
  events: readonly string[],
  active: Iterable<string>,
): { readonly filter: StoredFilter; readonly warnings: readonly MetaWarning[] } {
  if (events.includes(ONSET) && (filter.lat === undefined || filter.lon === undefined)) {
    throw new Problem(
      'bad-request',
      `\`filter\` must have \`lat\` and \`lon\` for ${ONSET}, but has no point. Add both and try again.`,
      {
        members: { field: 'filter' },
      },
    )
  }
  const where = Object.fromEntries(
    placeNames.flatMap((name) => (filter[name] === undefined ? [] : [[name, String(filter[name])]])),
  )
  alertFilterOf(where)
  const { min_severity, within_minutes } = filter
  const event = filter.event && readEvents('filter.event', filter.event, active)
  const dataset_id = filter.dataset_id?.map((id) => id.trim().toLowerCase())
  if (dataset_id) requireRunDatasets('filter.dataset_id', dataset_id)
  const stored = {
    ...(Object.keys(where).length > 0 && { where }),
    ...(min_severity && { min_severity }),
    ...(event && { event: event.names }),
    ...(dataset_id && { dataset_id }),
    ...(within_minutes !== undefined && { within_minutes }),
  }
  return { filter: stored, warnings: event?.warnings ?? [] }
}

/** Returns the filter of a webhook as answers show it. */
export function shownFilter(hook: Pick<WebhookRow, 'filter'>): z.output<typeof filterSchema> {
  const { where = {}, ...conditions } = hook.filter as StoredFilter
  const place = Object.entries(where).map(([name, value]) => [
    name,
    name === 'lat' || name === 'lon' ? Number(value) : value,
  ])
  return filterSchema.parse({ ...Object.fromEntries(place), ...conditions })
}
