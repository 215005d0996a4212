import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../../ingest/ports/database.ts'
import type { Exporter } from '../../ingest/ports/exporter.ts'
import { readForScrape } from '../../ingest/ports/scrape.ts'
import { runningScores } from '../../sql/queries/nowcast-scores.ts'

const SCORE_WINDOW_HOURS = 24
/** The score is cached between scrapes for this long. */
const CACHE_SECONDS = 60

/** Registers the verification scores of nowcasts, by domain, lead and threshold. */
export function measureNowcast(
  registry: Registry,
  database: Database,
  clock: () => number,
  exports: Exporter = async () => true,
): void {
  let readAt = Number.NEGATIVE_INFINITY
  const csi = new Gauge({
    name: 'hexcast_nowcast_csi',
    help: 'Critical success index of nowcasts against observed frames, last 24 hours',
    labelNames: ['domain', 'lead_minutes', 'threshold_mm_h'],
    registers: [registry],
    async collect() {
      if (!(await exports('status'))) {
        readAt = Number.NEGATIVE_INFINITY
        this.reset()
        return
      }
      if (clock() - readAt < CACHE_SECONDS * 1000) return
      readAt = clock()
      const scores = await readForScrape(() => runningScores(database, SCORE_WINDOW_HOURS))
      if (!scores) return
      csi.reset()
      for (const { domain, lead, threshold, csi: value } of scores) {
        if (value !== null)
          csi.set({ domain, lead_minutes: lead, threshold_mm_h: Math.round(threshold * 10) / 10 }, value)
      }
    },
  })
}
