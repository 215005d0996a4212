import { Gauge, Histogram, type Registry } from 'prom-client'
import { SECOND } from '../../ingest/domain/time.ts'
import type { ServiceStatus } from './service-status.ts'

/** Registers the metrics of late model runs and frames, which are read at each scrape. */
export function measureLateness(registry: Registry, status: () => Promise<ServiceStatus | undefined>): void {
  const gauge = (
    name: string,
    help: string,
    value: (dataset: ServiceStatus['datasets'][number]) => number | null,
    kind = 'grid',
  ) => {
    const metric = new Gauge({
      name,
      help,
      labelNames: ['dataset', 'domain'],
      registers: [registry],
      async collect() {
        const document = await status()
        if (!document) return
        metric.reset()
        for (const dataset of document.datasets) {
          const seconds = dataset.kind === kind ? value(dataset) : null
          if (seconds !== null) metric.set({ dataset: dataset.dataset_id, domain: dataset.domain ?? '' }, seconds)
        }
      },
    })
  }
  gauge(
    'hexcast_run_expected_seconds',
    'Seconds from the reference time of the next run to the time at which it is usually served',
    ({ expected_next: next }) => (next?.run ? (Date.parse(next.expected_at) - Date.parse(next.run)) / SECOND : null),
  )
  gauge(
    'hexcast_run_late_seconds',
    'Seconds since a late run was expected; 0 while no run is late',
    ({ late_by_seconds: late }) => late,
  )
  gauge(
    'hexcast_frame_late_seconds',
    'Seconds since frames are late, their source fails, or the search for new frames does not end; 0 otherwise',
    ({ late_by_seconds: late }) => late,
    'frame',
  )
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
