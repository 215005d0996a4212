import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/**
 * Verifies the file counts of docs/ADDING.md for a section, a tool, a feed, an hourly field and an MRMS product. A copy
 * of the project gets one of each from test/cases/additions: the files and the lines in lists that a contributor would
 * write. Everything else must be derived.
 */
const cases = 'test/cases/additions'
const run = promisify(execFile)
const kinds = ['section', 'tool', 'feed', 'field', 'product'] as const

interface Line {
  readonly file: string
  readonly after: string
  readonly line: string
}

const filesOf = (kind: string): string[] =>
  readdirSync(join(cases, kind), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.txt'))
    .map((entry) => join(entry.parentPath, entry.name).slice(`${cases}/${kind}/`.length, -'.txt'.length))
const linesOf = (kind: string): Line[] => JSON.parse(readFileSync(join(cases, kind, 'lines.json'), 'utf8'))

let copy: string
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'hexcast-additions-'))
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' })
  for (const file of listed.split('\n').filter((name) => name && existsSync(name) && !name.startsWith(cases)))
    cpSync(file, join(copy, file))
  for (const folder of ['', 'infra/generate', 'ingest/grib2-wasm']) {
    const packages = join(process.cwd(), folder, 'node_modules')
    if (existsSync(packages)) symlinkSync(packages, join(copy, folder, 'node_modules'))
  }
  for (const kind of kinds) {
    for (const file of filesOf(kind)) {
      mkdirSync(dirname(join(copy, file)), { recursive: true })
      writeFileSync(join(copy, file), readFileSync(join(cases, kind, `${file}.txt`)))
    }
    for (const { file, after, line } of linesOf(kind)) {
      const text = readFileSync(join(copy, file), 'utf8')
      expect(text.split(`\n${after}\n`).length, `${file} has the line "${after}" once`).toBe(2)
      writeFileSync(join(copy, file), text.replace(`\n${after}\n`, `\n${after}\n${line}\n`))
    }
  }
  writeFileSync(join(copy, 'check.ts'), readFileSync(join(cases, 'check.ts.txt')))
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

test.each([
  ['section', 3],
  ['tool', 2],
  ['feed', 9],
  ['field', 3],
  ['product', 3],
] as const)('adds a %s by editing %i files', (kind, files) => {
  const edited = new Set([...filesOf(kind), ...linesOf(kind).map(({ file }) => file)])
  expect([...edited].sort()).toHaveLength(files)
})

describe('a project with all examples of additions', () => {
  const node = (...args: string[]) => run(process.execPath, args, { cwd: copy, maxBuffer: 1 << 26 })

  test('generates its files, compiles, and answers with the additions', async () => {
    const { stdout: written } = await node('infra/generate/main.ts', 'schema', 'openapi', 'readme')
    expect(written).toMatch(/sql\/schema\.ts: written/)
    expect(written).toMatch(/openapi\.json: written/)
    await run(join(copy, 'node_modules/.bin/tsc'), ['--noEmit'], { cwd: copy })
    const { stdout } = await node('check.ts')
    const report = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
    expect(report.feed).toEqual({
      notes: ['2 reports, 1 rejected'],
      again: [],
      rows: [
        { buoy: '44025', sea_temperature: 19.5 },
        { buoy: '46042', sea_temperature: 14.2 },
      ],
      catalog: 'buoys',
    })
    expect(report).toMatchObject({ scheduled: true, described: true, tool: true })
    expect(report.field).toEqual({
      hours: [4000, 4100, 4200],
      described: {
        type: ['number', 'null'],
        description: 'Height of the mixed layer above the ground',
        unit: 'ft or m by units.altitude',
      },
      member: true,
      values: 200,
    })
    expect(report.product).toEqual({
      catalog: ['hail_size'],
      key: Date.UTC(2026, 10, 21, 12, 4),
      picture: 'Size of hail',
      invalidates: false,
    })
    expect(report.section).toMatchObject({ flashes: null })
    expect(report.answer.location.name).toMatch(/^Denver/)
    expect(report.answer.day_length).toBeGreaterThan(9 * 3600)
    expect(report.answer.day_length).toBeLessThan(15.1 * 3600)
  }, 240_000)
})
