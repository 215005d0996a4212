/**
 * Measures the longest blocks of the main thread of an API process: first with every kind of request alone, then with all kinds
 * mixed. A block is the processor time between two samples, 1 ms apart (`test/drills/main-thread.ts`).
 *   node test/bench/blocks.ts [--objects=FOLDER] [--seconds=30]
 * `--cpu-prof` is passed on to the process that is measured.
 */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nth } from '../../ingest/domain/nth.ts'
import { measuredServer } from '../drills/measured-server.ts'
import { kinds, send } from './blocks-load.ts'

/** Longest allowed block, ms. */
const P999_BOUND = 25
const REQUEST_BOUND = 20
/** Number of requests of each kind alone, before and during measurement. */
const WARM = 4
const MEASURED = 12
const LANES = 6

const argument = (name: string) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const objectsFolder = argument('objects')

async function makeObjects(): Promise<string> {
  const { makeTiles } = await import('../walks/make-tiles.ts')
  const folder = await mkdtemp(join(tmpdir(), 'hexcast-bench-'))
  const domains = ['conus'] as const
  const runs = [
    { dataset: 'rtma-ru', maxLead: 0, domains },
    { dataset: 'nbm', maxLead: 264, domains },
    { dataset: 'hrrr', maxLead: 18, domains },
    { dataset: 'gfs', maxLead: 120, domains },
  ]
  await (await makeTiles({ now: Date.now(), folder, coarse: 16, resolution: 7, runs })).close()
  return folder
}

async function measure(folder: string): Promise<boolean> {
  const flags = process.argv.includes('--cpu-prof') ? ['--cpu-prof', '--cpu-prof-interval=500'] : []
  const server = await measuredServer({ objects: folder, keys: 60, coarse: 2 }, flags)
  let failed = false
  const seconds = Number(argument('seconds') ?? 30)

  for (const [kind, make] of Object.entries(kinds)) {
    for (let i = 0; i < WARM; i++) await send(server, make())
    const longest: number[] = []
    let last = { status: 0, head: '', bytes: 0 }
    for (let i = 0; i < MEASURED; i++) {
      await server.figures()
      last = await send(server, make())
      longest.push((await server.figures()).longest[0] ?? 0)
    }
    longest.sort((a, b) => a - b)
    // A garbage collection may fall into any request.
    const judged = longest.at(-2)!
    const wrong = kind.startsWith('refused') !== (last.status >= 400 || last.head.includes('"isError":true'))
    failed ||= judged > REQUEST_BOUND || wrong
    console.log(
      `${kind.padEnd(34)} p50 ${nth(longest, MEASURED >> 1)
        .toFixed(1)
        .padStart(
          5,
        )} ms, second ${judged.toFixed(1).padStart(5)}, longest ${longest.at(-1)!.toFixed(1).padStart(5)}; ${last.status}, ${Math.round(last.bytes / 1000)} KB${judged > REQUEST_BOUND ? '  TOO LONG' : ''}${wrong ? `  ${last.head}` : ''}`,
    )
  }

  const makes = Object.values(kinds)
  const statuses: Record<number, number> = {}
  await server.figures()
  const until = performance.now() + seconds * 1000
  let turn = 0
  const lane = async () => {
    while (performance.now() < until) {
      const { status } = await send(server, nth(makes, turn++ % makes.length)())
      statuses[status] = (statuses[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  const { longest, p999, samples } = await server.figures()
  failed ||= p999 > P999_BOUND
  console.log(
    `mixed, ${LANES} at once, ${seconds} s: p99.9 ${p999.toFixed(1)} ms of ${samples} (bound ${P999_BOUND}), longest ${(longest[0] ?? 0).toFixed(1)}; ${JSON.stringify(statuses)}`,
  )
  await server.close()
  return !failed
}

const folder = objectsFolder === undefined ? await makeObjects() : undefined
if (!(await measure(objectsFolder ?? join(folder!, 'objects')))) process.exitCode = 1
if (folder) await rm(folder, { recursive: true, force: true })
