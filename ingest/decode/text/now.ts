import type { TextSegment } from '../../domain/text/product.ts'
import type { Instant } from '../../domain/time.ts'
import { headed } from './hwo.ts'
import { sectionsOf, sectionTexts } from './section.ts'
import { segmentsOf } from './segment.ts'
import { paragraphsOf, prose, shortened, withoutHeadings } from './words.ts'

/**
 * Reads a short-term forecast; each segment becomes a record.
 * @throws Fault Corrupt if the text has no `$$`
 */
export function readNow(body: string, issuedAt: Instant): TextSegment[] {
  const { heading, segments } = segmentsOf(body, issuedAt)
  return segments
    .filter(({ zones }) => zones.length > 0)
    .map((segment) => {
      const lines = segment.lines.slice(segment.textFrom)
      const parts = sectionsOf(lines)
      const sections = sectionTexts(parts)
      const now = prose(
        parts.filter(({ name }) => name === 'now').flatMap((part) => ['', ...withoutHeadings(part.lines)]),
      )
      const summary =
        (now === '' ? sections['now'] : now) ??
        paragraphsOf(withoutHeadings(lines)).find((paragraph) => !/^(?:\$\$|&&)/.test(paragraph))
      return {
        zones: segment.zones,
        ...(segment.endsAt !== undefined && { endsAt: segment.endsAt }),
        body: headed(heading, segment.lines),
        ...(summary !== undefined && { summary: shortened(summary) }),
        sections,
      }
    })
}
