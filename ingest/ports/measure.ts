import { Gauge, type Registry } from 'prom-client'
import { feedAges } from '../../sql/queries/feeds.ts'
import { outboxLag } from '../../sql/queries/outbox.ts'
import { quarantineTotals } from '../../sql/queries/quarantine.ts'
import { pointers } from '../../sql/queries/runs.ts'
import { secondSources } from '../../sql/queries/second-sources.ts'
import type { Instant } from '../domain/time.ts'
import type { Database } from './database.ts'
import type { Events } from './events.ts'
import type { CacheCounts, Objects } from './objects.ts'

interface MeasuredPorts {
  readonly database: Database
  readonly events: Events
  readonly objects: Objects
}

const NO_CACHE: CacheCounts = { hits: 0, misses: 0, broken: 0, unwritten: 0, bytes: 0 }

/** Metrics of the ports of a process, read at each scrape. An unreachable port leaves its metrics unchanged. */
export function measurePorts(
  registry: Registry,
  { database, events, objects }: MeasuredPorts,
  clock: () => Instant,
): void {
  const registers = [registry]
  new Gauge({
    name: 'hexcast_run_age_seconds',
    help: 'Age of the reference time of the run that readers see',
    labelNames: ['dataset', 'domain'],
    registers,
    async collect() {
      const rows = await pointers(database).catch(() => undefined)
      if (!rows) return
      this.reset()
      for (const { dataset, domain, run } of rows) this.set({ dataset, domain }, (clock() - run.getTime()) / 1000)
    },
  })
  new Gauge({
    name: 'hexcast_feed_age_seconds',
    help: 'Time since the newest confirmed read of a feed',
    labelNames: ['feed'],
    registers,
    async collect() {
      const rows = await feedAges(database).catch(() => undefined)
      if (!rows) return
      this.reset()
      for (const { feed, seconds } of rows) this.set({ feed }, seconds)
    },
  })
  new Gauge({
    name: 'hexcast_quarantine_total',
    help: 'Variables of an hour that upstream delivered and that are not published, by reason',
    labelNames: ['dataset', 'reason'],
    registers,
    async collect() {
      const rows = await quarantineTotals(database).catch(() => undefined)
      for (const { dataset, reason, total } of rows ?? []) this.set({ dataset, reason }, total)
    },
  })
  new Gauge({
    name: 'hexcast_second_source',
    help: '1 while a dataset is read from its second source',
    labelNames: ['dataset', 'source'],
    registers,
    async collect() {
      const rows = await secondSources(database).catch(() => undefined)
      if (!rows) return
      this.reset()
      for (const { dataset, source } of rows) this.set({ dataset, source }, 1)
    },
  })
  const lag = once(() => outboxLag(database))
  const figure = (name: string, help: string, read: () => number | Promise<number>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const value = await Promise.resolve()
          .then(read)
          .catch(() => undefined)
        if (value !== undefined) this.set(value)
      },
    })
  figure('hexcast_outbox_waiting', 'Events in the outbox that are not published yet', async () => (await lag()).waiting)
  figure('hexcast_outbox_age_seconds', 'Age of the oldest of them', async () => (await lag()).seconds)
  figure('hexcast_events_connected', '1 while the event bus is connected', () => (events.lag().connected ? 1 : 0))
  figure('hexcast_events_behind', 'Events that are published and not handled here yet', () => events.lag().behind)
  figure('hexcast_events_heard', 'Events handled here since the start', () => events.lag().received)
  figure('hexcast_events_reconnects', 'Times that events were lost and found again', () => events.lag().reconnects)
  figure('hexcast_events_dropped', 'Events that were passed over after six refusals', () => events.lag().dropped)
  new Gauge({
    name: 'hexcast_objects_cache',
    help: 'The disk cache before the object store: hits, misses, broken, unwritten (counts since the start), bytes; 0 without a cache',
    labelNames: ['what'],
    registers,
    collect() {
      const { counts = NO_CACHE } = objects
      for (const [what, count] of Object.entries(counts)) this.set({ what }, count)
    },
  })
}

/** The metrics of a scrape share one query. */
function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let asked: Promise<T> | undefined
  return () => {
    if (!asked) {
      asked = ask()
      setTimeout(() => {
        asked = undefined
      }, 500).unref()
    }
    return asked
  }
}
