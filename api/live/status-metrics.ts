import { Gauge, Histogram, type Registry } from 'prom-client'
import { catalog } from '../../ingest/catalog.ts'
import { datelessPrefix } from '../../ingest/domain/dataset/prefix.ts'
import { SECOND } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Exporter } from '../../ingest/ports/exporter.ts'
import { readForScrape } from '../../ingest/ports/scrape.ts'
import { isSimulated } from '../../sql/queries/origin.ts'
import { lastUpstreamCheck } from '../../sql/queries/upstream-checks.ts'
import type { ServiceStatus } from './service-status.ts'
import { WHOLE_CHECK } from './upstream-check.ts'

/** Registers the metrics of late model runs and frames, which are read at each scrape by the process that exports them. */
export function measureLateness(
  registry: Registry,
  status: () => Promise<ServiceStatus | undefined>,
  exports: Exporter = async () => true,
): void {
  const gauge = (
    name: string,
    help: string,
    value: (dataset: ServiceStatus['datasets'][number]) => number | null,
    isMeasured: (dataset: ServiceStatus['datasets'][number]) => boolean,
    labelsOf?: (dataset: ServiceStatus['datasets'][number]) => Readonly<Record<string, string>>,
  ) => {
    new Gauge({
      name,
      help,
      labelNames: ['dataset', 'domain', ...(labelsOf ? ['prefix'] : [])],
      registers: [registry],
      async collect() {
        if (!(await exports('status'))) {
          this.reset()
          return
        }
        // The status function answers within five seconds, whatever the database does.
        const document = await status()
        if (!document) return
        this.reset()
        for (const dataset of document.datasets) {
          const seconds = isMeasured(dataset) ? value(dataset) : null
          const labels = { dataset: dataset.dataset_id, domain: dataset.domain ?? '', ...labelsOf?.(dataset) }
          if (seconds !== null) this.set(labels, seconds)
        }
      },
    })
  }
  gauge(
    'hexcast_run_expected_seconds',
    'Seconds from the reference time of the next run to the time at which it is usually served',
    ({ expected_next: next }) => (next?.run ? (Date.parse(next.expected_at) - Date.parse(next.run)) / SECOND : null),
    ({ kind }) => kind === 'grid',
  )
  gauge(
    'hexcast_run_late_seconds',
    'Seconds since a late run was expected; 0 while no run is late',
    ({ late_by_seconds: late }) => late,
    ({ kind }) => kind === 'grid',
  )
  gauge(
    'hexcast_frame_late_seconds',
    'Seconds since frames are late, their source fails, or the search for new frames does not end; 0 otherwise',
    ({ late_by_seconds: late }) => late,
    ({ kind }) => kind === 'frame',
  )
  gauge(
    'hexcast_source_silent_seconds',
    'Seconds since the bucket of a dataset lists no new key under its prefix, or no read of a feed has succeeded; 0 while data arrive',
    ({ silent_since: since }) => (since === null ? 0 : Math.max(1, (Date.now() - Date.parse(since)) / SECOND)),
    ({ state }) => state !== 'not_configured' && state !== 'unknown',
    (dataset) => ({ prefix: prefixes.get(`${dataset.dataset_id}/${dataset.domain}`) ?? dataset.dataset_id }),
  )
}

/** The listed prefixes without dates, by dataset and domain. */
const prefixes: ReadonlyMap<string, string> = new Map(
  catalog.flatMap((dataset) =>
    dataset.domains.flatMap(({ id }) => {
      const prefix = datelessPrefix(dataset, id)
      return prefix === undefined ? [] : [[`${dataset.id}/${id}`, prefix] as const]
    }),
  ),
)

/** Results of the daily check of upstream as numbers. */
const CHECK_VALUES = { passed: 0, warning: 1, failed: 2 } as const

/** Registers the results of the daily check of upstream, which one process exports. Simulated weather has none. */
export function measureUpstreamChecks(
  registry: Registry,
  database: Database,
  clock: () => number,
  exports: Exporter = async () => true,
): void {
  /** Returns no check if another process exports the results or the weather is simulated; undefined if the read fails. */
  const read = async (): Promise<{ readonly last?: Awaited<ReturnType<typeof lastUpstreamCheck>> } | undefined> => {
    if (!(await exports('status'))) return {}
    return readForScrape(async () =>
      (await isSimulated(database)) === true ? {} : { last: await lastUpstreamCheck(database) },
    )
  }
  new Gauge({
    name: 'hexcast_upstream_check',
    help: 'Result of each check of upstream in the last daily check: 0 passed, 1 warning, 2 failed',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      const check = await read()
      if (!check) return
      this.reset()
      for (const { name, state } of check.last?.checks ?? []) this.set({ check: name }, CHECK_VALUES[state])
      // The check itself failed, so it has the results of only some checks.
      if (check.last?.run.failure) this.set({ check: WHOLE_CHECK }, CHECK_VALUES.failed)
    },
  })
  new Gauge({
    name: 'hexcast_upstream_check_age_seconds',
    help: 'Time since a check of upstream ended, or since the first began',
    registers: [registry],
    async collect() {
      const check = await read()
      if (!check) return
      this.remove()
      const { last } = check
      if (last) this.set((clock() - (last.run.ended_at ?? last.run.began_at).getTime()) / SECOND)
    },
  })
}

/** Registers the histogram of delays from upstream to answers. @returns a function that records a delay */
export function measureAvailability(registry: Registry): (dataset: string, seconds: number) => void {
  const seconds = new Histogram({
    name: 'hexcast_availability_seconds',
    help: 'Seconds from the time at which the newest file of a run or frame appeared upstream to the first answer that can contain it',
    labelNames: ['dataset'],
    buckets: [1, 2, 3, 4, 6, 8, 12, 20, 30, 60, 120, 300, 900, 3600],
    registers: [registry],
  })
  return (dataset, delay) => seconds.observe({ dataset }, delay)
}
