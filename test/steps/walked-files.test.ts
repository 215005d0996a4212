import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMessages } from 'grib2-wasm'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Mirror, startMirror } from '../../infra/simulator/mirror.ts'
import { modelSources } from '../../infra/simulator/models.ts'
import type { SimulatedHost } from '../../infra/simulator/source.ts'
import { hrrr } from '../../ingest/datasets/hrrr.ts'
import { Fault, isFault } from '../../ingest/domain/fault.ts'
import { nth } from '../../ingest/domain/nth.ts'
import type { Quarantined } from '../../ingest/domain/quarantine.ts'
import { MINUTE } from '../../ingest/domain/time.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import { openUpstream, type Upstream } from '../../ingest/ports/upstream.ts'
import { type FetchedFile, fetchFile } from '../../ingest/steps/grid/fetch-file.ts'
import { look } from '../../ingest/steps/grid/list.ts'
import { MessageMemory } from '../../ingest/steps/grid/message-memory.ts'
import { type PlannedFile, planRun } from '../../ingest/steps/grid/plan.ts'
import { sampleFile } from '../../ingest/steps/grid/sample.ts'
import { openPool } from '../../ingest/steps/pool.ts'

// Files whose index does not describe them: each message is located by the lengths of the messages before it.

const now = Date.UTC(2026, 10, 21, 15, 10)
const run = Date.UTC(2026, 10, 21, 12)
const host = 'noaa-hrrr-bdp-pds.s3.amazonaws.com'
const key = 'hrrr.20261121/conus/hrrr.t12z.wrfsfcf06.grib2'
const sources = modelSources(24)

interface Instead {
  readonly bytes: Uint8Array
  /** The index is missing if this is undefined. */
  readonly index?: string
  readonly isListed?: boolean
}
let instead: Instead | undefined

const odd = (source: SimulatedHost): SimulatedHost => ({
  ...source,
  *list(prefix, at) {
    for (const listed of source.list!(prefix, at)) {
      if (instead && listed.key === `${key}.idx` && instead.isListed === false) continue
      yield instead && listed.key === key ? { ...listed, size: instead.bytes.length } : listed
    }
  },
  async find(path, query, at) {
    const document = await source.find(path, query, at)
    if (!document || !instead || !path.startsWith(`/${key}`)) return document
    if (!path.endsWith('.idx')) return { ...document, size: instead.bytes.length, body: () => instead!.bytes }
    const { index } = instead
    return index === undefined ? undefined : { ...document, size: index.length, body: () => Buffer.from(index) }
  },
})

let mirror: Mirror
let upstream: Upstream
let bytes: Uint8Array
let lines: string[]
/** Ranges of the requests for the data file. */
let ranges: number[] = []
const folder = mkdtempSync(join(tmpdir(), 'hexcast-walked-'))
const pool = openPool({ threads: 1 })

beforeAll(async () => {
  mirror = await startMirror({ sources: sources.map(odd), now: () => now })
  const plain = openUpstream({ mirror: mirror.url, sleep: async () => {} })
  upstream = {
    ...plain,
    async get(url, options) {
      if (url.endsWith('.grib2')) {
        if (!options?.range) throw new Error(`${url} was read whole`)
        ranges.push((options.range[1] ?? Number.POSITIVE_INFINITY) - options.range[0] + 1)
      }
      return plain.get(url, options)
    },
  }
  const source = sources.find((candidate) => candidate.host === host)!
  const body = async (name: string) => (await source.find(`/${name}`, new URLSearchParams(), now))!.body()
  bytes = Uint8Array.from(await body(key))
  lines = Buffer.from(await body(`${key}.idx`))
    .toString()
    .trimEnd()
    .split('\n')
})
beforeEach(() => {
  ranges = []
})
afterEach(() => {
  instead = undefined
})
afterAll(async () => {
  await upstream.close()
  await mirror.close()
  await pool.close()
  rmSync(folder, { recursive: true, force: true })
})

async function plannedFile(): Promise<PlannedFile> {
  const plan = await planRun(upstream, hrrr, run, 'conus', 0, now, { partial: true })
  return plan.files.find(({ leadHours }) => leadHours === 6)!
}

async function fetched(replacement: Instead): Promise<FetchedFile> {
  instead = replacement
  return fetchFile(upstream, hrrr, 'conus', run, await plannedFile())
}

/** The messages of every usable want: variable and role with the bytes. */
function contentOf({ wants }: FetchedFile): Map<string, string> {
  return new Map(
    wants.flatMap(({ want, messages }) =>
      Object.entries(messages).map(([role, message]) => [
        `${want.kind === 'wind' ? want.speed : want.variable} ${role}`,
        Buffer.from(message.bytes).toString('base64'),
      ]),
    ),
  )
}

const text = (some: readonly string[]) => `${some.join('\n')}\n`
const shifted = (by: number) =>
  lines.map((line, k) => line.replace(/:(\d+):/, (_, at) => `:${k ? Number(at) + by : at}:`))
const lineOf = (name: string) => lines.findIndex((line) => line.includes(`:${name}:`))

test.each([
  ['whose offsets lie within other messages', () => text(shifted(7))],
  [
    'whose offsets are those of other messages',
    () => {
      const offsets = lines.map((line) => nth(line.split(':'), 1))
      return text(lines.map((line, k) => line.replace(/:\d+:/, `:${offsets[(k + 5) % offsets.length]}:`)))
    },
  ],
  [
    'whose offsets lie beyond the file',
    () => text(lines.map((line) => line.replace(/:(\d+):/, (_, at) => `:${at * 3}:`))),
  ],
  ['that ends early, between two lines', () => text(lines.slice(0, 4))],
  ['that ends early, within a line', () => text(lines).slice(0, 200)],
  [
    'with a line that cannot be read',
    () => text(lines.map((line, k) => (k === lineOf('DPT') ? line.replace('d=', 'x=') : line))),
  ],
  ['that lacks its first line', () => text(lines.slice(1))],
  [
    'that lacks lines between messages that are not wanted',
    () => text(lines.filter((line) => !/:(?:DPT|RH|TMP):/.test(line))),
  ],
  [
    'with a line that is cut in its middle',
    () => text(lines.map((line, k) => (k === lineOf('DPT') ? line.slice(0, -8) : line))),
  ],
  [
    'with an offset that cuts a message short',
    () =>
      text(
        lines.map((line, k) => (k === lineOf('DPT') + 1 ? line.replace(/:(\d+):/, (_, at) => `:${at - 9}:`) : line)),
      ),
  ],
  ['that lacks a line', () => text(lines.filter((_, k) => k !== lineOf('DPT')))],
  ['of another run', () => text(lines.map((line) => line.replace(/d=\d{10}/, 'd=2026112006')))],
  ['that is a page', () => '<html><body>Access denied</body></html>'],
  ['that is empty', () => ''],
  ['that is gone', () => undefined],
])('an index %s costs no variable', async (_name, index) => {
  const right = await fetched({ bytes, index: text(lines) })
  expect(right).toMatchObject({ lost: [], absent: [] })
  const file = await fetched({ bytes, index: index() })
  expect(file).toMatchObject({ lost: [], absent: [], oddIndex: { reason: 'index', detail: expect.any(String) } })
  expect(contentOf(file)).toEqual(contentOf(right))
})

test('an index that is not listed costs only time', async () => {
  const modified = (await plannedFile()).modified!
  instead = { bytes, isListed: false }
  const leadsAfter = async (minutes: number) =>
    (await look(upstream, hrrr, run, 'conus', modified + minutes * MINUTE)).files.map(({ leadHours }) => leadHours)
  expect(await leadsAfter(9)).not.toContain(6)
  expect(await leadsAfter(11)).toContain(6)
})

test('reads the headers of a large file and the wanted messages, not the whole file', async () => {
  const messages = [...readMessages(bytes)].map(({ offset, byteLength }) => bytes.slice(offset, offset + byteLength))
  const wantedLines = new Set(['TMP', 'DPT'].map(lineOf))
  // Some messages in between are not wanted.
  const filler = nth([...readMessages(bytes)], 0)
  const large = Buffer.alloc(700_000)
  const body = bytes.slice(filler.offset, filler.offset + filler.byteLength)
  // A long section 2 contains a message with another parameter.
  const unwanted = (size: number) => {
    const two = Buffer.alloc(size)
    two.writeUInt32BE(size)
    two[4] = 2
    const message = Buffer.concat([body.subarray(0, 16 + 21), two, body.subarray(16 + 21)])
    message.writeBigUInt64BE(BigInt(message.length), 8)
    message[6] = 10
    return message
  }
  const file = Buffer.concat(
    messages.flatMap((message, k) => (wantedLines.has(k) ? [message, unwanted(large.length)] : [message])),
  )
  const walked = await fetched({ bytes: file, index: undefined })
  expect(walked.lost).toEqual([])
  expect(contentOf(walked)).toEqual(contentOf(await fetched({ bytes, index: text(lines) })))
  expect(ranges.reduce((sum, range) => sum + range, 0)).toBeLessThan(file.length)
})

test.each([
  ['with its index', true],
  ['without an index', false],
])('a message whose end is damaged costs one variable: %s', async (_name, indexed) => {
  const messages = [...readMessages(bytes)]
  const { offset, byteLength } = nth(messages, lineOf('GUST'))
  const damaged = bytes.slice()
  damaged[offset + byteLength - 2] = 0x58
  const file = await fetched({ bytes: damaged, index: indexed ? text(lines) : undefined })
  expect(file.lost.map(({ want, reason, from }) => [want.kind === 'scalar' && want.variable, reason, from])).toEqual([
    ['wind_gust', 'format', offset],
  ])
  expect(file.absent).toEqual([])
  expect(nth(file.lost, 0).detail).toContain('expected "7777" at the end of the message')
  expect(nth(file.lost, 0).bytes?.length).toBe(byteLength)
})

test('a file of which nothing can be used returns its memory', async () => {
  const damaged = bytes.slice()
  for (const { offset, byteLength } of readMessages(bytes)) damaged[offset + byteLength - 2] = 0x58
  instead = { bytes: damaged, index: text(lines) }
  const file = await plannedFile()
  const memory = new MessageMemory()
  const buffer = memory.take(1)!
  memory.give(buffer)
  const failed = await fetchFile(upstream, hrrr, 'conus', run, file, { memory }).catch((error: unknown) => error)
  expect(isFault(failed, 'Corrupt')).toBe(true)
  expect(memory.take(1)).toBe(buffer)
})

test('a walk that is refused returns the memory of the messages that the index led to', async () => {
  instead = { bytes, index: text(shifted(7)) }
  const file = await plannedFile()
  const memory = new MessageMemory()
  const buffer = memory.take(1)!
  memory.give(buffer)
  let reads = 0
  const busy: Upstream = {
    ...upstream,
    get: async (url, options) => {
      // The walk begins at the first byte with a read of headers.
      if (url.endsWith('.grib2') && reads++ > 0 && options?.range?.[0] === 0) throw new Fault('Refused', `${url}: busy`)
      return upstream.get(url, options)
    },
  }
  const failed = await fetchFile(busy, hrrr, 'conus', run, file, { memory }).catch((error: unknown) => error)
  expect(isFault(failed, 'Refused')).toBe(true)
  expect(memory.take(1)).toBe(buffer)
})

test('an unwanted message that cannot be described costs nothing', async () => {
  const last = [...readMessages(bytes)].at(-1)!
  const foreign = Buffer.from(bytes.slice(last.offset, last.offset + last.byteLength))
  // The day in its reference time.
  foreign[16 + 15] = 32
  const file = await fetched({ bytes: Buffer.concat([bytes, foreign]), index: undefined })
  expect(file).toMatchObject({ lost: [], absent: [] })
})

test('a file that is a page is refused with that reason', async () => {
  const page = Buffer.from(`<html><title>GRIB Filter</title>${'.'.repeat(400)}</html>`)
  const failed = await fetched({ bytes: page, index: undefined }).catch((error: unknown) => error)
  expect(isFault(failed, 'Corrupt') && failed.details['reason']).toBe('html')
})

test('reports a message that is in the file twice and uses the first', async () => {
  const at = lineOf('DPT')
  const { offset, byteLength } = nth([...readMessages(bytes)], at)
  const end = offset + byteLength
  const own = bytes.slice(offset, end)
  const file = Buffer.concat([bytes.subarray(0, end), own, bytes.subarray(end)])
  const index = lines.toSpliced(at + 1, 0, nth(lines, at)).map((line, k) => {
    const from = Number(nth(lines, k <= at ? k : k - 1).split(':')[1]) + (k > at ? byteLength : 0)
    return line.replace(/^\d+:\d+/, `${k + 1}:${from}`)
  })
  for (const indexText of [text(index), undefined]) {
    instead = { bytes: file, index: indexText }
    const named: Quarantined[] = []
    const slabs = await openFolder(join(folder, `objects-${indexText?.length ?? 0}`))
    const quarantine = async (entry: Quarantined) => void named.push(entry)
    const ports = { upstream, slabs, pool, resolution: 5, cacheDir: join(folder, 'cache'), quarantine }
    const [receipt] = await sampleFile(ports, hrrr, run, await plannedFile(), ['conus'])
    expect(receipt).toMatchObject({ missing: [], absent: [] })
    const doubled = named.filter(({ reason }) => reason === 'doubled')
    expect(doubled.map(({ variable }) => variable)).toEqual(['dew_point'])
    expect(nth(doubled, 0).detail).toContain(`byte ${offset} and again at byte ${end}`)
  }
})
