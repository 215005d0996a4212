import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { cellOf, parentOf } from '../../../ingest/domain/cell.ts'
import type { Instant } from '../../../ingest/domain/time.ts'
import { findSpot, type Spot } from '../../dataset/spot.ts'
import { toolErrorOf } from '../protocol/error.ts'
import type { ToolDeps } from '../protocol/tool-deps.ts'
import { CONFIRMED_SECONDS } from '../query/alert-feed.ts'

/** Alerts at a place as a resource: the place is whatever `location` of the tools takes, percent-encoded. */
export const ALERT_TEMPLATE = 'hexcast://alerts/{location}'
const PREFIX = 'hexcast://alerts/'
/** Between two looks without a change of the feed: alerts end by themselves, and a feed may fall silent. */
const LOOK_MS = 15_000
/** Places that one process watches. */
const MAX_PLACES = 10_000

export const isAlertUri = (uri: string): boolean => uri.startsWith(PREFIX)

/** The arguments of get_alerts that a URI stands for. @throws ProtocolError */
export function alertPlace(uri: string): { location: string } {
  const encoded = uri.slice(PREFIX.length)
  try {
    const location = decodeURIComponent(encoded)
    if (location.length > 0 && location.length <= 200) return { location }
  } catch (error) {
    if (!(error instanceof URIError)) throw error
  }
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Resource not found: wanted ${PREFIX} and a percent-encoded place of 1 to 200 characters, got ${uri.slice(0, 200)}.`,
    { uri },
  )
}

interface Watched {
  readonly spot: Spot
  readonly cell: string
  followers: number
  state: string
}

/** Follows the alerts at the places that clients have subscribed to, and calls `onUpdate` once for each change at one of them. */
export class AlertSubscriptions {
  readonly #deps: Pick<ToolDeps, 'alerts' | 'values'>
  readonly #clock: () => Instant
  readonly #onUpdate: (uri: string) => void
  readonly #watched = new Map<string, Watched>()
  readonly #timer: NodeJS.Timeout

  constructor(
    deps: { deps: Pick<ToolDeps, 'alerts' | 'values'>; clock: () => Instant },
    onUpdate: (uri: string) => void,
  ) {
    this.#deps = deps.deps
    this.#clock = deps.clock
    this.#onUpdate = onUpdate
    deps.deps.alerts.onChange((cells) => this.#look(cells))
    this.#timer = setInterval(() => this.#look(undefined), LOOK_MS)
    this.#timer.unref()
  }

  get size(): number {
    return this.#watched.size
  }

  /** @returns how to stop. @throws ProtocolError for a URI that is no alerts of a place in the coverage, or one too many */
  follow(uri: string): () => void {
    let watched = this.#watched.get(uri)
    if (!watched) {
      if (this.#watched.size >= MAX_PLACES)
        throw new ProtocolError(
          ProtocolErrorCode.InternalError,
          'Too many places are followed on this server; try again later.',
        )
      const spot = placeOf(uri)
      const { lat, lon } = spot.location
      watched = {
        spot,
        cell: cellOf(lat, lon, this.#deps.values.resolution),
        followers: 0,
        state: this.#stateAt(spot),
      }
      this.#watched.set(uri, watched)
    }
    watched.followers++
    let following = true
    return () => {
      if (!following) return
      following = false
      if (--watched.followers === 0 && this.#watched.get(uri) === watched) this.#watched.delete(uri)
    }
  }

  close(): void {
    clearInterval(this.#timer)
    this.#watched.clear()
  }

  #look(cells: readonly string[] | undefined): void {
    const near = cells && new Set(cells)
    const resolution = cells?.[0] === undefined ? 0 : Number.parseInt(cells[0].slice(1, 2), 16)
    for (const [uri, watched] of this.#watched) {
      if (near && !near.has(parentOf(watched.cell, resolution))) continue
      const state = this.#stateAt(watched.spot)
      if (state === watched.state) continue
      watched.state = state
      this.#onUpdate(uri)
    }
  }

  /** What a reader would find: which alerts are in effect, or that they are not known. A message that is updated has a new id. */
  #stateAt({ location: { lat, lon } }: Spot): string {
    const { alerts } = this.#deps
    const now = this.#clock()
    const { feed, doubt } = alerts.trust(now)
    const confirmed = feed?.confirmed_at?.getTime()
    const known = confirmed !== undefined && now - confirmed <= CONFIRMED_SECONDS * 1000
    const ids = alerts.index
      .at(lat, lon, alerts.now(now))
      .filter(({ head }) => head.status === 'Actual')
      .map(({ id }) => id)
    return JSON.stringify([known, doubt?.code ?? null, ids.sort()])
  }
}

function placeOf(uri: string): Spot {
  if (!isAlertUri(uri))
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Only ${ALERT_TEMPLATE} can be subscribed to; ${uri.slice(0, 200)} does not change while the server runs.`,
      { uri },
    )
  try {
    return findSpot(alertPlace(uri))
  } catch (error) {
    const known = toolErrorOf(error)
    if (!known) throw error
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${known.message} Next: ${known.next}`, { uri })
  }
}
