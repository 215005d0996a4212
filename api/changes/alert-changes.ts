import { z } from 'zod'
import { countyOfSame, isMarine } from '../../ingest/domain/alert/ugc.ts'
import { type AlertChanged, alertChanged } from '../../ingest/domain/event.ts'
import { type Shape, shapeCovers, shapeOfWkb, shapeTouchesBox } from '../../ingest/domain/shape/shape.ts'
import { counties } from '../../ingest/geo/place.ts'
import { placesOf, sameOf, severitiesOf, shapesOfCodes } from '../../sql/queries/alerts.ts'
import { type AlertChangeRow, alertChangesAfter } from '../../sql/queries/changes.ts'
import type { Queries } from '../../sql/session.ts'
import { requireArea } from '../query/area.ts'
import { parseBox, requireDomain } from '../query/box.ts'
import { resolve } from '../query/location.ts'
import { parseParameters, selectorOf } from '../query/query.ts'
import { wayOf, whereShape } from '../query/where.ts'
import type { RouteRequest } from '../route.ts'

const PAGE_SIZE = 50

/** A change of an alert, as streams deliver it. */
export interface AlertChangeEvent {
  readonly topic: 'alert'
  readonly id: number
  readonly payload: AlertChanged
  readonly office: string | null
  /** Severities of the message and of the messages that it replaces; undefined for a deleted message. */
  readonly severities: readonly (string | undefined)[]
  /** Previous and current area as polygons, else as the shapes of zones. */
  readonly places: readonly { readonly shape: Shape; readonly marine: boolean }[]
}

export type AlertFilter = (change: AlertChangeEvent) => boolean

/** Returns at most 50 changes of alerts after a number, oldest first. */
export async function alertChangesWithPlaces(db: Queries, after: number): Promise<AlertChangeEvent[]> {
  return withPlaces(db, await alertChangesAfter(db, after, PAGE_SIZE))
}

/** Returns changes with their previous and current areas. */
export async function withPlaces(db: Queries, rows: readonly AlertChangeRow[]): Promise<AlertChangeEvent[]> {
  const parsed = rows.map(({ id, office, payload }) => ({ id, office, payload: alertChanged.parse(payload) }))
  const ids = parsed.flatMap(({ payload }) => [payload.id, ...(payload.replaces ?? [])])
  const places = ids.length > 0 ? await placesOf(db, ids) : []
  const severityOf = new Map(
    (ids.length > 0 ? await severitiesOf(db, ids) : []).map(({ id, severity }) => [id, severity]),
  )
  const changes = parsed.map((change) => {
    const { id, replaces, areas } = change.payload
    const own = new Set([id, ...(replaces ?? [])])
    const stored = places.filter(({ alert_id, code }) => own.has(alert_id) && (code === null || areas.includes(code)))
    const codes = new Set(stored.map(({ code }) => code))
    const unresolved = codes.has(null) ? [] : areas.filter((code) => !codes.has(code))
    return { ...change, stored, unresolved }
  })
  const missingPlacesOf = await readMissingPlaces(db, changes)
  return changes.map((change): AlertChangeEvent => {
    const { id, payload, office, stored } = change
    const drawn = stored.filter(({ code }) => code === null)
    return {
      topic: 'alert',
      id,
      payload,
      office,
      severities: [payload.id, ...(payload.replaces ?? [])].map((id) => severityOf.get(id)),
      places: (drawn.length > 0 ? drawn : [...stored, ...missingPlacesOf(change)]).map(({ wkb, code }) => ({
        shape: shapeOfWkb(wkb),
        marine: code === null ? payload.areas.length > 0 && payload.areas.every(isMarine) : isMarine(code),
      })),
    }
  })
}

interface UnresolvedChange {
  readonly payload: AlertChanged
  /** Zones of the alert without a stored shape. */
  readonly unresolved: readonly string[]
}

/**
 * Reads the shapes that the stored alerts lack. Alerts are deleted a day after their end, so their zones come from the change. Zones
 * without geometry are replaced by their counties, as in answers.
 */
async function readMissingPlaces(
  db: Queries,
  changes: readonly UnresolvedChange[],
): Promise<(change: UnresolvedChange) => { code: string; wkb: Uint8Array }[]> {
  const ids = changes.flatMap(({ payload, unresolved }) => (unresolved.length > 0 ? [payload.id] : []))
  if (ids.length === 0) return () => []
  const counties = new Map<string, string[]>()
  for (const { id, same } of await sameOf(db, ids))
    counties.set(
      id,
      same.map(countyOfSame).filter((code) => code !== undefined),
    )
  const codes = [...changes.flatMap(({ unresolved }) => unresolved), ...[...counties.values()].flat()]
  const shapes = await shapesOfCodes(db, [...new Set(codes)])
  const withShape = new Set(shapes.map(({ code }) => code))
  return ({ payload, unresolved }) => {
    const needsCounties = unresolved.some((code) => !withShape.has(code) && !isMarine(code))
    const needed = new Set([...unresolved, ...(needsCounties ? (counties.get(payload.id) ?? []) : [])])
    return shapes.filter(({ code }) => needed.has(code))
  }
}

const severities = ['Unknown', 'Minor', 'Moderate', 'Severe', 'Extreme'] as const
export const eventShape = {
  ...whereShape,
  min_severity: z
    .enum(severities)
    .optional()
    .meta({
      description: 'The least severity; an update also passes if the alert before it had this severity',
      expected: `one of ${severities.join(', ')}`,
    }),
}

/**
 * Returns a filter of changes by place and severity. A change that lowers the severity below the limit, or whose message is deleted,
 * passes too, so that no receiver keeps an alert that has ended.
 * @throws Fault, Problem unless the parameters name one place or none
 */
export function alertFilterOf(query: RouteRequest['query']): AlertFilter {
  const { min_severity, ...values } = parseParameters(eventShape, query)
  const place = placeFilter(values, query)
  if (min_severity === undefined) return place
  const least = severities.indexOf(min_severity)
  const isGrave = (severity: string | undefined) =>
    severity === undefined || severities.indexOf(severity as 'Minor') >= least
  return (change) => change.severities.some(isGrave) && place(change)
}

function placeFilter(values: z.output<z.ZodObject<typeof whereShape>>, query: RouteRequest['query']): AlertFilter {
  const way = wayOf(values, query)
  requireArea(values, () => false)
  if (way === 'a point') {
    const { lat, lon } = resolve(selectorOf(values))
    const land = counties().at(lat, lon).length > 0
    return ({ places }) => places.some(({ shape, marine }) => !(marine && land) && shapeCovers(shape, lon, lat))
  }
  const { bbox, area, zone, office } = values
  if (bbox !== undefined) {
    const box = parseBox(bbox)
    requireDomain(box)
    return ({ places }) => places.some(({ shape }) => shapeTouchesBox(shape, box))
  }
  if (area !== undefined) return ({ payload }) => payload.areas.some((code) => code.startsWith(area))
  if (zone !== undefined) return ({ payload }) => payload.areas.includes(zone)
  if (office !== undefined) return (change) => change.office === office
  return () => true
}
