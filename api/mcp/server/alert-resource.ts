import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { cellOf, parentOf } from '../../../ingest/domain/cell.ts'
import type { Instant } from '../../../ingest/domain/time.ts'
import { findSpot, type Spot } from '../../dataset/spot.ts'
import { toolErrorOf } from '../protocol/error.ts'
import type { ToolDeps } from '../protocol/tool-deps.ts'
import { CONFIRMED_SECONDS } from '../query/alert-feed.ts'

/** URI template of the alerts at a place, which is a percent-encoded `location` of the tools. */
export const ALERT_TEMPLATE = 'hexcast://alerts/{location}'
const PREFIX = 'hexcast://alerts/'
/** Interval between checks while the feed does not change: alerts expire, and the feed may stop. */
const CHECK_INTERVAL_MS = 15_000
/** Largest number of places that a process watches. */
const MAX_PLACES = 10_000

export const isAlertUri = (uri: string): boolean => uri.startsWith(PREFIX)

/** Returns the arguments of get_alerts that a URI stands for. @throws ProtocolError */
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
    `Resource not found: the URI must be ${PREFIX} and a percent-encoded place of 1 to 200 characters, but was ${uri.slice(0, 200)}.`,
    { uri },
  )
}

interface WatchedPlace {
  readonly spot: Spot
  readonly cell: string
  followers: number
  state: string
}

/** Watches the alerts at the places to which clients have subscribed, and calls `onUpdate` once for each change at a place. */
export class AlertSubscriptions {
  readonly #deps: Pick<ToolDeps, 'alerts' | 'values'>
  readonly #clock: () => Instant
  readonly #onUpdate: (uri: string) => void
  readonly #watched = new Map<string, WatchedPlace>()
  readonly #timer: NodeJS.Timeout

  constructor(
    deps: { deps: Pick<ToolDeps, 'alerts' | 'values'>; clock: () => Instant },
    onUpdate: (uri: string) => void,
  ) {
    this.#deps = deps.deps
    this.#clock = deps.clock
    this.#onUpdate = onUpdate
    deps.deps.alerts.onChange((cells) => this.#check(cells))
    this.#timer = setInterval(() => this.#check(undefined), CHECK_INTERVAL_MS)
    this.#timer.unref()
  }

  get size(): number {
    return this.#watched.size
  }

  /**
   * Watches the place of a URI.
   * @returns a function that ends the subscription
   * @throws ProtocolError for any URI but that of alerts at a place in the coverage, and when too many places are watched
   */
  follow(uri: string): () => void {
    let watched = this.#watched.get(uri)
    if (!watched) {
      if (this.#watched.size >= MAX_PLACES)
        throw new ProtocolError(
          ProtocolErrorCode.InternalError,
          'This server watches too many places already; try again later.',
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
    let isActive = true
    return () => {
      if (!isActive) return
      isActive = false
      if (--watched.followers === 0 && this.#watched.get(uri) === watched) this.#watched.delete(uri)
    }
  }

  close(): void {
    clearInterval(this.#timer)
    this.#watched.clear()
  }

  /** Notifies about the places whose alerts have changed. @param cells the changed cells; undefined for all places */
  #check(cells: readonly string[] | undefined): void {
    const changedCells = cells && new Set(cells)
    // The second digit of an H3 index is its resolution.
    const resolution = Number.parseInt(cells?.[0]?.slice(1, 2) ?? '0', 16)
    for (const [uri, watched] of this.#watched) {
      if (changedCells && !changedCells.has(parentOf(watched.cell, resolution))) continue
      const state = this.#stateAt(watched.spot)
      if (state === watched.state) continue
      watched.state = state
      this.#onUpdate(uri)
    }
  }

  /** Returns the ids of the alerts in effect and whether alerts are known, as text to compare. An updated alert has a new id. */
  #stateAt({ location: { lat, lon } }: Spot): string {
    const { alerts } = this.#deps
    const now = this.#clock()
    const { feed, doubt } = alerts.trust(now)
    const confirmed = feed?.confirmed_at?.getTime()
    const isKnown = confirmed !== undefined && now - confirmed <= CONFIRMED_SECONDS * 1000
    const ids = alerts.index
      .at(lat, lon, alerts.now(now))
      .filter(({ head }) => head.status === 'Actual')
      .map(({ id }) => id)
    return JSON.stringify([isKnown, doubt?.code ?? null, ids.sort()])
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
    const toolError = toolErrorOf(error)
    if (!toolError) throw error
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${toolError.message} Next: ${toolError.next}`, { uri })
  }
}
