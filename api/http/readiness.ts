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

/** Key of an object that does not exist: asking for its size is a round trip to the store. */
const PROBE_KEY = 'health/probe'
const PROBE_TIMEOUT_MS = 2000
const RESULT_TTL_MS = 1000

/**
 * Readiness of this process: it is ready once it knows a served run. Engines that all processes share are probed at most once a second;
 * while one is away answers are degraded, and the process stays ready, so that a load balancer does not lose every process at once.
 */
export function readiness(
  { database, objects, events }: Engines,
  clock: () => Instant,
  notes: () => readonly string[],
  /** Datasets without runs: time of the last issue or confirmation. */
  feeds: () => readonly FeedAge[] = () => [],
  /** Notes that need a read of the database. */
  late: () => Promise<readonly string[]> = async () => [],
): () => Promise<Readiness> {
  let lastPointers: Awaited<ReturnType<typeof pointers>> = []
  let kept: { at: number; state: Promise<Readiness> } | undefined
  const look = async (): Promise<Readiness> => {
    const engines: Record<string, 'ok' | 'down'> = { database: 'ok', objects: 'ok', events: 'ok' }
    let off: number | undefined
    let lateNotes: readonly string[] = []
    await Promise.all([
      bounded(
        (async () => {
          const before = clock()
          const [row] = await database.query<{ at: Date }>('select clock_timestamp() as at')
          const after = clock()
          const ahead = ((before + after) / 2 - row!.at.getTime()) / 1000
          // The comparison is uncertain by half the round trip.
          if (Math.abs(ahead) - (after - before) / 2000 > 2) off = Math.round(ahead * 10) / 10
          lastPointers = await pointers(database)
        })(),
      ).catch(() => {
        engines['database'] = 'down'
      }),
      bounded(objects.size(PROBE_KEY)).catch(() => {
        engines['objects'] = 'down'
      }),
      bounded(late()).then(
        (found) => {
          lateNotes = found
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
    const broken = Object.values(engines).includes('down')
    const all = [...notes(), ...lateNotes]
    const ready = lastPointers.length > 0
    return {
      ready,
      status: ready ? (broken ? 'degraded' : 'ok') : 'down',
      engines,
      datasets,
      ...(off !== undefined && { clock_off_seconds: off }),
      ...(all.length > 0 && { notes: all }),
    }
  }
  return () => {
    if (!kept || performance.now() - kept.at > RESULT_TTL_MS) kept = { at: performance.now(), state: look() }
    return kept.state
  }
}

const bounded = <T>(work: Promise<T>) =>
  within(PROBE_TIMEOUT_MS, work, () => new Error(`no answer within ${PROBE_TIMEOUT_MS} ms`))

/** The answer of `/readyz`. */
export interface Readiness {
  /** False: not even degraded answers can be given. */
  readonly ready: boolean
  readonly status: 'ok' | 'degraded' | 'down'
  /** `ok`, or `down` with a few words. */
  readonly engines: Readonly<Record<string, 'ok' | 'down'>>
  readonly datasets: readonly {
    readonly dataset: string
    readonly domain: string
    readonly run: string
    readonly age_seconds: number
  }[]
  /** Seconds our clock is ahead of the database's, where it is off by more than 2 s. */
  readonly clock_off_seconds?: number
  readonly notes?: readonly string[]
}
