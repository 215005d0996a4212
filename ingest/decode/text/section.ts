import { nth } from '../../domain/nth.ts'
import type { TextSections } from '../../domain/text/product.ts'
import { prose } from './words.ts'

/** A section of an AFD, HWO or NOW. */
export interface TextSection {
  /** The heading without its period, such as `NEAR TERM` or `OKX WATCHES/WARNINGS/ADVISORIES`. */
  readonly title: string
  /** Name derived from the title, such as `near_term` or `watches_warnings_advisories`. */
  readonly name: string
  /** Lines of the section, which begin with the text after the dots of the first line. */
  readonly lines: readonly string[]
  /** Text after the dots of the first line. */
  readonly tail: string
}

const MAX_TITLE = 80

/**
 * Splits the first line of a section into its title and the text after the dots: `.NEAR TERM /THROUGH TONIGHT/...`, `.UPDATE...Updated
 * aviation`, `..Synopsis...`, `.AVIATION....`. Headlines (`...WIND ADVISORY...`) and signatures (`..COHEN.. 07/26/2013`) give undefined.
 */
export function sectionTitle(line: string): { title: string; tail: string } | undefined {
  const dots = /^\.{1,2}(?=[A-Za-z])/.exec(line)?.[0].length
  if (dots === undefined) return undefined
  const head = line.slice(dots, dots + 4 * MAX_TITLE)
  const period = head.indexOf(' /')
  const first = head.indexOf('...')
  // The period may itself contain dots, as in `/TODAY...TONIGHT/...`.
  const closing = period > 0 && (first < 0 || period < first) ? head.indexOf('/...', period + 2) : -1
  const end = closing > 0 ? closing + 1 : first
  if (end <= 0) return undefined
  const title = head
    .slice(0, closing > 0 ? period : end)
    .trim()
    .replace(/\([^()]{0,80}\)$/, '')
    .trim()
  if (title.length > MAX_TITLE || !/^[A-Za-z][A-Za-z0-9 /&,'-]*$/.test(title)) return undefined
  const after = line.slice(dots + end)
  return { title, tail: after.slice(after.startsWith('....') ? 4 : 3).trim() }
}

/** Returns the name of a title: `OKX WATCHES/WARNINGS/ADVISORIES` gives `watches_warnings_advisories`. */
export function sectionName(title: string): string {
  const words = title
    .toLowerCase()
    .replace(/^[a-z]{3} (?=watches)/, '')
    .replace(/^prev(?:ious)? /, 'previous ')
    .match(/[a-z0-9]+/g)
  return (words ?? []).join('_')
}

/** Returns the sections in the order of the text. A section ends at the next title, at `&&` or at `$$`. */
export function sectionsOf(lines: readonly string[]): TextSection[] {
  const sections: (TextSection & { lines: string[] })[] = []
  let open: (TextSection & { lines: string[] }) | undefined
  for (const line of lines) {
    const title = sectionTitle(line)
    if (title) {
      open = { ...title, name: sectionName(title.title), lines: title.tail === '' ? [] : [title.tail] }
      sections.push(open)
    } else if (/^\s{0,3}(?:&&|\$\$)/.test(line)) open = undefined
    else open?.lines.push(line)
  }
  return sections.map((section) => ({ ...section, lines: withoutPreamble(section.lines) }))
}

/** Removes the period (`(Tonight through Monday)`, `/ISSUED 1126 AM …/`) and `Issued at …` before the text. */
function withoutPreamble(lines: readonly string[]): string[] {
  let from = 0
  for (; from < lines.length && from < 6; from++) {
    const line = nth(lines, from).trim()
    if (line !== '' && !isPreamble(line)) break
  }
  return lines.slice(from)
}

function isPreamble(line: string): boolean {
  if (line.length > 160) return false
  return (
    /^\([^()]*\)$/.test(line) ||
    /^\d{2}\/\d{2}Z$/i.test(line) ||
    /^\/[^/]*\/$/.test(line) ||
    /^(?:issued|updated) at \d{1,4} [ap]m /i.test(line)
  )
}

/** Returns the text of each section by its name. Texts with the same name are joined with an empty line; empty sections are omitted. */
export function sectionTexts(sections: readonly TextSection[]): TextSections {
  const texts: Record<string, string> = {}
  for (const { name, lines } of sections) {
    const text = prose(lines)
    if (text !== '') texts[name] = Object.hasOwn(texts, name) ? `${texts[name]}\n\n${text}` : text
  }
  return texts
}
