import { nth } from '../../domain/nth.ts'
import type { TextSections } from '../../domain/text/product.ts'
import type { Instant } from '../../domain/time.ts'
import { refuse } from './product.ts'
import { sectionName } from './section.ts'
import { endNear } from './time.ts'
import { paragraphsOf, prose, shortened } from './words.ts'

/** Returns the day of an AWIPS id `SWODY1` to `SWODY3`; 4 for `SWOD48`, which covers days 4 to 8. */
export function outlookDay(awips: string): number | undefined {
  const day = /^SWO(?:DY([123])|D(48))$/.exec(awips)
  return day ? Number(day[1] ?? 4) : undefined
}

/**
 * Reads the text of a convective outlook.
 * @throws Fault Corrupt if VALID is absent, or ends before the issuance
 */
export function readSwo(
  body: string,
  issuedAt: Instant,
): { endsAt: Instant; summary?: string; sections: TextSections } {
  const lines = body.split('\n')
  const valid = lines.map((line) => /^valid\s+\d{6}z?\s*-\s*(\d{6})z?/i.exec(line.trim().slice(0, 80))).find(Boolean)
  const endsAt = valid ? endNear(nth(valid, 1), issuedAt) : undefined
  if (endsAt === undefined || endsAt <= issuedAt) {
    refuse('no_valid_time', `convective outlook: expected VALID ddhhmmZ - ddhhmmZ, but found ${valid?.[0] ?? 'none'}`)
  }
  const from = lines.findIndex((line) => /^valid\s+\d{6}/i.test(line.trim().slice(0, 80)))
  const sections = headlineSections(lines.slice(from + 1))
  const summary = sections['summary'] ?? Object.values(sections)[0] ?? paragraphsOf(lines.slice(from + 1))[0]
  return { endsAt, ...(summary !== undefined && { summary: shortened(summary) }), sections }
}

/**
 * Returns the sections whose title is alone between dots, such as `...SUMMARY...` or `...TX/LA...`. The text of the previous issuance is
 * omitted.
 */
function headlineSections(lines: readonly string[]): TextSections {
  const texts: Record<string, string> = {}
  let name: string | undefined
  let open: string[] = []
  const close = () => {
    const text = prose(open)
    if (name && text !== '') texts[name] = Object.hasOwn(texts, name) ? `${texts[name]}\n\n${text}` : text
    open = []
  }
  for (const raw of lines) {
    const line = raw.trim()
    const title = line.length <= 90 && line.startsWith('...') && line.endsWith('...') ? line.slice(3, -3).trim() : ''
    if (/^\.prev discussion/i.test(line) || /^(?:\$\$|&&)/.test(line) || /^\.\.(?=[A-Za-z])/.test(line)) {
      close()
      name = undefined
      if (/^\.prev discussion/i.test(line)) break
    } else if (title !== '' && !title.includes('...')) {
      close()
      name = sectionName(title).slice(0, 80)
    } else open.push(raw)
  }
  close()
  return texts
}
