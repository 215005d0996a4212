import type { Section, SectionContext, SectionResult } from './section.ts'

/** Alerts in force at the point, most severe first. An empty list means that there are none: it requires a successful read of the feed. */
export const alerts: Section = {
  name: 'alerts',
  async build(context: SectionContext): Promise<SectionResult> {
    const found = await context.alerts()
    if (!found) {
      const detail = 'this installation takes no alerts: that none is listed is no all-clear'
      return { warnings: [{ code: 'not_held', section: 'alerts', detail }], maxAgeSeconds: 300 }
    }
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
