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

/** The pipeline over what was served at an instant. */
export interface PastAnswers {
  readonly at: Instant
  readonly weather: Weather
  readonly values: ValueDeps
  /** The alerts of then. @throws Fault Refused where they were not recorded */
  alerts(): Promise<AlertWatch>
}

export interface Past {
  /**
   * What was served at an instant: the runs, alerts, outlooks, frames, reports and texts of then. The clock of its answers is `at`.
   * @throws Fault Missing where it is before the first instant that is kept, or in the future; with the range
   * @throws Problem service-unavailable where too many earlier states are being opened
   */
  answersAt(at: Instant): Promise<PastAnswers>
}

export interface PastDeps extends Omit<LiveDeps, 'current' | 'states'> {
  readonly live: Live
  readonly values: ValueDeps
}

/** Sources by the name under which their states are recorded. */
const sources = {
  alerts: { state: 'alerts', open: openAlerts },
  outlooks: { state: 'spc/', open: openOutlooks },
  observations: { state: 'metar', open: openObservations },
  airQuality: { state: 'airnow', open: openAirQuality },
  texts: { state: 'text/', open: openTexts },
} as const

/** States of sources that stay open: a caller often asks for several answers of one time. */
const MAX_OPEN = 12
/** Each keeps runs open. */
const MAX_OPEN_HISTORIES = 3

/** A source at one recorded state. */
interface OpenState {
  readonly source: LiveSource
  /** The newest instant that it was asked for: an earlier one needs a new source, because ended texts were dropped. */
  at: Instant
  /** Sets its clock. */
  confirm(readAt: Instant): Promise<void>
  /** Requests that use it, one after the other. */
  turn: Promise<unknown>
}

/** Opens the live sources over the past of the database: the same code reads the same rows that it read then. */
export function openPast(deps: PastDeps): Past {
  const opened = new LRUCache<string, Promise<OpenState>>({ max: MAX_OPEN })
  const openings = new Openings()
  const runsAt = new LRUCache<string, Promise<Current>>({ max: MAX_OPEN })
  const historyAt = new LRUCache<string, HistorySource>({ max: MAX_OPEN_HISTORIES })
  const databaseAt = (state: StateAt, clock: () => Instant) =>
    databaseInPast(deps.database, { snapshot: state.snapshot, clock: () => new Date(clock() + state.clockLead) })

  const openCurrent = async (state: StateAt): Promise<Current> => {
    const current = await watchCurrent({
      database: databaseAt(state, () => state.since),
      objects: deps.objects,
      clock: () => state.since,
      withEarlier: models,
    })
    await current.close()
    return current
  }
  const openedHistory = (state: StateAt, current: Current): HistorySource => {
    const key = `${state.since}`
    let history = historyAt.get(key)
    if (!history) {
      const database = databaseAt(state, () => state.since)
      historyAt.set(key, (history = openHistory({ database, objects: deps.objects, current })))
    }
    return history
  }
  const currentAt = async (state: StateAt | undefined): Promise<Current> => {
    if (!state) throw unrecorded()
    const key = `${state.since}`
    let opening = runsAt.get(key)
    if (!opening) {
      openings.check()
      opening = openings.add(() => openCurrent(state))
      runsAt.set(key, opening)
      opening.catch(() => runsAt.delete(key))
    }
    return Object.create(await opening, { confirmedAt: { value: () => state.readAt } }) as Current
  }
  /** Opens a source with the clock of its last change, as it was loaded then. */
  const openState = async (name: keyof typeof sources, current: Current, state: StateAt): Promise<OpenState> => {
    let time = state.since
    const clock = () => time
    const { open } = sources[name]
    const database = databaseAt(state, clock)
    const source: LiveSource = await open({ ...deps, database, clock, events: undefined, current, states: undefined })
    const confirm = async (readAt: Instant) => {
      time = readAt
      await source.read?.()
    }
    await source.close?.()
    return { source, at: state.since, confirm, turn: Promise.resolve() }
  }
  /** What a source supplied at a point, confirmed when it had last been read then. */
  const supplied = async (
    name: keyof typeof sources,
    current: Current,
    state: StateAt | undefined,
    point: PointAt,
  ): Promise<never> => {
    if (!state) throw unrecorded()
    const key = `${name} ${state.since}`
    let opening = opened.get(key)
    if (!opening || (await opening).at > point.now) {
      opening = openings.add(() => openState(name, current, state))
      opened.set(key, opening)
      opening.catch(() => opened.delete(key))
    }
    const one = await opening
    one.at = point.now
    const turn = one.turn.then(async () => {
      await one.confirm(state.readAt)
      return (one.source.suppliers[name] as (at: PointAt) => Promise<never>)(point)
    })
    one.turn = turn.catch(() => undefined)
    return turn
  }

  return {
    async answersAt(at) {
      const states = await openings.enter(() => statesAt(deps.database, deps.clock(), at))
      const current = await currentAt(states.get(SERVED_RUNS))
      const history = openedHistory(states.get(SERVED_RUNS)!, current)
      const over = (name: keyof typeof sources) => (point: PointAt) =>
        supplied(name, current, states.get(sources[name].state), point)
      const suppliers: Suppliers = {
        ...openRadar({ ...deps, current }).suppliers,
        ...history.suppliers,
        alerts: over('alerts'),
        outlooks: over('outlooks'),
        observations: over('observations'),
        airQuality: over('airQuality'),
        texts: over('texts'),
        // Normals of 30 years do not change with the day.
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
        async alerts() {
          const state = states.get(sources.alerts.state)
          if (!state) throw unrecorded()
          // Of its own: it stays confirmed at one instant.
          const { source, confirm } = await openings.add(() => openState('alerts', current, state))
          await confirm(state.readAt)
          return source as AlertWatch & LiveSource
        },
      }
    },
  }
}

function unrecorded(): Fault {
  return new Fault('Refused', 'as_of: what a source served then is not recorded')
}

/** States by source. @throws Fault Missing outside of the range that is kept */
async function statesAt(database: Database, now: Instant, at: Instant): Promise<Map<string, StateAt>> {
  const start = (await historyStart(database))?.getTime()
  if (start === undefined || at < start || at > now) {
    const range =
      start === undefined
        ? 'this installation keeps no history'
        : `answers are kept from ${isoSeconds(Math.ceil(start / 1000) * 1000)} to ${isoSeconds(now)}`
    throw new Fault('Missing', `as_of: ${new Date(at).toISOString()} is not available: ${range}.`, { field: 'as_of' })
  }
  return new Map((await servedStatesAt(database, new Date(at))).map((state) => [state.source, state]))
}
