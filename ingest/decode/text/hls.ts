import type { TextSections, TextSegment } from '../../domain/text/product.ts'
import type { Instant } from '../../domain/time.ts'
import { sectionName, sectionsOf, sectionTexts } from './section.ts'
import { segmentsOf } from './segment.ts'
import { timeOfLine } from './time.ts'
import { paragraphsOf, prose, shortened } from './words.ts'

/**
 * Reads a tropical local statement. Each segment becomes a record with the whole text. The UGC lines precede the heading, once for the
 * whole text, or (before 2015) each segment.
 * @throws Fault Corrupt if the text has no `$$`
 */
export function readHls(body: string, issuedAt: Instant): TextSegment[] {
  const { heading, segments } = segmentsOf(body, issuedAt)
  return segments
    .filter(({ zones }) => zones.length > 0)
    .map((segment) => {
      const lines = segment.lines.slice(segment.textFrom)
      const summary = headlineOf([...heading, '', ...lines])
      return {
        zones: segment.zones,
        ...(segment.endsAt !== undefined && { endsAt: segment.endsAt }),
        body,
        ...(summary !== undefined && { summary }),
        sections: { ...underlinedSections(lines), ...sectionTexts(sectionsOf(lines)) },
      }
    })
}

/**
 * Returns the headline without its marks, as in `**Helene nears the coast**` or `...TROPICAL STORM WARNING IN EFFECT...`. Without a
 * headline, it returns the first paragraph after the time line.
 */
function headlineOf(lines: readonly string[]): string | undefined {
  const paragraphs = paragraphsOf(lines)
  for (const paragraph of paragraphs) {
    const marked = /^(\*\*+|\.\.\.)(?=[^.*])/.exec(paragraph)?.[1]
    if (!marked) continue
    const end = paragraph.lastIndexOf(marked)
    const headline = paragraph.slice(marked.length, end > marked.length ? end : undefined).trim()
    if (headline !== '') return shortened(headline)
  }
  const timed = lines.findIndex((line) => timeOfLine(line) !== undefined)
  const first = paragraphsOf(lines.slice(timed + 1)).find((paragraph) => !/^(?:\$\$|&&|-{3,})/.test(paragraph))
  return first === undefined ? undefined : shortened(first)
}

/** Returns the sections in the form used since 2015, whose titles are underlined with dashes. */
function underlinedSections(lines: readonly string[]): TextSections {
  const texts: Record<string, string> = {}
  let name: string | undefined
  let open: string[] = []
  const close = () => {
    const text = prose(open)
    if (name && text !== '' && !Object.hasOwn(texts, name)) texts[name] = text
    open = []
  }
  for (const [i, line] of lines.entries()) {
    const title = line.trim()
    if (/^-{3,}$/.test(lines[i + 1]?.trim() ?? '') && title !== '' && title.length <= 80) {
      close()
      name = sectionName(title)
    } else if (/^(?:\$\$|&&)/.test(title)) {
      close()
      name = undefined
    } else if (!/^-{3,}$/.test(title)) open.push(line)
  }
  close()
  return texts
}
