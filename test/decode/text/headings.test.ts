import { describe, expect, it } from 'vitest'
import { readTexts } from '../../../ingest/decode/text/item.ts'
import { withoutHeadings } from '../../../ingest/decode/text/words.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import type { TextList } from '../../../ingest/domain/text/product.ts'
import { onlyIssue, transmission } from './files.ts'

const issuedAt = Date.UTC(2026, 4, 12, 18)
const read = (awips: string, office: string, body: string) =>
  onlyIssue(
    transmission(`FXUS63 ${office} 121800`, awips, `100 PM CDT Tue May 12 2026\n\n${body}`),
    awips.slice(0, 3) as TextList['type'],
    office,
    issuedAt,
  )
const afd = (sections: string) => read('AFDDLH', 'KDLH', `${sections}\n\n&&\n\n$$\n`).afd!

describe('headings between dots', () => {
  it.each([
    ['alone', '...This afternoon...\nStorms form by 4 PM. Calm later.'],
    ['in upper case', '...THIS AFTERNOON...\nStorms form by 4 PM. Calm later.'],
    ['with blanks', '  ... This Afternoon ...  \n\nStorms form by 4 PM. Calm later.'],
    ['with four dots and two', '....This afternoon..\nStorms form by 4 PM. Calm later.'],
    ['before the text on one line', '...THIS AFTERNOON...Storms form by 4 PM. Calm later.'],
    ['one behind another', '...Severe threat...\n\n...This afternoon...\nStorms form by 4 PM. Calm later.'],
    ['over two lines', '...Severe thunderstorms and heavy\nrain this afternoon...\nStorms form by 4 PM. Calm later.'],
    ['with dots inside', '...Today...Tonight...\n\nStorms form by 4 PM. Calm later.'],
    ['with dates', '...Tuesday 5/12 (4 PM - 10 PM)...\nStorms form by 4 PM. Calm later.'],
  ])('are no takeaway: %s', (_, text) => {
    for (const section of ['DISCUSSION', 'SHORT TERM /THROUGH TONIGHT/', 'KEY MESSAGES'])
      expect(afd(`.${section}...\n${text}`).key_takeaway, section).toBe('Storms form by 4 PM.')
  })

  it('join a section without text to the next section', () => {
    expect(afd('.SYNOPSIS...\n...None...\n\n.DISCUSSION...\nWarm. Dry.').key_takeaway).toBe('Warm.')
  })

  it('are not used as a sentence of confidence, and end the sentence before them', () => {
    const text = '.DISCUSSION...\nWarm today\n...Forecast confidence...\nConfidence is high in storms. Dry later.'
    expect(afd(text)).toEqual({ key_takeaway: 'Warm today', confidence: 'Confidence is high in storms.' })
  })

  it('do not become part of a bullet', () => {
    expect(afd('.KEY MESSAGES...\n...Today...\n- Storms by\n  evening.\n...Tonight...\n- Fog.').key_takeaway).toBe(
      'Storms by evening.',
    )
  })

  it('are distinct from prose that begins with dots or has dots as commas', () => {
    for (const prose of [
      ['...and rain tonight. Warm tomorrow...'],
      ['Storms form...mainly south...by 4 PM.'],
      ['...rain continues', '', 'until noon...'],
    ])
      expect(withoutHeadings(prose)).toEqual(prose)
    expect(withoutHeadings(['...TODAY...RAIN...HEAVY AT TIMES...', 'ENDS BY NOON.'])).toEqual([
      '',
      'RAIN...HEAVY AT TIMES...',
      'ENDS BY NOON.',
    ])
  })

  it('are not used as the summary of an outlook, a short-term forecast or a national discussion', () => {
    const text = '...Storms...\nStorms form by 4 PM.'
    const zones = 'MNZ037-130000-\nDuluth-\n100 PM CDT Tue May 12 2026\n\n'
    expect(nth(read('HWODLH', 'KDLH', `${zones}.DAY ONE...Today.\n\n${text}\n\n$$`).segments!, 0).summary).toBe(
      'Storms form by 4 PM.',
    )
    expect(nth(read('NOWDLH', 'KDLH', `${zones}.NOW...\n${text}\n\n$$`).segments!, 0).summary).toBe(
      'Storms form by 4 PM.',
    )
    expect(read('PMDEPD', 'KWNH', `Valid 12Z Thu - 12Z Mon\n\n${text}\n`).summary).toBe('Storms form by 4 PM.')
    expect(read('PMDEPD', 'KWNH', 'Valid 12Z Thu - 12Z Mon\n\n...Storms in the Plains...\n').summary).toBe(
      '...Storms in the Plains...',
    )
  })

  it('reads any number of dots and lines in linear time', () => {
    const lines = Array.from({ length: 20_000 }, () => `...${'. '.repeat(3)}a`)
    const begin = performance.now()
    withoutHeadings([...lines, `...${'.x '.repeat(80_000)}`])
    expect(performance.now() - begin).toBeLessThan(2000)
    expect(
      readTexts(
        transmission('FXUS63 KDLH 121800', 'AFDDLH', `${'.'.repeat(9999)}\n$$`),
        { type: 'AFD' },
        { office: 'KDLH', issuedAt },
      ).rejected,
    ).toEqual([])
  })
})
