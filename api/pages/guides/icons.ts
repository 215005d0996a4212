import { knownWords } from '../../../ingest/domain/weather/conditions.ts'
import { glyphMarkup } from '../glyph-markup.ts'
import { type Guide, html, table } from './guide.ts'

/** Slugs with their conditions, in the order of the vocabulary. */
function vocabulary(): [slug: string, words: string[]][] {
  const wordsBySlug = new Map<string, Set<string>>()
  for (const { icon, conditions } of knownWords)
    wordsBySlug.set(icon, (wordsBySlug.get(icon) ?? new Set()).add(conditions))
  return [...wordsBySlug].map(([slug, words]) => [slug, [...words]])
}

export const icons: Guide = () => ({
  title: 'Icons and conditions',
  about: 'Every icon slug with its picture and its conditions.',
  body: html`<p><code>icon</code> is a slug, and <code>conditions</code> describes the same weather in words. Slugs are stable, but new slugs may be added: for an unknown slug, use the part before its last hyphen. <code>-day</code> and <code>-night</code> follow the sun at the place.</p>
${table(
  ['icon', 'conditions'],
  vocabulary().map(([slug, words]) => [
    html`${glyphMarkup(slug)} <code>${slug}</code>`,
    `${words.slice(0, 4).join('; ')}${words.length > 4 ? '; …' : ''}`,
  ]),
)}`,
})
