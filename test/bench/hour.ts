/**
 * Measures the memory of the whole system in its first hour, from an empty folder, over the simulator (which runs in the worker) with
 * every dataset, with two answers a second. Prints, for every five minutes, the largest memory of each process and of all together at one
 * moment. Exits with 1 if all together have more than 1.2 GB in the last five minutes.
 *
 * node test/bench/hour.ts [--minutes=60]        Linux
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { defaultInclude, includeTokens } from '../../api/query/query.ts'
import { buildPrograms } from '../../bin/build.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { Process } from '../drills/process.ts'
import { proportionalOf, usesOf } from './whole/processes.ts'

const LIMIT_MB = 1200
const PART_MS = 5 * 60_000
const LOOK_MS = 5000
const ASK_MS = 500
const minutes = Number(process.argv.find((arg) => arg.startsWith('--minutes='))?.slice(10) ?? 60)

const folder = mkdtempSync(join(tmpdir(), 'hexcast-hour-'))
const { PATH, HOME } = process.env
const settings = { PATH, HOME, DATA_DIR: join(folder, 'data'), PORT: '0', NODE_ENV: 'production' }
await buildPrograms()
const began = performance.now()
const system = Process.hexcast('start --upstream simulated', settings)
let last = 0
let running = true
try {
  const base = /http:\/\/localhost:\d+/.exec(await system.line(/http:\/\/localhost:\d+/))![0]
  const key = /hx_live_[\w-]+/.exec(
    await Process.hexcast('keys create --name hour --plan professional', settings).line(/^hx_live_/),
  )![0]
  const statuses: Record<string, number> = {}
  const reading = readAnswers(base, key, statuses)

  /** Largest memory in this part by process, MB. */
  let most = new Map<string, number>()
  for (let part = 1; (part - 1) * PART_MS < minutes * 60_000; part++) {
    while (performance.now() - began < Math.min(part * PART_MS, minutes * 60_000)) {
      const uses = usesOf(system.child.pid!)
      for (const [pid, { name }] of uses) raise(most, name, proportionalOf([pid]))
      raise(most, 'all', proportionalOf(uses.keys()))
      await pause(LOOK_MS)
    }
    last = most.get('all') ?? Number.POSITIVE_INFINITY
    const cells = [...most].filter(([, megabytes]) => megabytes >= 1)
    console.log(
      `minute ${Math.round((performance.now() - began) / 60_000)}: ${cells.map(([name, megabytes]) => `${name} ${megabytes.toFixed(0)}`).join(', ')} MB; answers ${JSON.stringify(statuses)}`,
    )
    most = new Map()
  }
  running = false
  await reading
  console.log(
    `all in the last five minutes at most ${last.toFixed(0)} MB (≤ ${LIMIT_MB}), ${availableParallelism()} × ${nth(cpus(), 0).model}`,
  )
} finally {
  await system.end('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
process.exit(last <= LIMIT_MB ? 0 : 1)

function raise(most: Map<string, number>, name: string, megabytes: number): void {
  most.set(name, Math.max(megabytes, most.get(name) ?? 0))
}

/** The sections of consecutive requests: the usual ones, all, and in one of ten also provenance. */
function includeOf(turn: number): string {
  if (turn % 10 === 9) return includeTokens.join(',')
  return turn % 2 === 0 ? defaultInclude : includeTokens.filter((token) => token !== 'provenance').join(',')
}

/** Requests answers of distinct places, and counts them by status. */
async function readAnswers(base: string, key: string, statuses: Record<string, number>): Promise<void> {
  for (let i = 0; running; i++) {
    const at = (origin: number, width: number, step: number) => (origin + width * ((i * step) % 1)).toFixed(4)
    const where = `lat=${at(34, 9, 0.7548776662)}&lon=${at(-116, 26, 0.5698402909)}`
    const status = await fetch(`${base}/v1/weather?${where}&include=${includeOf(i)}`, {
      headers: { authorization: `Bearer ${key}` },
    })
      .then(async (reply) => {
        await reply.arrayBuffer()
        return String(reply.status)
      })
      .catch((error: Error) => error.message)
    statuses[status] = (statuses[status] ?? 0) + 1
    await pause(ASK_MS)
  }
}
