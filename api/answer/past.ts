import { Fault } from '../../ingest/domain/fault.ts'
import { type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { databaseInPast } from '../../ingest/ports/database-past.ts'
import { historyStart, type StateAt, servedStatesAt } from '../../sql/queries/versions.ts'
import type { PointAt, Suppliers } from '../contract.ts'
import { openAirQuality } from '../live/air-quality.ts'
import { openAlerts } from '../live/alerts.ts'
import type { Live } from '../live/index.ts'
import { openObservations } from '../live/observations.ts'
import { openOutlooks } from '../live/outlooks.ts'
import { openRadar } from '../live/radar-source.ts'
import { SERVED_RUNS, watchCurrent } from '../live/served-runs.ts'
import type { LiveDeps, LiveSource } from '../live/source.ts'
import { openTexts } from '../live/texts.ts'
import type { ValueDeps } from './values.ts'
import { createWeather, type Weather } from './weather.ts'

/** Datasets whose earlier runs serve hours that have passed. */
export const WITH_EARLIER = ['nbm'] as const

/** The pipeline over what was served at an instant. */
export interface PastAnswers {
  readonly at: Instant
  readonly weather: Weather
  readonly values: ValueDeps
}

export interface Past {
  /**
   * What was served at an instant: the runs, alerts, outlooks, frames, reports and texts of then. The clock of its answers is `at`.
   * @throws Fault Missing where it is before the first instant that is kept, or in the future; with the range
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

/** Opens the live sources over the past of the database: the same code reads the same rows that it read then. */
export function openPast(deps: PastDeps): Past {
  return {
    async answersAt(at) {
      const states = await statesAt(deps.database, deps.clock(), at)
      const inPast = (state: StateAt, clock: () => Instant) =>
        databaseInPast(deps.database, {
          snapshot: state.snapshot,
          clock: () => new Date(clock() + state.clockLead),
        })
      const runs = states.get(SERVED_RUNS)
      if (!runs) throw unrecorded()
      const current = await watchCurrent({
        database: inPast(runs, () => at),
        objects: deps.objects,
        clock: () => runs.readAt,
        withEarlier: WITH_EARLIER,
      })
      await current.close()
      const base = { ...deps, events: undefined, current, states: undefined }
      const opened = new Map<string, Promise<LiveSource>>()
      const source = (name: keyof typeof sources): Promise<LiveSource> => {
        const known = opened.get(name)
        if (known) return known
        const { state, open } = sources[name]
        const opening = openAsOf(open, base, states.get(state), inPast)
        opened.set(name, opening)
        return opening
      }
      /** A source is opened when an answer asks for it. */
      const lazily =
        <Name extends keyof typeof sources>(name: Name) =>
        async (point: PointAt) => {
          const supplier = (await source(name)).suppliers[name] as (at: PointAt) => Promise<never>
          return supplier(point)
        }
      const suppliers: Suppliers = {
        ...openRadar(base).suppliers,
        alerts: lazily('alerts'),
        outlooks: lazily('outlooks'),
        observations: lazily('observations'),
        airQuality: lazily('airQuality'),
        texts: lazily('texts'),
        // Normals of 30 years do not change with the day.
        climate: deps.live.suppliers.climate,
      }
      const values: ValueDeps = { ...deps.values, current, suppliers, states: undefined }
      return { at, values, weather: createWeather({ ...values, cacheBytes: 1 }) }
    },
  }
}

/** Opens a source with the clock of its last change, as it was loaded then, and confirms it when it had last been read. */
async function openAsOf(
  open: (deps: LiveDeps) => LiveSource | Promise<LiveSource>,
  deps: Omit<LiveDeps, 'database' | 'clock'>,
  state: StateAt | undefined,
  inPast: (state: StateAt, clock: () => Instant) => Database,
): Promise<LiveSource> {
  if (!state) throw unrecorded()
  let time = state.since
  const clock = () => time
  const source = await open({ ...deps, database: inPast(state, clock), clock })
  time = state.readAt
  await source.read?.()
  await source.close?.()
  return source
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
