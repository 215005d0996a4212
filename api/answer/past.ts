import { LRUCache } from 'lru-cache'
import { Fault } from '../../ingest/domain/fault.ts'
import { type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import { databaseInPast } from '../../ingest/ports/database/past.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { historyStart, type StateAt, servedStatesAt } from '../../sql/queries/versions.ts'
import { models } from '../blend/field-table.ts'
import type { PointAt, Suppliers } from '../contract.ts'
import { openAirQuality } from '../live/air-quality.ts'
import type { AlertWatch } from '../live/alert-watch.ts'
import { openAlerts } from '../live/alerts.ts'
import { type HistorySource, openHistory } from '../live/history.ts'
import { configured, type Live } from '../live/index.ts'
import { openObservations } from '../live/observations.ts'
import { openOutlooks } from '../live/outlooks.ts'
import { openRadar } from '../live/radar-source.ts'
import { type Current, SERVED_RUNS, watchCurrent } from '../live/served-runs.ts'
import type { LiveDeps, LiveSource } from '../live/source.ts'
import { openTexts } from '../live/texts.ts'
import { Openings } from './openings.ts'
import type { ValueDeps } from './values.ts'
import { createWeather, type Weather } from './weather.ts'

/** The answers for one earlier instant. */
export interface PastAnswers {
  readonly at: Instant
  readonly weather: Weather
  readonly values: ValueDeps
  /** The alerts at that instant. @throws Fault Refused if they were not recorded */
  alerts(): Promise<AlertWatch>
}

export interface Past {
  /**
   * Opens the runs, alerts, outlooks, frames, reports and texts that were served at an instant. The clock of these
   * answers is `at`.
   * @throws Fault Missing with the available range if the instant is before the first stored instant or in the future
   * @throws Problem service-unavailable if too many earlier states are being opened
   */
  answersAt(at: Instant): Promise<PastAnswers>
}

export interface PastDeps extends Omit<LiveDeps, 'current' | 'states'> {
  readonly live: Live
  readonly values: ValueDeps
}

/** Live sources, with the name under which their states are recorded. */
const sources = {
  alerts: { state: 'alerts', open: openAlerts },
  outlooks: { state: 'spc/', open: openOutlooks },
  observations: { state: 'metar', open: openObservations },
  airQuality: { state: 'airnow', open: openAirQuality },
  texts: { state: 'text/', open: openTexts },
} as const
type SourceName = keyof typeof sources

/** Maximum number of states of sources that stay open, because a caller often requests several answers for one time. */
const MAX_OPEN = 12
/** Maximum number of histories that stay open; each holds open runs. */
const MAX_OPEN_HISTORIES = 3

/** A source at one recorded state. */
interface OpenState {
  readonly source: LiveSource
  /**
   * The newest instant for which the source was read. An earlier instant needs a new source, because the source no
   * longer has the texts that ended in between.
   */
  at: Instant
  /** Sets the clock of the source and reads it. */
  confirm(readAt: Instant): Promise<void>
  /** The last request in the queue of requests that use the source. */
  turn: Promise<unknown>
}

/**
 * Opens the live sources over the past of the database, where the same code reads the rows as they were at that time.
 */
export function openPast(deps: PastDeps): Past {
  const openings = new Openings()
  const earlier = new EarlierStates(deps, openings)
  return {
    async answersAt(at) {
      const states = await openings.enter(() => statesAt(deps.database, deps.clock(), at))
      const runs = states.get(SERVED_RUNS)
      if (!runs) throw unrecorded()
      const current = await earlier.currentAt(runs)
      const history = earlier.historyAt(runs, current)
      const supplierOf = (name: SourceName) => (point: PointAt) =>
        earlier.supply(name, current, states.get(sources[name].state), point)
      const suppliers: Suppliers = {
        ...openRadar({ ...deps, current }).suppliers,
        ...history.suppliers,
        alerts: supplierOf('alerts'),
        outlooks: supplierOf('outlooks'),
        observations: supplierOf('observations'),
        airQuality: supplierOf('airQuality'),
        texts: supplierOf('texts'),
        // Normals of 30 years are the same at every instant.
        climate: deps.live.suppliers.climate,
      }
      const values: ValueDeps = {
        ...deps.values,
        current,
        suppliers: configured(suppliers, deps.takes),
        history,
        states: undefined,
      }
      return {
        at,
        values,
        weather: createWeather({ ...values, cacheBytes: 1 }),
        alerts: () => earlier.alertsAt(current, states.get(sources.alerts.state)),
      }
    },
  }
}

/** The recorded states of sources, which stay open for later requests. */
class EarlierStates {
  readonly #deps: PastDeps
  readonly #openings: Openings
  readonly #sources = new LRUCache<string, Promise<OpenState>>({ max: MAX_OPEN })
  readonly #runs = new LRUCache<string, Promise<Current>>({ max: MAX_OPEN })
  readonly #histories = new LRUCache<string, HistorySource>({ max: MAX_OPEN_HISTORIES })

  constructor(deps: PastDeps, openings: Openings) {
    this.#deps = deps
    this.#openings = openings
  }

  /** The served runs of a state. @throws Problem service-unavailable if too many states are being opened */
  async currentAt(state: StateAt): Promise<Current> {
    const key = `${state.since}`
    let opening = this.#runs.get(key)
    if (!opening) {
      this.#openings.check()
      opening = this.#openings.add(() => this.#openRuns(state))
      this.#runs.set(key, opening)
      opening.catch(() => this.#runs.delete(key))
    }
    return Object.create(await opening, { confirmedAt: { value: () => state.readAt } }) as Current
  }

  historyAt(state: StateAt, current: Current): HistorySource {
    const key = `${state.since}`
    let history = this.#histories.get(key)
    if (!history) {
      const database = this.#databaseAt(state, () => state.since)
      this.#histories.set(key, (history = openHistory({ database, objects: this.#deps.objects, current })))
    }
    return history
  }

  /** Returns the data that a source supplied at a point, confirmed at the time of its last read before the instant. */
  async supply(name: SourceName, current: Current, state: StateAt | undefined, point: PointAt): Promise<never> {
    if (!state) throw unrecorded()
    const key = `${name} ${state.since}`
    let opening = this.#sources.get(key)
    if (!opening || (await opening).at > point.now) {
      opening = this.#openings.add(() => this.#openSource(name, current, state))
      this.#sources.set(key, opening)
      opening.catch(() => this.#sources.delete(key))
    }
    const open = await opening
    open.at = point.now
    const turn = open.turn.then(async () => {
      await open.confirm(state.readAt)
      return (open.source.suppliers[name] as (at: PointAt) => Promise<never>)(point)
    })
    open.turn = turn.catch(() => undefined)
    return turn
  }

  /** The alerts of a state. Their source is not shared, because it is confirmed at a single instant. */
  async alertsAt(current: Current, state: StateAt | undefined): Promise<AlertWatch> {
    if (!state) throw unrecorded()
    const { source, confirm } = await this.#openings.add(() => this.#openSource('alerts', current, state))
    await confirm(state.readAt)
    return source as AlertWatch & LiveSource
  }

  #databaseAt(state: StateAt, clock: () => Instant) {
    const { database } = this.#deps
    return databaseInPast(database, { snapshot: state.snapshot, clock: () => new Date(clock() + state.clockLead) })
  }

  async #openRuns(state: StateAt): Promise<Current> {
    const clock = () => state.since
    const database = this.#databaseAt(state, clock)
    const current = await watchCurrent({ database, objects: this.#deps.objects, clock, withEarlier: models })
    await current.close()
    return current
  }

  /** Opens a source with the clock of its last change, so that it loads what it served then. */
  async #openSource(name: SourceName, current: Current, state: StateAt): Promise<OpenState> {
    let time = state.since
    const clock = () => time
    const { open } = sources[name]
    const database = this.#databaseAt(state, clock)
    const source: LiveSource = await open({
      ...this.#deps,
      database,
      clock,
      events: undefined,
      current,
      states: undefined,
    })
    const confirm = async (readAt: Instant) => {
      time = readAt
      await source.read?.()
    }
    await source.close?.()
    return { source, at: state.since, confirm, turn: Promise.resolve() }
  }
}

function unrecorded(): Fault {
  return new Fault('Refused', 'as_of: the state of a source at this instant is not recorded. Use a later instant.')
}

/** States by source. @throws Fault Missing if the instant is outside the stored range */
async function statesAt(database: Database, now: Instant, at: Instant): Promise<Map<string, StateAt>> {
  const start = (await historyStart(database))?.getTime()
  if (start === undefined || at < start || at > now) {
    const range =
      start === undefined
        ? 'this installation stores no history'
        : `answers are available from ${isoSeconds(Math.ceil(start / 1000) * 1000)} to ${isoSeconds(now)}`
    throw new Fault('Missing', `as_of: ${new Date(at).toISOString()} is not available: ${range}.`, { field: 'as_of' })
  }
  return new Map((await servedStatesAt(database, new Date(at))).map((state) => [state.source, state]))
}
