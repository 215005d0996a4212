import type { MetaWarning } from '../contract.ts'
import type { Section, SectionContext, SectionResult } from './section.ts'

/** The warning for places outside the area of the Storm Prediction Center. */
export const noOutlooks: MetaWarning = {
  code: 'no_coverage',
  section: 'outlooks',
  product_id: 'spc-outlooks',
  detail: 'SPC outlooks cover the lower 48 states only. An empty list does not mean that there is no risk.',
}

/** SPC outlooks that contain the point: the highest level for each day and hazard. */
export const outlooks: Section = {
  name: 'outlooks',
  async build(context: SectionContext): Promise<SectionResult> {
    const outlooksAtPoint = await context.outlooks()
    if (!outlooksAtPoint) {
      const detail = 'This installation has no outlooks. An empty list does not mean that there is no risk.'
      return { warnings: [{ code: 'not_held', section: 'outlooks', detail }], maxAgeSeconds: 300 }
    }
    return {
      value: outlooksAtPoint.outlooks.flatMap(({ rest }) => rest ?? []),
      warnings: context.domain === 'conus' ? outlooksAtPoint.warnings : [...outlooksAtPoint.warnings, noOutlooks],
      freshness: outlooksAtPoint.freshness,
      sources: ['spc-outlooks'],
      maxAgeSeconds: 300,
      degraded: outlooksAtPoint.degraded,
      expiresAt: outlooksAtPoint.nextChange,
    }
  },
}
