import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events } from '../../ingest/ports/events.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { within } from '../../ingest/ports/time-limit.ts'
import { pointers } from '../../sql/queries/runs.ts'
import type { FeedAge } from '../contract.ts'

export interface Engines {
  readonly database: Database
  readonly objects: Objects
  readonly events: Events
}

/** Key of an object that does not exist. A request for its size takes one round trip to the store. */
const PROBE_KEY = 'health/probe'
const PROBE_TIMEOUT_MS = 2000
const RESULT_TTL_MS = 1000

/**
 * Returns a function that reads the readiness of this process. The process is ready once it knows a served run. The engines that all
 * processes share are probed at most once a second; if an engine is down, the state is `degraded` and the process stays ready, so that
 * a load balancer does not lose every process at once.
 * @param notes notes for the operator that need no read
 * @param feeds datasets without runs, with the time of the last issue or confirmation
 * @param readNotes notes that need a read of the database
 * @param isDraining whether the process is about to end: load balancers must send their requests elsewhere
 */
export function readiness(
  { database, objects, events }: Engines,
  clock: () => Instant,
  notes: () => readonly string[],
  feeds: () => readonly FeedAge[] = () => [],
  readNotes: () => Promise<readonly string[]> = async () => [],
  isDraining: () => boolean = () => false,
): () => Promise<Readiness> {
  let lastPointers: Awaited<ReturnType<typeof pointers>> = []
  let cached: { at: number; state: Promise<Readiness> } | undefined
  const probe = async (): Promise<Readiness> => {
    const engines: Record<string, 'ok' | 'down'> = { database: 'ok', objects: 'ok', events: 'ok' }
    let secondsAhead: number | undefined
    let storedNotes: readonly string[] = []
    await Promise.all([
      bounded(
        (async () => {
          const before = clock()
          const [row] = await database.query<{ at: Date }>('select clock_timestamp() as at')
          const after = clock()
          const ahead = row ? ((before + after) / 2 - row.at.getTime()) / 1000 : 0
          // The comparison is uncertain by half the round trip.
          if (Math.abs(ahead) - (after - before) / 2000 > 2) secondsAhead = Math.round(ahead * 10) / 10
          lastPointers = await pointers(database)
        })(),
      ).catch(() => {
        engines['database'] = 'down'
      }),
      bounded(objects.size(PROBE_KEY)).catch(() => {
        engines['objects'] = 'down'
      }),
      bounded(readNotes()).then(
        (texts) => {
          storedNotes = texts
        },
        () => undefined,
      ),
    ])
    if (!events.lag().connected) engines['events'] = 'down'
    const now = clock()
    const aged = ({ dataset, domain, at }: FeedAge) => ({
      dataset,
      domain,
      run: new Date(at).toISOString(),
      age_seconds: Math.max(0, Math.round((now - at) / 1000)),
    })
    const datasets = [
      ...lastPointers.map(({ dataset, domain, run }) => aged({ dataset, domain, at: run.getTime() })),
      ...feeds().map(aged),
    ]
    const isDegraded = Object.values(engines).includes('down')
    const all = [...notes(), ...storedNotes]
    const ready = lastPointers.length > 0
    return {
      ready,
      status: ready ? (isDegraded ? 'degraded' : 'ok') : 'down',
      engines,
      datasets,
      ...(secondsAhead !== undefined && { clock_off_seconds: secondsAhead }),
      ...(all.length > 0 && { notes: all }),
    }
  }
  return () => {
    // The state is returned without a probe, because the answer must not wait for an engine that is down.
    if (isDraining())
      return Promise.resolve({ ready: false, draining: true, status: 'down', engines: {}, datasets: [] })
    if (!cached || performance.now() - cached.at > RESULT_TTL_MS) cached = { at: performance.now(), state: probe() }
    return cached.state
  }
}

const bounded = <T>(work: Promise<T>) =>
  within(PROBE_TIMEOUT_MS, work, () => new Error(`no answer within ${PROBE_TIMEOUT_MS} ms`))

/** The answer of `/readyz`. */
export interface Readiness {
  /** False if not even degraded answers are possible, or the process is about to end. */
  readonly ready: boolean
  /** Set while the process still answers and is about to end. */
  readonly draining?: true
  readonly status: 'ok' | 'degraded' | 'down'
  readonly engines: Readonly<Record<string, 'ok' | 'down'>>
  readonly datasets: readonly {
    readonly dataset: string
    readonly domain: string
    readonly run: string
    readonly age_seconds: number
  }[]
  /** Seconds that the clock of this process is ahead of the database's, if the difference is over 2 s. */
  readonly clock_off_seconds?: number
  readonly notes?: readonly string[]
}
