/**
 * Measures the time from a start of the whole system in an empty folder, over the simulator with every dataset, until the newest scan of
 * each radar and lightning product is in a list of times, in a picture, and in the radar of a point. The first scans exist upstream before
 * the start. Exits with 1 if any of these takes more than 20 s.
 *
 * taskset -c 0,1 node test/bench/first-frames.ts        two cores, half a minute
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { palettes } from '../../api/picture/colours.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { Process, until } from '../drills/process.ts'

const LIMIT_SECONDS = 20
const folder = mkdtempSync(join(tmpdir(), 'hexcast-frames-'))
const { PATH, HOME } = process.env
const began = performance.now()
const system = Process.hexcast('start --upstream simulated', { PATH, HOME, DATA_DIR: folder, PORT: '0' })
let worst = 0
try {
  const base = /http:\/\/localhost:\d+/.exec(await system.line(/http:\/\/localhost:\d+/))![0]
  const key = /hx_live_[\w-]+/.exec(await system.line('hx_live_'))![0]
  const ask = (path: string) => fetch(base + path, { headers: { authorization: `Bearer ${key}` } })
  console.log(`the interface after ${((performance.now() - began) / 1000).toFixed(1)} s`)

  const shown = async (product: string): Promise<boolean> => {
    const list = (await (await ask(`/v1/radar/${product}`)).json()) as { readonly times?: readonly string[] }
    if (!list.times?.length) return false
    return (await ask(`/v1/radar/${product}.png?time=${list.times.at(-1)}`)).ok
  }
  const atPoint = async (): Promise<boolean> => {
    const answer = await ask('/v1/weather?lat=39.74&lon=-104.99&include=nowcast')
    const { nowcast } = (await answer.json()) as {
      readonly nowcast?: { readonly steps?: readonly object[] } | readonly object[]
    }
    return JSON.stringify(nowcast ?? null).includes('precip_rate')
  }
  const conditions: (readonly [name: string, done: () => Promise<boolean>])[] = [
    ...Object.keys(palettes).map((product) => [product, () => shown(product)] as const),
    ['radar of a point', atPoint],
  ]
  await Promise.all(
    conditions.map(async ([name, done]) => {
      await until(name, 300, () => done().catch(() => false))
      const seconds = (performance.now() - began) / 1000
      worst = Math.max(worst, seconds)
      console.log(`${name}: ${seconds.toFixed(1)} s`)
    }),
  )
  console.log(
    `all after ${worst.toFixed(1)} s (≤ ${LIMIT_SECONDS}), ${availableParallelism()} cores, load ${nth(loadavg(), 0).toFixed(1)}`,
  )
} finally {
  await system.end('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
process.exit(worst <= LIMIT_SECONDS ? 0 : 1)
