/**
 * `npm run bench [NAME …]` runs the benches one after the other, each in its own process, so that none warms up the next. Benches that
 * take many minutes run only if they are named.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const benches: readonly [name: string, what: string, long?: 'long'][] = [
  ['slab', 'GRIB2 message → slab, against ecCodes'],
  ['cycle', 'a full NBM cycle: sample, build tiles; time, memory, bits a value'],
  ['rrfs-cycle', 'the fields that we use of a full RRFS cycle: bytes, time, memory', 'long'],
  ['bits', 'bits a value of tiles by variable beside GRIB2: full-size simulated files', 'long'],
  ['point', 'a cell cold and warm, in runs of three sizes'],
  ['answer', 'the answer of /v1/weather'],
  ['requests', 'cold and cached answers over HTTP, values in memory; other checkouts beside it'],
  ['kernels', 'WebAssembly on the answer path beside plain code, as a share of a whole answer'],
  ['start', 'the whole system: first answers of an empty folder, and after kill -9'],
  ['alerts', 'alerts at a point'],
  ['observations', '4,000 METARs read, decided and stored; an unchanged file; the stations of a box'],
  ['query', 'query_dataset and maps, through the tool server'],
  ['radar', 'a scan from gzip to frame, a whole scan, a nowcast at a point'],
  ['degraded', 'throughput without a source, the database, the broker or the store', 'long'],
  ['whole', 'the whole system over a mirror of full-size files: phases, memory, answers', 'long'],
  ['compare', 'the same beside the tuned peer in Python, in three interleaved rounds', 'long'],
  ['skill', 'a day of verification: forecasts kept, read and compared; questions of skill', 'long'],
  ['blocks', 'the longest blocks of the main thread, each kind of request alone and all mixed', 'long'],
  ['text-day', 'a day of forecaster texts: requests and bytes', 'long'],
  ['texts', 'from a new forecaster text upstream to the first answer with it: polls of a minute', 'long'],
  ['blend-skill', 'hourly rows 0 to 2 with the nowcast blended against the model alone', 'long'],
  ['availability', 'from a file upstream to the first answer with it: scans and HRRR, by queue and by listing', 'long'],
  ['appearance', 'from a scan upstream to the first answer with it: two minutes a scan', 'long'],
]

const names = process.argv.slice(2)
const unknown = names.find((name) => !benches.some(([known]) => known === name))
if (unknown) {
  console.error(`bench: the name must be one of ${benches.map(([name]) => name).join(', ')}, but is ${unknown}`)
  process.exit(1)
}
let failed = 0
for (const [name, what, long] of benches) {
  if (names.length > 0 ? !names.includes(name) : long) continue
  console.log(`\n${name}: ${what}`)
  const { status } = spawnSync(process.execPath, [fileURLToPath(new URL(`./${name}.ts`, import.meta.url))], {
    stdio: 'inherit',
  })
  if (status !== 0) failed++
}
process.exit(failed > 0 ? 1 : 0)
