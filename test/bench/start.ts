/**
 * Measures the time from the start of the whole system to its first complete answers over the simulator, first in an empty folder, then
 * after kill -9. An answer is complete with a current temperature, 48 hourly rows with temperatures, and 10 daily rows (before 6 AM also the night that began yesterday); UV and the days
 * behind the first stages fill in later. Exits with 1 if the first answers of CONUS, Alaska and Hawaii together take more than 60 s, or
 * the first answer after the kill more than 5 s.
 *
 * taskset -c 0,1 node test/bench/start.ts [--kills=3]        two cores, a minute and a half
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { nth } from '../../ingest/domain/nth.ts'
import { Process, until } from '../drills/process.ts'

const KILLS = Number(process.argv.find((arg) => arg.startsWith('--kills='))?.slice(8) ?? 3)
const LIMITS = { first: 60, again: 5 }
const places = { CONUS: 'lat=39.74&lon=-104.99', Alaska: 'lat=61.22&lon=-149.9', Hawaii: 'lat=21.31&lon=-157.86' }

interface Weather {
  readonly current?: { readonly temperature: number | null }
  readonly hourly?: readonly { readonly temperature: number | null }[]
  readonly daily?: readonly object[]
}

const folder = mkdtempSync(join(tmpdir(), 'hexcast-start-'))
const { PATH, HOME } = process.env
let key = ''

async function complete(base: string, place: string): Promise<boolean> {
  const address = `${base}/v1/weather?${place}&include=current,hourly,daily,astro&hourly_hours=48&days=10`
  const reply = await fetch(address, { headers: { authorization: `Bearer ${key}` } }).catch(() => undefined)
  if (!reply?.ok) return false
  const { current, hourly = [], daily = [] } = (await reply.json()) as Weather
  const known = hourly.filter(({ temperature }) => temperature !== null).length
  return typeof current?.temperature === 'number' && known === 48 && daily.length >= 10
}

/** @returns seconds until the first complete answer of each place */
async function start(names: readonly (keyof typeof places)[], after: (system: Process) => Promise<void>) {
  const began = performance.now()
  const system = Process.hexcast('start --upstream simulated', { PATH, HOME, DATA_DIR: folder, PORT: '0' })
  try {
    const line = await system.line(/http:\/\/localhost:\d+/)
    const base = /http:\/\/localhost:\d+/.exec(line)![0]
    key ||= /hx_live_[\w-]+/.exec(await system.line('hx_live_'))![0]
    const waits = names.map(async (name) => {
      await until(`a complete answer of ${name}`, 300, () => complete(base, places[name]))
      return [name, (performance.now() - began) / 1000] as const
    })
    return new Map(await Promise.all(waits))
  } finally {
    await after(system)
  }
}

const kill = (system: Process) => system.end('SIGKILL')
let status = 0
try {
  const first = await start(['CONUS', 'Alaska', 'Hawaii'], kill)
  const worst = Math.max(...first.values())
  const each = [...first].map(([name, seconds]) => `${name} ${seconds.toFixed(1)} s`).join(', ')
  console.log(
    `start to first complete answer: ${each} (< ${LIMITS.first}), ${availableParallelism()} cores, load ${nth(loadavg(), 0).toFixed(1)}`,
  )
  if (!(worst < LIMITS.first)) status = 1
  for (let i = 0; i < KILLS; i++) {
    const again = await start(['CONUS'], i === KILLS - 1 ? (system) => system.end() : kill)
    const seconds = again.get('CONUS')!
    console.log(`kill -9 and start to first complete answer: ${seconds.toFixed(1)} s (< ${LIMITS.again})`)
    if (!(seconds < LIMITS.again)) status = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(status)
