import { z } from 'zod'
import type { WebhookRow } from '../../sql/queries/webhooks.ts'
import { alertFilterOf } from '../changes/alert-changes.ts'
import { requireRunDatasets } from '../changes/run-changes.ts'
import type { MetaWarning } from '../contract.ts'
import { Problem } from '../problem.ts'
import { readEvents } from '../query/events.ts'
import { printable } from '../query/printable.ts'
import type { StoredFilter } from './fan-out.ts'
import { MAX_WITHIN_MINUTES, MIN_WITHIN_MINUTES, ONSET } from './onset-watch.ts'

export const filterSchema = z
  .strictObject({
    lat: z.number().min(-90).max(90).optional(),
    lon: z.number().min(-180).max(180).optional(),
    ...{
      bbox: z.string().max(120).optional(),
      area: z.string().max(10).optional(),
      zone: z.string().max(10).optional(),
    },
    office: z.string().max(10).optional(),
    min_severity: z.enum(['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown']).optional(),
    event: z.array(printable.min(1).max(100)).min(1).max(50).optional(),
    dataset_id: z.array(z.string().min(1).max(80)).min(1).max(50).optional(),
    within_minutes: z.int().min(MIN_WITHIN_MINUTES).max(MAX_WITHIN_MINUTES).optional(),
  })
  .meta({
    id: 'WebhookFilter',
    description:
      'A place as /v1/alerts has it, the least severity, names of alerts, datasets of runs; of nowcast.onset the point and how far ahead',
  })

const placeNames = ['lat', 'lon', 'bbox', 'area', 'zone', 'office'] as const

/**
 * A filter that was tried: what it cannot mean is refused now, not when the first event comes.
 * @param active names of events of current alerts
 * @throws Fault, Problem
 */
export function storedFilter(
  filter: z.output<typeof filterSchema>,
  events: readonly string[],
  active: Iterable<string>,
): { readonly filter: StoredFilter; readonly warnings: readonly MetaWarning[] } {
  if (events.includes(ONSET) && (filter.lat === undefined || filter.lon === undefined)) {
    throw new Problem('bad-request', `filter: wanted lat and lon for ${ONSET}, got no point.`, {
      members: { field: 'filter' },
    })
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

export function shownFilter(hook: Pick<WebhookRow, 'filter'>): z.output<typeof filterSchema> {
  const { where = {}, ...rest } = hook.filter as StoredFilter
  const place = Object.entries(where).map(([name, value]) => [
    name,
    name === 'lat' || name === 'lon' ? Number(value) : value,
  ])
  return filterSchema.parse({ ...Object.fromEntries(place), ...rest })
}
