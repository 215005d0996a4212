import { alertShapes, putChanges } from '../../../sql/queries/alerts.ts'
import { lockChanges } from '../../../sql/queries/changes.ts'
import { addToOutbox } from '../../../sql/queries/outbox.ts'
import { type ZoneKey, zoneCells } from '../../../sql/queries/zones.ts'
import type { Queries } from '../../../sql/session.ts'
import type { LifecycleChange } from '../../domain/alert/lifecycle.ts'
import { countyOfSame } from '../../domain/alert/ugc.ts'
import { parentOf } from '../../domain/cell.ts'
import { type AlertChanged, topics } from '../../domain/event.ts'
import { nth } from '../../domain/nth.ts'
import { coarsened } from '../../domain/shape/cover.ts'
import type { Instant } from '../../domain/time.ts'
import { traceparent } from '../../ports/trace.ts'

/** Changes with more cells are sent at the next coarser resolution, so that a change over half of Alaska stays a short message. */
const MAX_CELLS = 120

/** Adds changes to the outbox and to the log for resuming readers, in the caller's transaction. Tests and exercises are not published. */
export async function enqueueChanges(tx: Queries, changes: readonly LifecycleChange[], now: Instant): Promise<void> {
  const public_ = changes.filter(({ head }) => head.status === 'Actual')
  if (public_.length === 0) return
  const shapes = await alertShapes(tx, [...new Set(public_.flatMap(({ head, replaces }) => [head.id, ...replaces]))])
  const placesOf = (change: LifecycleChange) =>
    [change.head.id, ...change.replaces].flatMap((id) => {
      const shape = shapes.get(id)
      if (!shape) return []
      const zones = shape.record.zones.filter(({ code }) => change.areas.includes(code))
      const counties = shape.record.same.map(countyOfSame).filter((code) => code !== undefined)
      return [{ drawn: shape.cells, zones, counties: counties.map((code) => ({ kind: 'county' as const, code })) }]
    })
  const places = new Map(public_.map((change) => [change, placesOf(change)]))
  const named = [...places.values()].flat().flatMap(({ zones, counties }) => [...zones, ...counties])
  const covers = await zoneCells(tx, [...new Map(named.map((zone) => [`${zone.kind}/${zone.code}`, zone])).values()])
  const coverOf = ({ kind, code }: ZoneKey) => covers.get(`${kind}/${code}`)

  const events = public_.map((change) => {
    const { head, replaces } = change
    const cells = new Set<string>()
    for (const { drawn, zones, counties } of places.get(change)!) {
      // The area is the polygon, or the zones without it, and the counties if a zone has no geometry.
      const stands = zones.every((zone) => coverOf(zone)) ? zones : [...zones, ...counties]
      for (const cell of drawn.length > 0 ? drawn : stands.flatMap((zone) => coverOf(zone) ?? [])) cells.add(cell)
    }
    const payload: AlertChanged = {
      id: head.id,
      event: head.event,
      change: change.change,
      areas: [...change.areas],
      cells: shortened(coarsened(cells)),
      expiration: new Date(head.expiration).toISOString(),
      ...(replaces.length > 0 && { replaces: [...replaces] }),
      at: new Date(now).toISOString(),
    }
    return { key: change.key, payload, head }
  })
  await lockChanges(tx)
  const ids = await addToOutbox(
    tx,
    events.map(({ key, payload }) => ({ topic: topics.alerts.name, key, payload, trace: traceparent() })),
  )
  await putChanges(
    tx,
    events.map(({ payload, head }, i) => ({
      id: nth(ids, i),
      alertId: head.id,
      payload,
      office: shapes.get(head.id)?.record.office,
      status: head.status,
      at: new Date(now),
    })),
  )
}

function shortened(cells: readonly string[]): string[] {
  let list = [...cells]
  for (let resolution = 3; list.length > MAX_CELLS && resolution > 0; resolution--) {
    list = [...new Set(list.map((cell) => parentOf(cell, resolution)))].sort()
  }
  return list
}
