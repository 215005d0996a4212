import { Counter, Gauge, type Registry } from 'prom-client'
import { SECOND } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Exporter } from '../../ingest/ports/exporter.ts'
import { readForScrape } from '../../ingest/ports/scrape.ts'
import { rejectedTotals } from '../../sql/queries/feeds.ts'
import type { AlertWatch } from './alert-watch.ts'

/**
 * Registers metrics of the feeds, which are read at each scrape. The database has the counts of all processes together.
 */
export function measureAlerts(
  registry: Registry,
  database: Database,
  watch: AlertWatch,
  clock: () => number,
  exports: Exporter = async () => true,
): void {
  const registers = [registry]
  const rejected = new Counter({
    name: 'hexcast_feed_rejected_total',
    help: 'Features that were rejected, by feed and reason',
    labelNames: ['feed', 'reason'],
    registers,
    async collect() {
      if (!(await exports('status'))) {
        rejected.reset()
        return
      }
      const totals = await readForScrape(() => rejectedTotals(database))
      if (!totals) return
      rejected.reset()
      for (const { feed, reason, total } of totals) rejected.inc({ feed, reason }, total)
    },
  })
  const alertCount = new Gauge({
    name: 'hexcast_alerts_shown',
    help: 'Alerts in force',
    registers,
    collect() {
      alertCount.set(watch.index.all(watch.now(clock())).length)
    },
  })
  const age = new Gauge({
    name: 'hexcast_alert_feed_age_seconds',
    help: 'Seconds since the alert feed was last confirmed',
    registers,
    collect() {
      const confirmed = watch.trust(clock()).feed?.confirmed_at
      if (confirmed) age.set((watch.now(clock()) - confirmed.getTime()) / SECOND)
    },
  })
}
