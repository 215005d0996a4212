import { Fault } from '../../ingest/domain/fault.ts'
import type { Section, SectionContext, SectionResult } from './section.ts'

/** SPC outlooks that hold the point: one a day and hazard, with its highest level. */
export const outlooks: Section = {
  name: 'outlooks',
  async build(context: SectionContext): Promise<SectionResult> {
    const found = await context.outlooks()
    if (!found) throw new Fault('Missing', 'no outlooks are held by this installation')
    return {
      value: found.outlooks.flatMap(({ rest }) => rest ?? []),
      warnings: found.warnings,
      freshness: found.freshness,
      sources: ['spc-outlooks'],
      maxAgeSeconds: 300,
      degraded: found.degraded,
      expiresAt: found.nextChange,
    }
  },
}
