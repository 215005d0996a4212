import { nth } from '../../domain/nth.ts'

/** Paragraphs, sentences and bullets of forecasters' texts. Every function takes time linear in its input. */

/** Joins lines into paragraphs; a line break in a paragraph becomes a space. */
export function paragraphsOf(lines: readonly string[]): string[] {
  const paragraphs: string[] = []
  let open: string[] = []
  const close = () => {
    if (open.length > 0) paragraphs.push(open.join(' '))
    open = []
  }
  for (const raw of lines) {
    const line = raw.trim()
    if (line === '') close()
    else open.push(line)
  }
  close()
  return paragraphs
}

/** Returns the paragraphs as one string, with an empty line between them. */
export function prose(lines: readonly string[]): string {
  return paragraphsOf(lines).join('\n\n')
}

/** Maximum lines and characters of a heading between dots, which may be broken over several lines. */
const MAX_HEADING_LINES = 4
const MAX_HEADING = 250

/**
 * Removes headings between dots: `...Today...` alone, `...TODAY...Rain spreads in.` before a text, or over several lines. The text after a
 * heading begins a paragraph.
 */
export function withoutHeadings(lines: readonly string[]): string[] {
  const body: string[] = []
  for (let i = 0; i < lines.length; i++) {
    const heading = headingAt(lines, i)
    if (!heading) {
      body.push(nth(lines, i))
      continue
    }
    body.push('', ...(heading.tail === '' ? [] : [heading.tail]))
    i = heading.last
  }
  return body
}

/** Returns the last line of the heading that begins at a line, and the text after it; undefined if no heading begins there. */
function headingAt(lines: readonly string[], from: number): { last: number; tail: string } | undefined {
  if (!/^\s*\.{2,}\s?[^.\s]/.test(nth(lines, from))) return undefined
  let text = ''
  for (let last = from; last < lines.length && last < from + MAX_HEADING_LINES; last++) {
    const line = nth(lines, last).trim()
    if (line === '') return undefined
    text = `${text} ${line}`.trim()
    const isClosed = /^\.{2,}\s?[^.].*[^.]\.{2,}$/.test(text)
    // The position is after the last character before the dots.
    const inner = text.search(/[^.]\.{2,}\s*[A-Z0-9]/) + 1 || -1
    // Forecasters write dots instead of commas, so a line with several pairs of dots that continues is a text after its heading.
    const isWhole = isClosed && (inner < 0 || /^\s*(?:\.|$)/.test(lines[last + 1] ?? ''))
    const end = isWhole ? text.length : inner
    if (end > 0) {
      const heading = text.slice(0, end)
      // Prose may also begin with dots.
      if (heading.length > MAX_HEADING || /[a-z][.!?] (?=[A-Z])/.test(heading)) return undefined
      return { last, tail: text.slice(end).replace(/^[.\s]+/, '') }
    }
  }
  return undefined
}

/** Abbreviations whose full stop does not end a sentence. */
const abbreviations = new Set(['u.s.', 'st.', 'mt.', 'a.m.', 'p.m.'])

/** Returns the sentences of a paragraph. A sentence ends at `.`, `!`, `?` or `...` before a space and a capital letter or a digit. */
export function sentencesOf(paragraph: string): string[] {
  const sentences: string[] = []
  let start = 0
  for (let i = 0; i < paragraph.length; i++) {
    if (!'.!?'.includes(nth(paragraph, i))) continue
    let end = i + 1
    while (end < paragraph.length && ')"\''.includes(nth(paragraph, end))) end++
    if (paragraph[end] !== ' ') continue
    let next = end
    while (paragraph[next] === ' ') next++
    if (!/[A-Z0-9("]/.test(paragraph[next] ?? '') || endsInAbbreviation(paragraph, start, i)) continue
    sentences.push(paragraph.slice(start, end).trim())
    start = next
    i = next - 1
  }
  const tail = paragraph.slice(start).trim()
  if (tail !== '') sentences.push(tail)
  return sentences
}

/** Returns whether the full stop at `i` belongs to an abbreviation or to the number of an enumeration (`1.`). */
function endsInAbbreviation(paragraph: string, start: number, i: number): boolean {
  if (paragraph[i] !== '.') return false
  let from = i
  // Longer words are not abbreviations.
  while (from > start && i - from < 6 && !' ("'.includes(nth(paragraph, from - 1))) from--
  const word = paragraph.slice(from, i + 1).toLowerCase()
  return abbreviations.has(word) || (from === start && /^\d{1,2}\.$/.test(word))
}

const bulletMark = /^\s*(?:[-*]\s+|•\s*|\d{1,2}[.)]\s+)(?=\S)/

/** Returns bullets (`-`, `*`, `•`, `1.`) without their marks, one string each. A bullet ends at the next bullet or at an empty line. */
export function bulletsOf(lines: readonly string[]): string[] {
  const bullets: string[][] = []
  let open: string[] | undefined
  for (const line of lines) {
    const mark = bulletMark.exec(line.slice(0, 40))
    if (mark) {
      open = [line.slice(mark[0].length).trim()]
      bullets.push(open)
    } else if (line.trim() === '') open = undefined
    else open?.push(line.trim())
  }
  return bullets.map((bullet) => bullet.join(' '))
}

/** Maximum length of a summary in characters, including the `…`. */
const MAX_SUMMARY = 400

/** Shortens a text to at most `most` characters; the cut is between words. */
export function shortened(text: string, most = MAX_SUMMARY): string {
  if (text.length <= most) return text
  const cut = text.slice(0, most)
  const blank = cut.lastIndexOf(' ')
  return `${(blank > most / 2 ? cut.slice(0, blank) : cut.slice(0, most - 1)).replace(/[\s,;:.]{1,9}$/, '')}…`
}
