/**
 * `node test/bench/kernels.ts` measures what the WebAssembly kernels save of a whole answer or of a message of a cycle, compared with
 * plain code that gives the same results: text from a table of numbers, joined and encoded, for the templates; the kernels' own algorithm
 * translated to JavaScript for decoding; a loop over typed arrays for sampling. A kernel stays if it saves at least 10 %; otherwise
 * the exit status is 1.
 */

import { createWeather } from '../../api/answer/weather.ts'
import { hourlyNumbers } from '../../api/blend/fields.ts'
import { instant, member, numberMembers, template } from '../../api/present/members.ts'
import { openBytePage } from '../../api/present/page.ts'
import { units } from '../../api/present/units.ts'
import { WriterMemory } from '../../api/present/writer-memory.ts'
import { parseWeather } from '../../api/query/query.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { loadedCurrent } from '../api/analytic-runs.ts'
import { seeded } from '../tile/made-slabs.ts'
import { decodeOneCell, sampleOneField } from './kernel-pairs.ts'
import { instantText, shown } from './plain-text.ts'

const now = Date.parse('2026-11-21T20:37:00Z')
/** An answer has 48 rows of `hourly`, and 10 of `daily` with as many numbers again. */
const ROWS = 96
const ROUNDS = 3000

const random = seeded(11)
const rows = Array.from({ length: ROWS }, () => Float64Array.from(hourlyNumbers, () => 270 + random() * 30))
const memory = new WriterMemory()
const row = template(memory, [member('time', instant), ...numberMembers(hourlyNumbers)], units.imperial, {})

function byKernel(): Buffer {
  const page = openBytePage(memory)
  page.openList('hourly')
  for (const [h, values] of rows.entries()) {
    row.values[0] = now + h * 3_600_000
    row.values.set(values, 1)
    page.put(row)
    page.closeObject()
  }
  page.closeList()
  return page.end()
}

const { conversions: of } = units.imperial
function byPlainCode(): Buffer {
  let text = '{"hourly":'
  for (const [h, values] of rows.entries()) {
    text += `${h === 0 ? '[' : ','}{"time":${instantText(now + h * 3_600_000)}`
    for (let i = 0; i < hourlyNumbers.length; i++) {
      const { name, quantity } = nth(hourlyNumbers, i)
      text += `,"${name}":${shown(nth(values, i), of[quantity])}`
    }
    text += '}'
  }
  return Buffer.from(`${text}]}`)
}

/** Returns the median, ms. */
function median(run: () => unknown, rounds: number): number {
  const times: number[] = []
  for (let i = 0; i < rounds; i++) {
    const start = performance.now()
    run()
    times.push(performance.now() - start)
  }
  return nth(
    times.sort((a, b) => a - b),
    rounds >> 1,
  )
}

const same = (first: ArrayBufferView, other: ArrayBufferView) =>
  Buffer.compare(
    new Uint8Array(first.buffer, first.byteOffset, first.byteLength),
    new Uint8Array(other.buffer, other.byteOffset, other.byteLength),
  ) === 0
function check(name: string, equal: boolean): void {
  if (!equal) throw new Error(`kernels: ${name}: kernel and plain code give different results`)
}
check('templates', byKernel().equals(byPlainCode()))

const weather = createWeather({
  current: loadedCurrent(now),
  datasets: gridDatasets,
  suppliers: {},
  resolution: 7,
  cacheBytes: 1,
})
const answers: number[] = []
for (let i = 0; i < ROUNDS; i++) {
  const ask = parseWeather({
    lat: (39 + (i % 60) / 100).toFixed(4),
    lon: (-105 + Math.floor(i / 60) / 100).toFixed(4),
    include: 'current,hourly,daily,astro',
  })
  const start = performance.now()
  await weather.answer(ask, now)
  answers.push(performance.now() - start)
}
const answer = nth(
  answers.sort((a, b) => a - b),
  ROUNDS >> 1,
)

const decoding = await decodeOneCell()
check('decode', same(decoding.byKernel(), decoding.byPlainCode()))
const sampling = sampleOneField()
check('sample', same(sampling.byKernel(), sampling.byPlainCode()))

/** Number of blocks that a cold answer of CONUS decodes: one for each served run and stage. */
const BLOCKS_OF_ANSWER = 8
/** Time of a message in a whole cycle, ms (`node test/bench/cycle.ts`, docs/SCALE.md). */
const MESSAGE_MS = 13.1

let least = 1
function report(name: string, kernel: number, plain: number, total: number, what: string): void {
  const share = (plain - kernel) / total
  least = Math.min(least, share)
  const us = (milliseconds: number) => `${(milliseconds * 1000).toFixed(0)} µs`
  console.log(
    `${name}: kernel ${us(kernel)}, plain code ${us(plain)}: saves ${(share * 100).toFixed(0)} % of ${what} (${us(total)})`,
  )
}
const cold = `a cold answer, values loaded`
report(`templates, ${ROWS} rows`, median(byKernel, ROUNDS), median(byPlainCode, ROUNDS), answer, cold)
report(
  `decoding ${BLOCKS_OF_ANSWER} blocks`,
  BLOCKS_OF_ANSWER * median(decoding.byKernel, ROUNDS),
  BLOCKS_OF_ANSWER * median(decoding.byPlainCode, ROUNDS),
  answer,
  cold,
)
report(
  'sampling a field at 1,550,000 cells',
  median(sampling.byKernel, 30),
  median(sampling.byPlainCode, 30),
  MESSAGE_MS,
  'a message of a cycle',
)
process.exitCode = least < 0.1 ? 1 : 0
