/**
 * `node test/bench/kernels.ts`: what the kernel of api/present saves of a whole answer. Rows of `hourly` are written by it and by plain
 * code (text from a table of numbers, joined and encoded); the difference is shown as a share of the median cold answer of this run.
 * A kernel stays where it saves at least 10 %: below that the exit status is 1.
 */
import { createWeather } from '../../api/answer/weather.ts'
import { memberPieces } from '../../api/present/members.ts'
import { openPage } from '../../api/present/page.ts'
import { instant, template } from '../../api/present/template.ts'
import { instantText, shown } from '../../api/present/text.ts'
import { units } from '../../api/present/units.ts'
import { WriterMemory } from '../../api/present/writer-memory.ts'
import { parseWeather } from '../../api/query/query.ts'
import { hourlyNumbers } from '../../api/sections/fields.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { loadedCurrent } from '../api/analytic-runs.ts'
import { seeded } from '../tile/made-slabs.ts'

const now = Date.parse('2026-11-21T20:37:00Z')
/** An answer has 48 rows of `hourly`, and 10 of `daily` with as many numbers again. */
const ROWS = 96
const ROUNDS = 3000

const random = seeded(11)
const rows = Array.from({ length: ROWS }, () => Float64Array.from(hourlyNumbers, () => 270 + random() * 30))
const memory = new WriterMemory()
const row = template(memory, ['{"time":', instant, ...memberPieces(hourlyNumbers), '},'], units.imperial)

function byKernel(): Buffer {
  const page = openPage(memory)
  for (const [h, values] of rows.entries()) {
    row.values[0] = now + h * 3_600_000
    row.values.set(values, 1)
    page.put(row)
  }
  return page.bytes()
}

const { of } = units.imperial
function byPlainCode(): Buffer {
  let text = ''
  for (const [h, values] of rows.entries()) {
    text += `{"time":${instantText(now + h * 3_600_000)}`
    for (let i = 0; i < hourlyNumbers.length; i++) {
      const { name, quantity } = hourlyNumbers[i]!
      text += `,"${name}":${shown(values[i]!, of[quantity])}`
    }
    text += '},'
  }
  return Buffer.from(text)
}

/** Median milliseconds. */
function median(run: () => unknown): number {
  const times: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const start = performance.now()
    run()
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1]!
}

if (!byKernel().equals(byPlainCode())) throw new Error('kernels: the two write different bytes')

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
const answer = answers.sort((a, b) => a - b)[ROUNDS >> 1]!
const [kernel, plain] = [median(byKernel), median(byPlainCode)]
const share = (plain - kernel) / answer
console.log(
  `templates: kernel ${(kernel * 1000).toFixed(0)} µs, plain code ${(plain * 1000).toFixed(0)} µs for ${ROWS} rows; ${(share * 100).toFixed(0)} % of a cold answer of ${(answer * 1000).toFixed(0)} µs (values loaded, tiles not read)`,
)
process.exitCode = share < 0.1 ? 1 : 0
