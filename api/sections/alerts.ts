import { Fault } from '../../ingest/domain/fault.ts'
import type { Section, SectionContext, SectionResult } from './section.ts'

/** Alerts in force at the point, most severe first. An empty list means that there are none: it requires a successful read of the feed. */
export const alerts: Section = {
  name: 'alerts',
  async build(context: SectionContext): Promise<SectionResult> {
    const found = await context.alerts()
    if (!found) throw new Fault('Missing', 'this installation has no alerts')
    return {
      value: found.alerts.map((alert) => (context.query.alertDetail === 'full' ? alert.full() : alert.rest)),
      warnings: found.warnings,
      freshness: found.freshness,
      sources: ['nws-alerts'],
      maxAgeSeconds: 60,
      degraded: found.degraded,
      expiresAt: found.nextChange,
    }
  },
}
