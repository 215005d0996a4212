import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { expressionsOf } from './expressions.ts'
import { sourceFiles } from './imports.ts'

/**
 * Regular expressions that recheck has found linear, one a line. Expressions that are not in the file are analysed, 0.1 s each.
 * A verdict depends on the expression alone, so the file cannot be stale. UPDATE_EXPRESSIONS=1 rewrites it.
 */
const recorded = new URL('./linear-expressions.txt', import.meta.url)
const ANALYSIS_MS = 60_000

/** Expressions that are super-linear or undecided after a minute, with the reason why an attacker cannot use them. */
const exceptions: Readonly<Record<string, string>> = {
  '/(<!-- table:\\w+ -->[\\s\\S]*?<!-- end -->)/': 'reads our own documents, when files are generated',
  '/<!-- table:alarms -->[\\s\\S]*?<!-- end -->/': 'reads our own OPS.md, when files are generated',
  '/(\\w+)="([^"]*)"/g': 'labels of our own rules, when files are generated',
  '/hx_(?:live|trial)_[A-Za-z0-9_-]{9,}/':
    'linear: a failed attempt has read fewer than 9 characters behind its prefix',
  '/(hx_(?:live|trial)_[A-Za-z0-9_-]{8})[A-Za-z0-9_-]+/g':
    'linear: the prefix has a fixed length, what follows is consumed',
  '/^(\\d+(?:\\.\\d+)?):(\\d+):(?:D|d)=(\\d{10})(\\d{2})?(\\d{2})?:(.*)$/':
    'linear: anchored, every group ends at another character than it takes',
}
/** Files whose expressions read only input that was cut to a short length before. */
const bounded: Readonly<Record<string, string>> = {
  'ingest/decode/text/hwo.ts': 'alternatives of words; a run of letters at the end of each at most',
  'ingest/decode/radar/nexrad-l3-storms.ts': '100 characters of a line',
  'ingest/decode/text/rer.ts': 'sentences of 600 characters, 2,000 of the head',
  'ingest/decode/text/time.ts': '200 characters of a line',
}
/** Files that build expressions from strings. The parts are constants of tables in the same file, never input. */
const constructing: ReadonlySet<string> = new Set([
  'ingest/domain/dataset/field.ts',
  'ingest/datasets/mrms.ts',
  'ingest/datasets/nbm.ts',
  'api/routes/alerts.ts',
  'ingest/decode/text/rer.ts',
])

const linearVerdict: { status: string; complexity?: { summary: string } | undefined } = { status: 'safe' }

const files = sourceFiles().filter(
  (file) => /^(api|bin|infra|ingest|sql|workers)\//.test(file) && !/\/test\/|\.generated\./.test(file),
)

test('every regular expression of the tree takes linear time', { timeout: 300_000 }, async () => {
  process.env['RECHECK_BACKEND'] = 'pure'
  const { checkSync } = await import('recheck')
  const recordedExpressions = new Set(readFileSync(recorded, 'utf8').split('\n'))
  const { literals } = expressionsOf(files)
  expect(literals.length).toBeGreaterThan(150)
  const linear: string[] = []
  const wrong: string[] = []
  for (const { source, flags, uses } of literals) {
    const text = `/${source}/${flags}`
    if (text in exceptions || uses.every((at) => nth(at.split(':'), 0) in bounded)) continue
    const verdict: typeof linearVerdict = recordedExpressions.has(text)
      ? linearVerdict
      : checkSync(source, flags.replace('v', 'u'), { timeout: ANALYSIS_MS })
    if (verdict.status === 'safe') linear.push(text)
    else wrong.push(`${text} at ${uses.join(', ')}: ${verdict.complexity?.summary ?? 'not decided'}`)
  }
  if (process.env['UPDATE_EXPRESSIONS']) writeFileSync(recorded, `${linear.sort().join('\n')}\n`)
  expect(wrong).toEqual([])
})

test('the analysis finds a super-linear expression', async () => {
  process.env['RECHECK_BACKEND'] = 'pure'
  const { checkSync } = await import('recheck')
  expect(checkSync('^[+-]?(\\d+\\.?\\d*|\\.\\d+)$', '').status).toBe('vulnerable')
  expect(checkSync('^[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)$', '').status).toBe('safe')
})

test('only the listed files build expressions from strings', () => {
  const elsewhere = expressionsOf(files).constructed.filter((at) => !constructing.has(nth(at.split(':'), 0)))
  expect(elsewhere).toEqual([])
})
