import type { AreaDiscussion, TextSections } from '../../domain/text/product.ts'
import { refuse } from './product.ts'
import { sectionsOf, sectionTexts, type TextSection } from './section.ts'
import { bulletsOf, paragraphsOf, sentencesOf, shortened, withoutHeadings } from './words.ts'

/** Beginnings of section names, in the order in which the takeaway is searched. */
const takeawaySections = ['synopsis', 'discussion', 'update', 'near_term', 'short_term']

/** Sections about the forecast itself. AVIATION and MARINE state uncertainties of other elements. */
const forecastSections = [
  'synopsis',
  'key_message',
  'update',
  'discussion',
  'near_term',
  'short_term',
  'mid_term',
  'long_term',
  'extended',
]

const MAX_CONFIDENCE_SENTENCES = 3

/**
 * Reads an area forecast discussion.
 * @throws Fault Corrupt if the text has no `$$`, because it was truncated in transmission
 */
export function readAfd(body: string): { afd: AreaDiscussion; sections: TextSections; summary?: string } {
  const lines = body.split('\n')
  const end = lines.findIndex((line) => line.trim() === '$$')
  if (end < 0) refuse('cut', 'AFD: the text must end with $$, but has none, so it is truncated')
  const sections = sectionsOf(lines.slice(0, end))
  const texts = sectionTexts(sections)
  const synopsis = Object.entries(texts).find(([name]) => name.startsWith('synopsis'))?.[1]
  const takeaway = takeawayOf(sections)
  const confidence = confidenceOf(sections)
  const summary = synopsis ?? takeaway
  return {
    afd: {
      ...(synopsis !== undefined && { synopsis }),
      ...(takeaway !== undefined && { key_takeaway: takeaway }),
      ...(confidence !== undefined && { confidence }),
    },
    sections: texts,
    ...(summary !== undefined && { summary: shortened(summary) }),
  }
}

/**
 * Returns the first bullet of KEY MESSAGES; without bullets its first sentence; without that section the first sentence of the first
 * section in `takeawaySections`.
 */
function takeawayOf(sections: readonly TextSection[]): string | undefined {
  const first = (section: TextSection) => sentencesOf(paragraphsOf(withoutHeadings(section.lines))[0] ?? '')[0]
  for (const section of sections.filter(({ name }) => name.startsWith('key_message'))) {
    const takeaway = bulletsOf(withoutHeadings(section.lines))[0] ?? first(section)
    if (takeaway) return shortened(takeaway)
  }
  for (const beginning of takeawaySections) {
    for (const section of sections.filter(({ name }) => name.startsWith(beginning))) {
      const sentence = first(section)
      if (sentence) return shortened(sentence)
    }
  }
  return undefined
}

function confidenceOf(sections: readonly TextSection[]): string | undefined {
  const sentences: string[] = []
  for (const section of sections) {
    if (!forecastSections.some((beginning) => section.name.startsWith(beginning))) continue
    for (const sentence of paragraphsOf(withoutHeadings(section.lines)).flatMap(sentencesOf)) {
      if (/confiden|uncertain|model spread/i.test(sentence)) sentences.push(sentence)
      if (sentences.length === MAX_CONFIDENCE_SENTENCES) return sentences.join(' ')
    }
  }
  return sentences.length > 0 ? sentences.join(' ') : undefined
}
