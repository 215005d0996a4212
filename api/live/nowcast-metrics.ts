import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../../ingest/ports/database.ts'
import { runningScores } from '../../sql/queries/frames.ts'

/** Window of the running score, and the time for which it is cached between scrapes. */
const SCORE_WINDOW_HOURS = 24
const CACHE_SECONDS = 60

/** Verification scores of nowcasts, by domain, lead and threshold. */
export function measureNowcast(registry: Registry, database: Database, clock: () => number): void {
  let asked = Number.NEGATIVE_INFINITY
  const csi = new Gauge({
    name: 'hexcast_nowcast_csi',
    help: 'Critical success index of nowcasts against the frames that came, last 24 hours',
    labelNames: ['domain', 'lead_minutes', 'threshold_mm_h'],
    registers: [registry],
    async collect() {
      if (clock() - asked < CACHE_SECONDS * 1000) return
      asked = clock()
      const scores = await runningScores(database, SCORE_WINDOW_HOURS).catch(() => undefined)
      if (!scores) return
      csi.reset()
      for (const { domain, lead, threshold, csi: value } of scores) {
        if (value !== null)
          csi.set({ domain, lead_minutes: lead, threshold_mm_h: Math.round(threshold * 10) / 10 }, value)
      }
    },
  })
}
