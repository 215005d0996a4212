import { Counter, Gauge, type Registry } from 'prom-client'
import { feedAges } from '../../sql/queries/feeds.ts'
import { countDead, outboxLag } from '../../sql/queries/outbox.ts'
import { quarantineTotals } from '../../sql/queries/quarantine.ts'
import { pointers } from '../../sql/queries/runs.ts'
import { secondSources } from '../../sql/queries/second-sources.ts'
import { quarantineReasons } from '../domain/quarantine.ts'
import type { Instant } from '../domain/time.ts'
import type { Database } from './database.ts'
import type { Events } from './events.ts'
import type { Exporter } from './exporter.ts'
import type { CacheCounts, Objects } from './objects.ts'
import { readForScrape } from './scrape.ts'

interface MeasuredPorts {
  readonly database: Database
  readonly events: Events
  readonly objects: Objects
}

const NO_CACHE: CacheCounts = { hits: 0, misses: 0, broken: 0, unwritten: 0, bytes: 0 }

export interface MeasureOptions {
  /** Returns whether this process exports the figures that the database counts for all processes. */
  readonly exports: Exporter
  /** Ids of the datasets whose quarantine counters start at 0. */
  readonly datasets: readonly string[]
}

/**
 * Registers the metrics of the ports of a process, which are read at each scrape. While the database is unreachable, ages continue to
 * increase and its other metrics keep their last values.
 */
export function measurePorts(
  registry: Registry,
  ports: MeasuredPorts,
  clock: () => Instant,
  options: MeasureOptions,
): void {
  measureDatabase(registry, ports.database)
  measureDatasets(registry, ports.database, clock, options)
  measureOutbox(registry, ports.database, options.exports)
  measureEvents(registry, ports.events)
  measureCache(registry, ports.objects)
}

function measureDatabase(registry: Registry, database: Database): void {
  const registers = [registry]
  new Gauge({
    name: 'hexcast_database_up',
    help: '1 if the database answers this process within two seconds',
    registers,
    async collect() {
      this.set((await readForScrape(() => database.query('select 1'))) ? 1 : 0)
    },
  })
  counter(
    registry,
    'hexcast_database_pool_wait_seconds_total',
    'Time that statements have waited for a connection',
    () => database.waited?.() ?? 0,
  )
}

/** Registers the figures of the database that only one process exports: age of runs and feeds, quarantine and second sources. */
function measureDatasets(
  registry: Registry,
  database: Database,
  clock: () => Instant,
  { exports, datasets }: MeasureOptions,
): void {
  const registers = [registry]
  let runs: Awaited<ReturnType<typeof pointers>> = []
  new Gauge({
    name: 'hexcast_run_age_seconds',
    help: 'Age of the served run, from its reference time',
    labelNames: ['dataset', 'domain'],
    registers,
    async collect() {
      this.reset()
      if (!(await exports('ports'))) {
        runs = []
        return
      }
      runs = (await readForScrape(() => pointers(database))) ?? runs
      for (const { dataset, domain, run } of runs) this.set({ dataset, domain }, (clock() - run.getTime()) / 1000)
    },
  })
  let confirmed = new Map<string, Instant>()
  new Gauge({
    name: 'hexcast_feed_age_seconds',
    help: 'Time since the newest confirmed read of a feed',
    labelNames: ['feed'],
    registers,
    async collect() {
      this.reset()
      if (!(await exports('ports'))) {
        confirmed.clear()
        return
      }
      const rows = await readForScrape(() => feedAges(database))
      if (rows) confirmed = new Map(rows.map(({ feed, seconds }) => [feed, clock() - seconds * 1000]))
      for (const [feed, at] of confirmed) this.set({ feed }, (clock() - at) / 1000)
    },
  })
  const quarantined = new Counter({
    name: 'hexcast_quarantine_total',
    help: 'Variables of an hour, scans, documents and rows that upstream delivered and that are not published, by dataset and reason',
    labelNames: ['dataset', 'reason'],
    registers,
    async collect() {
      if (!(await exports('ports'))) {
        quarantined.reset()
        return
      }
      const rows = await readForScrape(() => quarantineTotals(database))
      if (!rows) return
      quarantined.reset()
      // Prometheus computes an increase from two samples, so each series must begin at 0.
      for (const dataset of datasets)
        for (const reason of Object.keys(quarantineReasons)) quarantined.inc({ dataset, reason }, 0)
      for (const { dataset, reason, total } of rows) quarantined.inc({ dataset, reason }, total)
    },
  })
  new Gauge({
    name: 'hexcast_second_source',
    help: '1 while a dataset is read from its second source',
    labelNames: ['dataset', 'source'],
    registers,
    async collect() {
      if (!(await exports('ports'))) {
        this.reset()
        return
      }
      const rows = await readForScrape(() => secondSources(database))
      if (!rows) return
      this.reset()
      for (const { dataset, source } of rows) this.set({ dataset, source }, 1)
    },
  })
}

function measureOutbox(registry: Registry, database: Database, exports: Exporter): void {
  const lag = once(() => outboxLag(database))
  const figure = (name: string, help: string, read: () => Promise<number>) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        if (!(await exports('ports'))) return this.remove()
        const value = await readForScrape(read)
        if (value !== undefined) this.set(value)
      },
    })
  figure('hexcast_outbox_waiting', 'Events in the outbox that are not published yet', async () => (await lag()).waiting)
  figure(
    'hexcast_outbox_age_seconds',
    'Age of the oldest event in the outbox that is not published yet',
    async () => (await lag()).seconds,
  )
  figure('hexcast_outbox_dead', 'Events that can never be published and wait for an operator', () =>
    countDead(database),
  )
}

function measureEvents(registry: Registry, events: Events): void {
  const figure = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  figure('hexcast_events_connected', '1 while the event bus is connected', () => (events.lag().connected ? 1 : 0))
  figure('hexcast_events_behind', 'Published events that this process has not handled yet', () => events.lag().behind)
  counter(
    registry,
    'hexcast_events_heard',
    'Events that this process has handled since its start',
    () => events.lag().received,
  )
  counter(
    registry,
    'hexcast_events_reconnects',
    'Times that the connection to the event bus was lost and restored',
    () => events.lag().reconnects,
  )
  counter(
    registry,
    'hexcast_events_dropped',
    'Events that were dropped because their handler failed six times',
    () => events.lag().dropped,
  )
}

/** Names of the counts that show a full or failing disk of the cache. */
const CACHE_FAILURES = ['broken', 'unwritten'] as const

function measureCache(registry: Registry, objects: Objects): void {
  const failures = new Counter({
    name: 'hexcast_objects_cache_failures_total',
    help: 'Blocks that the disk cache of the object store could not write (unwritten) or read back (broken)',
    labelNames: ['what'],
    registers: [registry],
    collect() {
      failures.reset()
      for (const what of CACHE_FAILURES) failures.inc({ what }, (objects.counts ?? NO_CACHE)[what])
    },
  })
  new Gauge({
    name: 'hexcast_objects_cache',
    help: 'Disk cache of the object store: hits, misses, broken, unwritten (counts since the start), bytes; 0 without a cache',
    labelNames: ['what'],
    registers: [registry],
    collect() {
      const { counts = NO_CACHE } = objects
      for (const [what, count] of Object.entries(counts)) this.set({ what }, count)
    },
  })
}

/** Registers a counter whose value is counted elsewhere. */
function counter(registry: Registry, name: string, help: string, read: () => number): void {
  const metric = new Counter({
    name,
    help,
    registers: [registry],
    collect() {
      metric.reset()
      metric.inc(read())
    },
  })
}

/** Shares the result of one query between the metrics of a scrape. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | undefined
  return () => {
    if (!pending) {
      pending = ask()
      setTimeout(() => {
        pending = undefined
      }, 500).unref()
    }
    return pending
  }
}
