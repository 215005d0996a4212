import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { craftSimple } from '../../ingest/grib2-wasm/test/craft.ts'

const program = fileURLToPath(new URL('../../bin/hexcast.mjs', import.meta.url))
const fixtures = fileURLToPath(new URL('../../../shared/fixtures/binary/', import.meta.url))
let work = ''
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'grib-cli-'))
})
afterAll(() => rmSync(work, { recursive: true, force: true }))

function grib(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'grib', ...args], { encoding: 'utf8' })
  return { status, stderr, lines: stdout.split('\n').filter((line) => line !== '') }
}

function file(name: string, ...parts: Uint8Array[]): string {
  const path = join(work, name)
  writeFileSync(path, Buffer.concat(parts))
  return path
}

const field = craftSimple(3, 2, [1, 2, 3, 4], 8, { bitmap: [0b11011000], scan: 0x10 })

test('prints one JSON line for each field, with the members in the order of the contract', () => {
  const { status, stderr, lines } = grib(file('field.grib2', field), '--index', '0,2,5,99')
  expect([status, stderr, lines.length]).toEqual([0, '', 1])
  expect(lines[0]).toBe(
    JSON.stringify({
      discipline: 0,
      category: 0,
      number: 0,
      reference_time: '2026-08-20T12:00:00Z',
      grid: { template: 0, nx: 3, ny: 2, scan: 16 },
      product_template: 0,
      packing: { template: 0, bits: 8 },
      points: 6,
      missing: 2,
      min: 1,
      max: 4,
      mean: 2.5,
      values: [1, null, 3, null],
    }),
  )
})

test('prints the messages before a fault, one line on stderr, and exits with 1', () => {
  const { status, stderr, lines } = grib(file('cut.grib2', Buffer.from('junk'), field, field.subarray(0, -20)))
  expect([status, lines.length, stderr.trimEnd().split('\n').length]).toEqual([1, 1, 1])
  expect(stderr).toContain(
    `GRIB2 section 0, octet 9: expected a message of ${field.length} octets, but found ${field.length - 20} up to the end`,
  )
})

test('prints one line on stderr for a field that cannot be decoded, and the fields after it', () => {
  const bad = Buffer.from(field)
  // This changes data template 5.0 to 5.99.
  bad[bad.indexOf(Buffer.from([0, 0, 0, 21, 5])) + 10] = 99
  const { status, stderr, lines } = grib(file('middle.grib2', field, bad, field))
  expect([status, lines.length, stderr.trimEnd().split('\n').length]).toEqual([1, 2, 1])
  expect(stderr).toContain('middle.grib2: field 2: GRIB2 section 5, octet 10')
  expect(lines[0]).toBe(lines[1])
})

function editedField(at: number, ...octets: number[]): Buffer {
  const copy = Buffer.from(field)
  copy.set(octets, at)
  return copy
}

/** The day in the reference time, in section 1. */
const DAY_OCTET = 16 + 15

test.each([
  [
    'a date that does not exist',
    editedField(DAY_OCTET, 32),
    /field 2: GRIB2 section 1, octet 13: expected a date and time/,
  ],
  ['a damaged end mark', editedField(field.length - 3, 0x58), /field 2: GRIB2 section 8, octet 1: expected "7777"/],
  ['a grid from elsewhere', editedField(16 + 21 + 5, 1), /field 2: GRIB2 section 3, octet 6: expected a grid defined/],
])('names the number of a field with %s, prints all others, and exits with 1', (_name, bad, message) => {
  for (const flags of [[], ['--list']]) {
    const { status, stderr, lines } = grib(file('middle.grib2', field, bad, field), ...flags)
    expect([status, stderr.trimEnd().split('\n').length]).toEqual([1, 1])
    expect(stderr).toMatch(message)
    const rows = flags.length > 0 ? lines.slice(1) : lines
    expect(rows.length).toBe(2)
    const numbers = rows.map((row) => row.split(/ +/)[0])
    expect(flags.length > 0 ? numbers : ['1', '3']).toEqual(['1', '3'])
  }
})

test('reports that a page is HTML, although it contains the letters GRIB', () => {
  const page = '<html><head><title>GRIB Filter</title></head><body>data file is not present</body></html>'
  const { status, stderr, lines } = grib(file('page.html', Buffer.from(page)))
  expect([status, lines]).toEqual([1, []])
  expect(stderr).toContain(`${page.length} octets of HTML or XML: "<html><head><title>GRIB Filter`)
})

test('reads a file of more than 2 GiB', () => {
  const path = file('huge.grib2', field)
  truncateSync(path, 2_200_000_000)
  try {
    const { status, stderr, lines } = grib(path)
    expect([status, stderr, lines.length]).toEqual([0, '', 1])
  } finally {
    truncateSync(path, 0)
  }
}, 120_000)

test('decodes a large file in several threads and prints its fields in order, up to a fault', () => {
  const fields = Array.from({ length: 40 }, (_, k) =>
    craftSimple(
      200,
      200,
      Array.from({ length: 40_000 }, (_, at) => (at + k) % 200),
      8,
    ),
  )
  const { status, stderr, lines } = grib(file('large.grib2', ...fields, nth(fields, 0).subarray(0, -9)), '--index', '0')
  expect([status, stderr.trimEnd().split('\n').length]).toEqual([1, 1])
  expect(lines.map((line) => JSON.parse(line).values[0])).toEqual(Array.from({ length: 40 }, (_, k) => k))
})

test.each([
  ['text', Buffer.from('hello'), 'expected the letters "GRIB" and edition 2 in octet 8, but found 5 octets of text'],
  ['nothing', Buffer.from(''), 'expected the letters "GRIB" and edition 2 in octet 8, but found no octets at all'],
  ['a broken gzip', Buffer.from([0x1f, 0x8b, 8, 0, 0]), 'expected a whole gzip stream'],
])('%s is refused', (_name, data, words) => {
  const { status, stderr, lines } = grib(file('other', data))
  expect([status, lines]).toEqual([1, []])
  expect(stderr.trimEnd().split('\n').length).toBe(1)
  expect(stderr).toContain(words)
})

test('prints the messages before the place where a gzip stream breaks off', () => {
  const packed = gzipSync(Buffer.concat([field, field, randomBytes(5000)]))
  const { status, stderr, lines } = grib(file('broken.grib2.gz', packed.subarray(0, -3000)))
  expect([status, lines.length, stderr.trimEnd().split('\n').length]).toEqual([1, 2, 1])
  expect(stderr).toContain('expected a whole gzip stream, but found unexpected end of file')
})

test('ends without a message when the reader closes the pipe', () => {
  const path = file('many.grib2', ...Array.from({ length: 3000 }, () => field))
  const { stdout, stderr } = spawnSync(
    'sh',
    ['-c', `"$0" "$1" grib "$2" | head -n 1`, process.execPath, program, path],
    {
      encoding: 'utf8',
    },
  )
  expect([stdout.split('\n').length, stderr]).toEqual([2, ''])
})

test('reports a missing file and unknown arguments', () => {
  expect(grib(join(work, 'none.grib2'))).toMatchObject({ status: 1, lines: [] })
  expect(grib(join(work, 'none.grib2')).stderr).toContain('the file cannot be read: there is no such file')
  expect(grib(work).stderr).toContain('the file cannot be read: it is a directory')
  expect(grib(file('field.grib2', field), '--index', 'a')).toMatchObject({ status: 2, lines: [] })
  expect(grib('--lst').stderr).toContain('did you mean --list?')
})

test('--list prints a table and --png writes a picture', () => {
  const path = file('two.grib2', field, field)
  const png = join(work, 'out.png')
  const { lines } = grib(path, '--list', '--png', png)
  expect(lines.length).toBe(3)
  expect(lines[1]).toMatch(/^1 +0 +2026-08-20 12:00 +TMP +2 m above ground +6 hour fcst +lat-lon 3×2, simple 8 bit$/)
  for (const name of [png, join(work, 'out-2.png')]) {
    expect([...readFileSync(name).subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47])
  }
})

describe.skipIf(!existsSync(fixtures))('fixtures (skipped if there are none)', () => {
  test('a gzipped file gives the same output as the plain file', () => {
    const packed = join(fixtures, 'mrms/GUAM_MRMS_MultiSensor_QPE_01H_Pass1_00.00_20220601-120000.grib2.gz')
    const plain = file('guam.grib2', gunzipSync(readFileSync(packed)))
    const output = (path: string) => execFileSync(process.execPath, [program, 'grib', path], { encoding: 'utf8' })
    expect(output(packed)).toBe(output(plain))
    expect(JSON.parse(output(plain))).toMatchObject({
      discipline: 209,
      points: 3_600_000,
      missing: 0,
      packing: { template: 41, bits: 8 },
    })
  })
})
