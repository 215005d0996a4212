import { cellOf } from '../../ingest/domain/cell.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { mapPaced } from '../../ingest/domain/pacer.ts'
import { type Instant, isoSeconds, MINUTE } from '../../ingest/domain/time.ts'
import { judgeOnset, type OnsetState } from '../../ingest/domain/weather/onset.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { onsetStates, putOnsetState } from '../../sql/queries/onsets.ts'
import { insertDeliveries } from '../../sql/queries/webhook-queue.ts'
import { activeWebhooks } from '../../sql/queries/webhooks.ts'
import type { NowcastAtPoint, Suppliers } from '../contract.ts'
import type { Resolved } from '../query/location.ts'
import { resolve } from '../query/location.ts'
import { bodyOf, deliveryId, maxWaiting, type StoredFilter } from './fan-out.ts'

export const ONSET = 'nowcast.onset'
export const DEFAULT_WITHIN_MINUTES = 60
export const MIN_WITHIN_MINUTES = 5
/** Radar is extrapolated 90 minutes ahead. */
export const MAX_WITHIN_MINUTES = 90

/** A point at which precipitation is reported, and how far ahead. */
export interface OnsetPoint {
  readonly at: Pick<Resolved, 'lat' | 'lon' | 'domain'>
  readonly withinMinutes: number
}

export interface OnsetDeps {
  readonly nowcast: Suppliers['nowcast']
  /** Returns the time of the newest scan with motion in a domain. */
  readonly anchorOf: (domain: Resolved['domain']) => Instant | undefined
  readonly clock: () => Instant
  readonly resolution: number
  readonly simulated: () => boolean
}

/** The event: precipitation begins at a point. */
export interface Onset {
  readonly lat: number
  readonly lon: number
  readonly within_minutes: number
  readonly starts_at: string
  readonly minutes: number
  readonly ends_at: string | null
  readonly type: string
  readonly peak_intensity: string
  readonly generated_at: string
  readonly at: string
  readonly simulated?: true
}

/** Judges a point by the newest scan. @returns undefined if there is no new and recent scan */
export async function lookForOnset(
  deps: OnsetDeps,
  { at, withinMinutes }: OnsetPoint,
  before: OnsetState | undefined,
): Promise<{ readonly state: OnsetState; readonly onset: Onset | undefined } | undefined> {
  const anchor = deps.anchorOf(at.domain)
  if (anchor === undefined || !deps.nowcast || (before && anchor <= before.anchor)) return undefined
  const now = deps.clock()
  let nowcast: NowcastAtPoint
  try {
    nowcast = await deps.nowcast({ ...at, cell: cellOf(at.lat, at.lon, deps.resolution), now })
  } catch (error) {
    // Without a recent scan, the previous state stays.
    if (!isFault(error)) throw error
    return undefined
  }
  const { startsAt, endsAt, type, peakIntensity } = nowcast.summary
  const blind = startsAt === undefined && nowcast.points.some((point) => point.type === 'no_coverage')
  const { state, begins } = judgeOnset(before, { anchor: nowcast.anchor, startsAt, blind }, now, withinMinutes)
  if (!begins || startsAt === undefined) return { state, onset: undefined }
  return {
    state,
    onset: {
      ...{ lat: at.lat, lon: at.lon, within_minutes: withinMinutes },
      starts_at: isoSeconds(startsAt),
      minutes: Math.max(0, Math.round((startsAt - now) / MINUTE)),
      ends_at: endsAt === undefined ? null : isoSeconds(endsAt),
      ...{ type, peak_intensity: peakIntensity },
      generated_at: isoSeconds(nowcast.anchor),
      at: new Date(now).toISOString(),
      ...(deps.simulated() && { simulated: true }),
    },
  }
}

/** Returns the point of a webhook; undefined if the point is no longer in the coverage. */
function pointOf({ where, within_minutes }: StoredFilter): OnsetPoint | undefined {
  try {
    const { lat, lon, domain } = resolve({ kind: 'point', lat: Number(where?.['lat']), lon: Number(where?.['lon']) })
    return { at: { lat, lon, domain }, withinMinutes: within_minutes ?? DEFAULT_WITHIN_MINUTES }
  } catch (error) {
    if (!isFault(error)) throw error
    return undefined
  }
}

/**
 * Returns a function that checks the points of all webhooks for nowcast.onset when there is a new scan. The state and the call are stored
 * in one transaction, so that each onset is reported once even if a process ends or several processes check at the same time.
 */
export function onsetWatch(deps: OnsetDeps & { readonly database: Database }): () => Promise<void> {
  const { database } = deps
  let checkedScans = ''
  return async () => {
    // Scans arrive every two minutes; this function runs every second.
    const scans = (['conus', 'alaska', 'hawaii'] as const).map((domain) => deps.anchorOf(domain) ?? 0).join()
    if (scans === checkedScans) return
    const hooks = (await activeWebhooks(database)).filter(({ events }) => events.includes(ONSET))
    const states = hooks.length > 0 ? await onsetStates(database) : new Map<string, OnsetState>()
    await mapPaced(hooks, async ({ id, filter }) => {
      const point = pointOf(filter as StoredFilter)
      if (!point) return
      const subject = `onset ${point.at.lat},${point.at.lon} ${point.withinMinutes}`
      const before = states.get(`${id} ${subject}`)
      const result = await lookForOnset(deps, point, before)
      if (!result || result.state === before) return
      const { state, onset } = result
      await database.transaction(async (tx) => {
        if (!(await putOnsetState(tx, id, subject, state)) || !onset) return
        const body = bodyOf(ONSET, onset.at, onset)
        const call = { id: deliveryId(), webhookId: id, subject, type: ONSET, body }
        await insertDeliveries(tx, [{ ...call, source: ONSET, sourceId: state.anchor }], maxWaiting)
      })
    })
    checkedScans = scans
  }
}
