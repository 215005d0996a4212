import type { Section, SectionContext, SectionResult } from './section.ts'

/**
 * Alerts in force at the point, most severe first. An empty list means that there are none; it requires a successful
 * read of the feed.
 */
export const alerts: Section = {
  name: 'alerts',
  async build(context: SectionContext): Promise<SectionResult> {
    const pointAlerts = await context.alerts()
    if (!pointAlerts) {
      const detail = 'This installation has no alerts. An empty list does not mean that there are none.'
      return { warnings: [{ code: 'not_held', section: 'alerts', detail }], maxAgeSeconds: 300 }
    }
    return {
      value: pointAlerts.alerts.map((alert) => (context.query.alertDetail === 'full' ? alert.full() : alert.rest)),
      warnings: pointAlerts.warnings,
      freshness: pointAlerts.freshness,
      sources: ['nws-alerts'],
      maxAgeSeconds: 60,
      degraded: pointAlerts.degraded,
      expiresAt: pointAlerts.nextChange,
    }
  },
}
