import { z } from 'zod'
import { countyOfSame, isMarine } from '../../ingest/domain/alert/ugc.ts'
import { type AlertChanged, alertChanged } from '../../ingest/domain/event.ts'
import type { Box } from '../../ingest/domain/shape/ring.ts'
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
  /** Of the message and of those that it replaces; undefined for one that is deleted. */
  readonly severities: readonly (string | undefined)[]
  /** Previous and current area: polygons, else the shapes of zones. */
  readonly places: readonly { readonly shape: Shape; readonly marine: boolean }[]
}

export type AlertFilter = (change: AlertChangeEvent) => boolean

/** Changes of alerts after a number, oldest first, at most a page of them. */
export async function alertChangesWithPlaces(db: Queries, after: number): Promise<AlertChangeEvent[]> {
  return withPlaces(db, await alertChangesAfter(db, after, PAGE_SIZE))
}

/** Changes with where they were and are. */
export async function withPlaces(db: Queries, rows: readonly AlertChangeRow[]): Promise<AlertChangeEvent[]> {
  const payloads = rows.map((row) => alertChanged.parse(row.payload))
  const ids = payloads.flatMap(({ id, replaces }) => [id, ...(replaces ?? [])])
  const places = ids.length > 0 ? await placesOf(db, ids) : []
  const grave = new Map((ids.length > 0 ? await severitiesOf(db, ids) : []).map(({ id, severity }) => [id, severity]))
  const known = payloads.map(({ id, replaces, areas }) => {
    const own = new Set([id, ...(replaces ?? [])])
    return places.filter(({ alert_id, code }) => own.has(alert_id) && (code === null || areas.includes(code)))
  })
  const further = await furtherPlaces(db, payloads, known)
  return rows.map((row, i): AlertChangeEvent => {
    const payload = payloads[i]!
    const drawn = known[i]!.filter(({ code }) => code === null)
    const mine = [...known[i]!, ...further[i]!]
    return {
      topic: 'alert',
      id: row.id,
      payload,
      office: row.office,
      severities: [payload.id, ...(payload.replaces ?? [])].map((id) => grave.get(id)),
      places: (drawn.length > 0 ? drawn : mine).map(({ wkb, code }) => ({
        shape: shapeOfWkb(wkb),
        marine: code === null ? payload.areas.length > 0 && payload.areas.every(isMarine) : isMarine(code),
      })),
    }
  })
}

/**
 * Shapes that the stored alerts do not have. Alerts are deleted a day after their end: their zones come from the change. Zones
 * without geometry are replaced by their counties, as in answers.
 */
async function furtherPlaces(
  db: Queries,
  payloads: readonly AlertChanged[],
  known: readonly (readonly { readonly code: string | null }[])[],
): Promise<{ code: string; wkb: Uint8Array }[][]> {
  const unresolved = payloads.map(({ areas }, i) => {
    const codes = new Set(known[i]!.map(({ code }) => code))
    return codes.has(null) ? [] : areas.filter((code) => !codes.has(code))
  })
  const ids = payloads.flatMap(({ id }, i) => (unresolved[i]!.length > 0 ? [id] : []))
  if (ids.length === 0) return payloads.map(() => [])
  const counties = new Map<string, string[]>()
  for (const { id, same } of await sameOf(db, ids)) {
    counties.set(
      id,
      same.map(countyOfSame).filter((code) => code !== undefined),
    )
  }
  const shapes = await shapesOfCodes(db, [...new Set([...unresolved.flat(), ...[...counties.values()].flat()])])
  const withShape = new Set(shapes.map(({ code }) => code))
  return payloads.map(({ id }, i) => {
    const unknown = unresolved[i]!.some((code) => !withShape.has(code) && !isMarine(code))
    const wanted = new Set([...unresolved[i]!, ...(unknown ? (counties.get(id) ?? []) : [])])
    return shapes.filter(({ code }) => wanted.has(code))
  })
}

const severities = ['Unknown', 'Minor', 'Moderate', 'Severe', 'Extreme'] as const
export const eventShape = {
  ...whereShape,
  min_severity: z
    .enum(severities)
    .optional()
    .meta({
      description: 'The least severity; of an update also that of the alert before it',
      wanted: severities.join(', '),
    }),
}

/**
 * Whether a change concerns a place and is grave enough. One that leaves the severity, or whose message is deleted, passes: nobody
 * is left with an alert that is over.
 * @throws Fault, Problem: the parameters name no one place
 */
export function alertFilterOf(query: RouteRequest['query']): AlertFilter {
  const { min_severity, ...values } = parseParameters(eventShape, query)
  const place = placeFilter(values, query)
  if (min_severity === undefined) return place
  const least = severities.indexOf(min_severity)
  const isGrave = (one: string | undefined) => one === undefined || severities.indexOf(one as 'Minor') >= least
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
  if (way === 'bbox') {
    const box: Box = parseBox(values.bbox!)
    requireDomain(parseBox(values.bbox!))
    return ({ places }) => places.some(({ shape }) => shapeTouchesBox(shape, box))
  }
  if (way === 'area') return ({ payload }) => payload.areas.some((code) => code.startsWith(values.area!))
  if (way === 'zone') return ({ payload }) => payload.areas.includes(values.zone!)
  if (way === 'office') return ({ office }) => office === values.office
  return () => true
}
