import PQueue from 'p-queue'
import {
  type FeedState,
  feedState,
  feedStates,
  markConfirmed,
  markFailed,
  nextVersion,
  storeRejected,
} from '../../../sql/queries/feeds.ts'
import { isSimulated } from '../../../sql/queries/origin.ts'
import { readPublicZones } from '../../decode/zone.ts'
import { publicZonesUrl } from '../../domain/alert/ugc.ts'
import { isFault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { DAY, MINUTE } from '../../domain/time.ts'
import { packShapes } from '../../geo/shapes.ts'
import { stateByCode } from '../../geo/state.ts'
import { thin } from '../../geo/thin.ts'
import { officeAt, usePublicZones } from '../../geo/zone.ts'
import { PUBLIC_ZONES, publicZonesKey } from '../../tile/public-zones-file.ts'
import { readConditionally } from './conditional-read.ts'
import type { FeedDeps } from './feed.ts'

/** The NWS renumbers zones twice a year, on dates published in advance. */
const REREAD_AFTER_MS = 7 * DAY
const RETRY_AFTER_MS = 10 * MINUTE
/** After this many unreadable states, the remaining states wait for the next round. */
const MAX_FAILED = 3
/** Two of the four concurrent requests that the host allows, so that geometries of alerts do not wait. */
const CONCURRENCY = 2
const MAX_LIST_BYTES = 96 * 1024 * 1024
/** Tolerance of simplification as in the packaged zones, degrees (55 m). */
const TOLERANCE = 5e-4
/** Level of zstd; a state is packed within 20 ms. */
const LEVEL = 3

/**
 * Loads the public forecast zones of states that are not stored or were not read for a week, with one request for each state. A state
 * that cannot be read keeps its zones and is read again after ten minutes.
 * @returns lines for the operator
 */
export async function loadPublicZones(deps: FeedDeps): Promise<string[]> {
  const { database } = deps
  const simulated = (await isSimulated(database)) === true
  const { now, feeds } = await feedStates(database, PUBLIC_ZONES)
  const known = new Map(feeds.map((state) => [state.feed.slice(PUBLIC_ZONES.length), state]))
  const age = (at: Date | null | undefined) => (at ? now.getTime() - at.getTime() : Number.POSITIVE_INFINITY)
  const due = [...stateByCode.keys()].filter((code) => {
    const state = known.get(code)
    return age(state?.looked_at) > (state?.failure ? RETRY_AFTER_MS : REREAD_AFTER_MS)
  })
  let loaded = 0
  const faults: string[] = []
  const rejections: string[] = []
  const load = async (state: string) => {
    if (faults.length >= MAX_FAILED) return
    try {
      const rejected = await loadState(deps, simulated, state, known.get(state))
      if (rejected) loaded++
      for (const { detail } of rejected ?? []) rejections.push(detail)
    } catch (error) {
      if (!isFault(error)) throw error
      faults.push(error.message)
      await markFailed(database, `${PUBLIC_ZONES}${state}`, error.message.slice(0, 500))
    }
  }
  await new PQueue({ concurrency: CONCURRENCY }).addAll(due.map((state) => () => load(state)))
  return [
    ...(loaded > 0 ? [`public zones of ${loaded} states`] : []),
    ...faults.map((fault) => `public zones: ${fault}`),
    ...(rejections.length > 0 ? [`${rejections.length} public zones could not be read: ${rejections[0]}`] : []),
  ]
}

/**
 * @param known the feed state that showed that the file is due
 * @returns the rejected zones; undefined if nothing changed
 */
async function loadState(deps: FeedDeps, simulated: boolean, state: string, known: FeedState | undefined) {
  const { database, objects } = deps
  const feed = `${PUBLIC_ZONES}${state}`
  const key = publicZonesKey(simulated, state)
  const before = await feedState(database, feed)
  // Another sweep has read the file in the meantime.
  if (before?.looked_at?.getTime() !== known?.looked_at?.getTime()) return undefined
  // If the object is missing, the list must be read even if it is unchanged.
  if (before?.digest && (await objects.size(key)) === undefined) await markFailed(database, feed, `${key} is absent`, 0)
  const read = await readConditionally(deps, feed, publicZonesUrl(state), {
    accept: 'application/geo+json',
    idleMs: 30_000,
    totalMs: 180_000,
    maxBytes: MAX_LIST_BYTES,
  })
  if (read.state === 'unchanged') return undefined
  const { zones, rejected } = readPublicZones(new TextDecoder().decode(read.bytes), state)
  const packed = packShapes(
    zones.map(({ code, office, name, area }) => {
      const [lon, lat] = nth(nth(nth(area, 0), 0), 0)
      return {
        name: `${code} ${office || (officeAt(lat, lon) ?? '')} ${name}`,
        rings: area
          .flatMap((polygon) => polygon.map((ring) => thin(ring, TOLERANCE)))
          .filter((ring) => ring.length > 2),
      }
    }),
    LEVEL,
  )
  await objects.put(key, packed)
  usePublicZones(state, packed)
  await database.transaction(async (tx) => {
    await storeRejected(
      tx,
      'zones',
      rejected.map((row) => ({ reason: 'zone', ...row })),
    )
    await markConfirmed(tx, feed, {
      ...read.validators,
      suspicious: false,
      rejected: { zone: rejected.length },
      version: await nextVersion(tx),
    })
  })
  return rejected
}
