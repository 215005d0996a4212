import { expect, test } from 'vitest'
import { readTexts } from '../../../ingest/decode/text/item.ts'
import { isFault } from '../../../ingest/domain/fault.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import type { TextList } from '../../../ingest/domain/text/product.ts'
import { files, textFile, transmission } from './files.ts'

/** `TEXT_FUZZ_CASES=200000 npx vitest run test/decode/text/fuzz.test.ts` for a long run. */
const cases = Number(process.env['TEXT_FUZZ_CASES'] ?? 3000)

/** The mulberry32 generator. */
function random(seed: number): () => number {
  let a = seed
  return () => {
    a = (a + 0x6d2b79f5) | 0
    let t = Math.imul(a ^ (a >>> 15), 1 | a)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const samples = [
  transmission(
    'FLUS43 KDMX 281505 AAA',
    'HWODMX',
    '905 AM CST Sun Feb 28 2021\n\nIAZ004>007-015-011515-\nEmmet-\n905 AM CST Sun Feb 28 2021\n\n.DAY ONE...Today\n\nNo hazardous weather is expected.\n\n$$',
  ),
  transmission(
    'ACUS11 KWNS 281505',
    'SWOMCD',
    'SPC MCD 281505\n\nMesoscale Discussion 0301\n0905 AM CST Sun Feb 28 2021\n\nConcerning...Severe potential...\n\nValid 281505Z - 281700Z\n\nSUMMARY...Storms.\n\nLAT...LON   41439629 41699622 42379593',
  ),
]
const sources = [
  ...samples.map((text) => ({
    text,
    office: text.includes('KDMX') ? 'KDMX' : 'KWNS',
    issuedAt: Date.UTC(2021, 1, 28, 15, 5),
    type: (text.includes('KDMX') ? 'HWO' : 'SWO') as TextList['type'],
  })),
  ...files.filter((name) => !name.includes('798a1c6b')).map(textFile),
]

const scraps = [
  '$$',
  '&&',
  '...',
  '.',
  '\n',
  '\n\n',
  '-',
  '>',
  'IAZ001>999-',
  '999999-',
  '99999999 ',
  '\u0000',
  '\u0007',
  '\ud800',
  'é',
  ' ',
  '\t',
  '/',
  '(',
  '***',
  '**',
  '\nFXUS61 KBOX 270001\nAFDBOX\n',
  '.DAY ONE...',
  'VALID 312359Z - 010000Z',
  '<html>',
  '000000',
  'a'.repeat(300),
  '.'.repeat(200),
  ' '.repeat(500),
]

function mutated(text: string, next: () => number, others: readonly string[]): string {
  let result = text
  const at = () => Math.floor(next() * (result.length + 1))
  for (let n = 1 + Math.floor(next() * 6); n > 0; n--) {
    const [a, b] = [at(), at()].sort((x, y) => x - y) as [number, number]
    const kind = Math.floor(next() * 8)
    if (kind === 0) result = result.slice(0, a) + result.slice(b)
    else if (kind === 1) result = result.slice(0, a)
    else if (kind === 2) result = result.slice(0, a) + nth(scraps, Math.floor(next() * scraps.length)) + result.slice(a)
    else if (kind === 3)
      result = result.slice(0, a) + String.fromCharCode(Math.floor(next() * 256)) + result.slice(a + 1)
    else if (kind === 4) result = result.slice(0, b) + result.slice(a, Math.min(b, a + 2000)) + result.slice(b)
    else if (kind === 5) result = result.slice(0, a) + nth(others, Math.floor(next() * others.length)).slice(a, b)
    else if (kind === 6)
      result = result.replace(/\d/g, (digit) => (next() < 0.05 ? String(Math.floor(next() * 10)) : digit))
    else result = next() < 0.5 ? result.toUpperCase() : result.replaceAll('\n', next() < 0.5 ? '\r\r\n' : ' ')
  }
  return result
}

test(`${cases} mutated texts give a record or a named rejection`, () => {
  const next = random(19)
  const others = sources.map(({ text }) => text)
  const outcomes = new Map<string, number>()
  const count = (name: string) => outcomes.set(name, (outcomes.get(name) ?? 0) + 1)
  for (let i = 0; i < cases; i++) {
    const source = nth(sources, i % sources.length)
    const text = mutated(source.text, next, others)
    try {
      const { issues, rejected } = readTexts(text, source, source)
      for (const { reason } of rejected) count(reason)
      for (const issue of issues) {
        count('read')
        if (!(issue.currentUntil >= issue.issuedAt - 2 * 86_400_000)) throw new Error(`ends before it begins: ${i}`)
        if (issue.mesoscale && issue.mesoscale.ring.length < 4) throw new Error(`no polygon: ${i}`)
        if ((issue.summary?.length ?? 0) > 400 || (issue.afd?.key_takeaway?.length ?? 0) > 400) {
          if (issue.kind !== 'mcd' && issue.kind !== 'mpd') throw new Error(`summary too long: ${i}`)
        }
        // The stored result must be JSON that PostgreSQL accepts: without NUL and lone surrogates.
        const stored = JSON.stringify(issue)
        if (/\\u0000|\\ud[89a-f]/i.test(stored)) throw new Error(`not storable: ${i}`)
      }
    } catch (error) {
      if (!isFault(error, 'Corrupt') || typeof error.details['reason'] !== 'string') throw error
      count(error.details['reason'])
    }
  }
  expect([...outcomes.keys()]).not.toContain('undefined')
  expect(outcomes.get('read')).toBeGreaterThan(cases / 10)
  console.info(Object.fromEntries([...outcomes].sort((a, b) => b[1] - a[1])))
}, 1_800_000)
