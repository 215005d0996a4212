import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Database } from '../ingest/ports/database.ts'
import type { Events } from '../ingest/ports/events.ts'
import type { Objects } from '../ingest/ports/objects.ts'
import { outboxLag } from '../sql/queries/outbox.ts'
import { pointers } from '../sql/queries/runs.ts'
import type { Engine } from './engine.ts'

/** What a worker counts. Few labels: steps, datasets, domains and states are short lists. */
export function createWorkerMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  return {
    registry,
    steps: new Histogram({
      name: 'hexcast_step_seconds',
      help: 'Duration of steps by outcome: ok, waiting, or the name of a fault',
      labelNames: ['step', 'outcome'],
      buckets: [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 900],
      registers,
    }),
    failures: new Counter({
      name: 'hexcast_feed_failures_total',
      help: 'Steps that an outside refused or spoiled, by step and fault',
      labelNames: ['step', 'fault'],
      registers,
    }),
    ages: new Gauge({
      name: 'hexcast_run_age_seconds',
      help: 'Age of the reference time of the run that readers see',
      labelNames: ['dataset', 'domain'],
      registers,
    }),
    queue: new Gauge({ name: 'hexcast_queue_depth', help: 'Workflows by state', labelNames: ['state'], registers }),
    outbox: new Gauge({ name: 'hexcast_outbox_waiting', help: 'Events that are stored and not said yet', registers }),
    outboxAge: new Gauge({ name: 'hexcast_outbox_age_seconds', help: 'Age of the oldest of them', registers }),
    eventsBehind: new Gauge({
      name: 'hexcast_events_behind',
      help: 'Events that are published and not handled here yet',
      registers,
    }),
    eventsConnected: new Gauge({ name: 'hexcast_events_connected', help: '1 while events would be heard', registers }),
    eventsReconnects: new Gauge({
      name: 'hexcast_events_reconnects',
      help: 'Times that events were lost and found again',
      registers,
    }),
    relayFailures: new Gauge({
      name: 'hexcast_relay_failures',
      help: 'Failures of the outbox relay in a row',
      registers,
    }),
    cache: new Gauge({
      name: 'hexcast_objects_cache',
      help: 'The disk cache before the object store: hits, misses, broken, unwritten (counts), bytes',
      labelNames: ['what'],
      registers,
    }),
  }
}

export type WorkerMetrics = ReturnType<typeof createWorkerMetrics>

interface Watched {
  readonly database: Database
  readonly events: Events
  readonly objects: Objects
  readonly engine: Engine
  readonly relay: { readonly failures: number }
}

/** Reads what is asked for at a scrape. A part that is away leaves its figures as they were. */
export async function scrape(metrics: WorkerMetrics, watched: Watched, now: number): Promise<string> {
  const { database, events, objects, engine, relay } = watched
  await Promise.allSettled([
    pointers(database).then((rows) => {
      metrics.ages.reset()
      for (const { dataset, domain, run } of rows) metrics.ages.set({ dataset, domain }, (now - run.getTime()) / 1000)
    }),
    outboxLag(database).then(({ waiting, seconds }) => {
      metrics.outbox.set(waiting)
      metrics.outboxAge.set(seconds)
    }),
    engine.counts().then((counts) => {
      for (const [state, count] of Object.entries(counts)) metrics.queue.set({ state }, count)
    }),
  ])
  const flow = events.lag()
  metrics.eventsBehind.set(flow.behind)
  metrics.eventsConnected.set(flow.connected ? 1 : 0)
  metrics.eventsReconnects.set(flow.reconnects)
  metrics.relayFailures.set(relay.failures)
  const cache = (objects as { counts?: object }).counts
  for (const [what, count] of Object.entries(cache ?? {})) metrics.cache.set({ what }, count)
  return metrics.registry.metrics()
}
