import { describe, expect, it } from 'vitest'
import { readTexts } from '../../../ingest/decode/text/item.ts'
import { transmission } from './files.ts'

const issuedAt = Date.UTC(2026, 1, 7, 21, 12)

/** An outlook with two parts. */
const outlook = (second: string, tail = '') =>
  transmission(
    'FLUS43 KMQT 072112',
    'HWOMQT',
    `Hazardous Weather Outlook
National Weather Service Marquette MI
412 PM EST Sat Feb 7 2026

MIZ001>003-082115-
Keweenaw-
412 PM EST Sat Feb 7 2026

.DAY ONE...Tonight.

No hazardous weather is expected at this time.

$$

${second}
Marquette-Alger-
412 PM EST Sat Feb 7 2026

.DAY ONE...Tonight.

Heavy lake effect snow is likely.

$$
${tail}`,
  )

function read(text: string) {
  const { issues, rejected } = readTexts(text, { type: 'HWO' }, { office: 'KMQT', issuedAt })
  return {
    zones: issues.flatMap(({ segments }) =>
      segments!.map((segment) => segment.zones.map((zone) => zone.slice(2)).join()),
    ),
    rejected: rejected.map(({ reason }) => reason),
  }
}

describe('the zones of a part', () => {
  it.each([
    ['as the directive has it', 'MIZ004>006-012-082115-'],
    ['blanks after dashes', 'MIZ004>006- 012-082115-'],
    ['blanks everywhere', ' MIZ 004 > 006 - 012 - 082115 - '],
    ['tabs and trailing blanks', 'MIZ004>006-\t012-082115-   '],
    ['lower case', 'miz004>006-012-082115-'],
    ['commas', 'MIZ004>006,012,082115-'],
    ['no dash at the end', 'MIZ004>006-012-082115'],
    ['the state at both ends of a range', 'MIZ004>MIZ006-MIZ012-082115-'],
    ['a line break before a dash', 'MIZ004>006\n-012-082115-'],
    ['a line break in a range', 'MIZ004>\n006-012-082115-'],
    ['a line break without a dash', 'MIZ004>006\n012-082115-'],
    ['the end on a line of its own', 'MIZ004>006-012-\n  082115-'],
    ['dashes twice', 'MIZ004>006--012-082115-'],
    ['names on the same line', 'MIZ004>006-012-082115-Marquette-'],
  ])('is read with %s', (_, zones) => {
    expect(read(outlook(zones))).toEqual({ zones: ['Z001,Z002,Z003', 'Z004,Z005,Z006,Z012'], rejected: [] })
  })

  it.each([
    ['a reversed range', 'MIZ006>004-012-082115-'],
    ['a range over two states', 'MIZ004>WIZ006-082115-'],
    ['a digit too few', 'MIZ004>006-12-082115-'],
    ['a digit too many', 'MIZ004>0066-012-082115-'],
    ['a letter in a number', 'MIZ0O4>006-012-082115-'],
    ['a letter in the first of two lines', 'MIZ00X>006-\nMIZ012-082115-'],
    ['no state', '004>006-012-082115-'],
    ['no kind of zone', 'MI004>006-012-082115-'],
    ['a short end', 'MIZ004>006-012-08211-'],
    ['no end', 'MIZ004>006-012-'],
    ['a full stop', 'MIZ004>006-012.082115-'],
    ['nothing at all', ''],
  ])('rejects the product with %s', (_, zones) => {
    expect(read(outlook(zones))).toEqual({ zones: [], rejected: ['no_zones'] })
  })

  it('rejects a product whose only part has no zones', () => {
    const text = outlook('').replace(/MIZ001[\s\S]*?\$\$\n\n/, '')
    expect(read(text)).toEqual({ zones: [], rejected: ['no_zones'] })
  })

  it('rejects a short-term forecast whose first part has no zones', () => {
    const parts = (first: string) => {
      const part = (zones: string, words: string) =>
        `${zones}\nMarquette-\n412 PM EST Sat Feb 7 2026\n\n${words}\n\n$$\n`
      const text = `Short Term Forecast\nNational Weather Service Marquette MI\n412 PM EST Sat Feb 7 2026\n\n`
      const body = `${text}${part(first, 'Snow showers will continue near the lake.')}\n${part('MIZ004-080300-', 'Dry.')}`
      const { issues, rejected } = readTexts(
        transmission('FPUS73 KMQT 072112', 'NOWMQT', body),
        { type: 'NOW' },
        { office: 'KMQT', issuedAt },
      )
      return [issues[0]?.segments?.length, rejected[0]?.reason]
    }
    expect(parts('MIZ001-080300-')).toEqual([2, undefined])
    for (const first of ['', 'MIZ001', 'Keweenaw', 'MIZ001.080300.'])
      expect(parts(first), first).toEqual([undefined, 'no_zones'])
  })

  it('rejects forecast text without a title after $$, and accepts names and addresses', () => {
    const good = 'MIZ004>006-012-082115-'
    const two = { zones: ['Z001,Z002,Z003', 'Z004,Z005,Z006,Z012'], rejected: [] }
    expect(read(outlook(good, '\nGusts to 55 mph are likely on the lake.\n\n$$')).rejected).toEqual(['no_zones'])
    expect(read(outlook(good, '\n.DAYS TWO THROUGH SEVEN...\n\nSnow.')).rejected).toEqual(['no_zones'])
    expect(read(outlook(`Gusts to 55 mph are likely on the lake.\n\n${good}`)).rejected).toEqual(['no_zones'])
    for (const tail of [
      '\nKEC',
      '\nKEC\n\nVisit us at https://www.weather.gov/mqt\n',
      '\nKEC/JLA\n$$',
      '\nFor more information see www.weather.gov/mqt\n\n$$',
    ])
      expect(read(outlook(good, tail)), tail).toEqual(two)
  })
})
