import type { MetaWarning } from '../contract.ts'
import type { Section, SectionContext, SectionResult } from './section.ts'

/** The warning for places outside the area of the Storm Prediction Center. */
export const noOutlooks: MetaWarning = {
  code: 'no_coverage',
  section: 'outlooks',
  product_id: 'spc-outlooks',
  detail: 'SPC outlooks cover the lower 48 states only: that none is listed is no all-clear',
}

/** SPC outlooks that contain the point: one for each day and hazard, with its highest level. */
export const outlooks: Section = {
  name: 'outlooks',
  async build(context: SectionContext): Promise<SectionResult> {
    const found = await context.outlooks()
    if (!found) {
      const detail = 'this installation takes no outlooks: that none is listed is no all-clear'
      return { warnings: [{ code: 'not_held', section: 'outlooks', detail }], maxAgeSeconds: 300 }
    }
    return {
      value: found.outlooks.flatMap(({ rest }) => rest ?? []),
      warnings: context.domain === 'conus' ? found.warnings : [...found.warnings, noOutlooks],
      freshness: found.freshness,
      sources: ['spc-outlooks'],
      maxAgeSeconds: 300,
      degraded: found.degraded,
      expiresAt: found.nextChange,
    }
  },
}
