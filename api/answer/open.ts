import { catalog } from '../../ingest/catalog.ts'
import { makeAll } from '../../ingest/geo/table.ts'
import { Blender } from '../blend/blend.ts'
import { models } from '../blend/field-table.ts'
import { type Live, openLive } from '../live/index.ts'
import { type Current, watchCurrent } from '../live/served-runs.ts'
import { recordServedStates } from '../live/served-states.ts'
import type { LiveDeps } from '../live/source.ts'
import { WriterMemory } from '../present/writer-memory.ts'
import { openPast, type Past } from './past.ts'
import type { ValueDeps } from './values.ts'
import { createWeather, type Weather } from './weather.ts'

/** Everything from which answers are built, for both REST and tools. */
export interface Answers {
  readonly current: Current
  readonly live: Live
  readonly values: ValueDeps
  readonly weather: Weather
  /** Answers for earlier instants. */
  readonly past: Past
  /** Reads tables in advance, so that no request waits for them. */
  preload(): Promise<void>
  close(): Promise<void>
}

export interface AnswerDeps extends Omit<LiveDeps, 'current' | 'states'> {
  /** Whether this process now records the served states for `as_of`; if absent, nothing is recorded. */
  readonly recordsStates?: (() => boolean) | undefined
  /** Resolution of the model cells. */
  readonly resolution: number
  /** The served runs, if another part of the process already watches them. */
  readonly current?: Current
  /** Called when newer data of a dataset become available to readers, with the seconds since they appeared upstream. */
  readonly onAvailable?: (dataset: string, seconds: number) => void
}

export async function openAnswers(deps: AnswerDeps): Promise<Answers> {
  const { database, objects, events, clock, report } = deps
  const states =
    deps.recordsStates && !deps.current
      ? recordServedStates({
          ...{ database, clock, writes: deps.recordsStates },
          report: report('served states could not be recorded'),
        })
      : undefined
  const current =
    deps.current ??
    (await watchCurrent({
      database,
      objects,
      events,
      clock,
      withEarlier: models,
      states,
      report: report('served runs could not be read'),
      onAvailable: deps.onAvailable,
    }))
  const live = await openLive({ ...deps, current, states })
  const values: ValueDeps = {
    current,
    datasets: catalog,
    takes: deps.takes,
    suppliers: live.suppliers,
    history: live.history,
    resolution: deps.resolution,
    blender: new Blender(),
    writerMemory: new WriterMemory(),
    states,
  }
  return {
    current,
    live,
    values,
    weather: createWeather(values),
    past: openPast({ ...deps, live, values }),
    preload: makeAll,
    async close() {
      await live.close()
      if (!deps.current) await current.close()
      await states?.close()
    },
  }
}
