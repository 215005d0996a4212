import { knownWords } from '../../../ingest/domain/weather/conditions.ts'
import { glyphMarkup } from '../glyph-markup.ts'
import { type Guide, html, table } from './guide.ts'

/** Slugs with the words that come with them, in the order of the vocabulary. */
function vocabulary(): [slug: string, words: string[]][] {
  const found = new Map<string, Set<string>>()
  for (const { icon, conditions } of knownWords) found.set(icon, (found.get(icon) ?? new Set()).add(conditions))
  return [...found].map(([slug, words]) => [slug, [...words]])
}

export const icons: Guide = () => ({
  title: 'Icons and conditions',
  about: 'Every icon slug with its picture and the words that come with it.',
  body: html`<p><code>icon</code> is a slug, <code>conditions</code> the same in words. Slugs are stable and new ones may be added: fall back to the part before the last hyphen. <code>-day</code> and <code>-night</code> follow the sun at the place.</p>
${table(
  ['icon', 'conditions'],
  vocabulary().map(([slug, words]) => [
    html`${glyphMarkup(slug)} <code>${slug}</code>`,
    `${words.slice(0, 4).join('; ')}${words.length > 4 ? '; …' : ''}`,
  ]),
)}`,
})
