import { Gauge, Histogram, type Registry } from 'prom-client'
import { SECOND } from '../../ingest/domain/time.ts'
import type { ServiceStatus } from './service-status.ts'

/** Lateness of model runs and frames, read at each scrape. */
export function measureLateness(registry: Registry, status: () => Promise<ServiceStatus | undefined>): void {
  const gauge = (
    name: string,
    help: string,
    value: (one: ServiceStatus['datasets'][number]) => number | null,
    kind = 'grid',
  ) => {
    const figure = new Gauge({
      name,
      help,
      labelNames: ['dataset', 'domain'],
      registers: [registry],
      async collect() {
        const document = await status()
        if (!document) return
        figure.reset()
        for (const one of document.datasets) {
          const seconds = one.kind === kind ? value(one) : null
          if (seconds !== null) figure.set({ dataset: one.dataset_id, domain: one.domain ?? '' }, seconds)
        }
      },
    })
  }
  gauge(
    'hexcast_run_expected_seconds',
    'From the reference time of the next run to when it is usually served',
    ({ expected_next: next }) => (next?.run ? (Date.parse(next.expected_at) - Date.parse(next.run)) / SECOND : null),
  )
  gauge(
    'hexcast_run_late_seconds',
    'Time since a late run was expected; 0 while none is late',
    ({ late_by_seconds: late }) => late,
  )
  gauge(
    'hexcast_frame_late_seconds',
    'Time since frames are late, or since their source fails or its sweep does not end; 0 while neither is so',
    ({ late_by_seconds: late }) => late,
    'frame',
  )
}

/** The histogram of delays from upstream to answers. @returns observes one */
export function measureAvailability(registry: Registry): (dataset: string, seconds: number) => void {
  const seconds = new Histogram({
    name: 'hexcast_availability_seconds',
    help: 'From the time at which the newest file of what is served appeared upstream to the first answer that can contain it',
    labelNames: ['dataset'],
    buckets: [1, 2, 3, 4, 6, 8, 12, 20, 30, 60, 120, 300, 900, 3600],
    registers: [registry],
  })
  return (dataset, delay) => seconds.observe({ dataset }, delay)
}
