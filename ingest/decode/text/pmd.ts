import { type PmdDesk, pmdDesks } from '../../domain/text/product.ts'
import { timeOfLine } from './time.ts'
import { paragraphsOf, shortened, withoutHeadings } from './words.ts'

/** Returns the desk of an AWIPS id such as `PMDSPD`; undefined for desks that are not in `pmdDesks` (`PMDSA`). */
export function deskOf(awips: string): PmdDesk | undefined {
  return pmdDesks.find((desk) => awips === `PMD${desk}`)
}

/**
 * Reads a national discussion. The summary has the headlines `***…***`, with `; ` between them. Without headlines it is the first paragraph
 * after VALID, or after the time line.
 */
export function readPmd(body: string): { summary?: string } {
  const paragraphs = paragraphsOf(body.split('\n'))
  const headlines = paragraphs.flatMap((paragraph) => {
    const headline = /^\*{3}(?=[^*])/.test(paragraph) ? paragraph.replaceAll('***', '').trim() : ''
    return headline === '' ? [] : [headline]
  })
  if (headlines.length > 0) return { summary: shortened(headlines.join('; ')) }
  const lines = body.split('\n')
  const valid = lines.findIndex((line) => /^valid\b/i.test(line.trim()))
  const from = valid >= 0 ? valid : lines.findIndex((line) => timeOfLine(line) !== undefined)
  const isText = (paragraph: string) => /[a-z]/i.test(paragraph) && paragraph !== '$$'
  const text = lines.slice(from + 1)
  const first = paragraphsOf(withoutHeadings(text)).find(isText) ?? paragraphsOf(text).find(isText)
  return first === undefined ? {} : { summary: shortened(first) }
}
