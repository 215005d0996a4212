import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueKey } from '../../../api/keys/issue.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { loadedCurrent } from '../analytic-runs.ts'
import { type SkyServer, skyServer } from '../sky-server.ts'
import { requestMix, type ToolSchema } from './request-mix.ts'

/**
 * One process answers a seeded mix of everything that a request can vary. `RANDOM_REQUESTS=100000` for the long run
 * (8 minutes on two cores), `RANDOM_SEED` for another mix.
 */
const count = Number(process.env['RANDOM_REQUESTS'] ?? 1500)
const seed = Number(process.env['RANDOM_SEED'] ?? 20_261_122)
const CONCURRENCY = 8
const MIB = 1_048_576
/** The answer cache (64 MiB) and those of radar cells and tiles fill for longer than the first tenth of a short run. */
const CACHES_MIB = 96

let sky: SkyServer
let keys: string[] = []

beforeAll(async () => {
  sky = await skyServer({ coarse: 10, models: loadedCurrent(Date.now()) })
  const issued = Array.from({ length: 24 }, () =>
    issueKey(sky.database, { name: 'test', plan: 'professional', channel: 'test' }),
  )
  keys = (await Promise.all(issued)).map(({ key }) => key)
})

afterAll(async () => {
  await sky?.close()
})

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Heap and external memory after a garbage collection, MiB. */
function memory(): number {
  collect()
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return Math.round((heapUsed + external) / MIB)
}

async function callTool(name: string, args: object, key: string): Promise<string | undefined> {
  const response = await fetch(`${sky.base}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  const text = await response.text()
  if (response.status !== 200) return `${response.status} ${text.slice(0, 300)}`
  return text.includes('"result":') ? undefined : text.slice(0, 300)
}

test(`${count} random requests to one process: no 5xx, no internal error, memory flat`, {
  timeout: 3_600_000,
}, async () => {
  const { tools } = await sky.client.listTools()
  const next = requestMix(seed, Date.now(), tools as ToolSchema[])
  const failures: string[] = []
  const statuses: Record<string, number> = {}
  const levels: number[] = []
  let sent = 0
  const worker = async () => {
    while (sent < count) {
      const number = sent++
      if (number % Math.ceil(count / 10) === 0) levels.push(memory())
      const key = nth(keys, number % keys.length)
      const request = next()
      if (request.kind === 'tool') {
        const failure = await callTool(request.name, request.arguments, key)
        statuses['tool'] = (statuses['tool'] ?? 0) + 1
        if (failure) failures.push(`${request.name} ${JSON.stringify(request.arguments)}: ${failure}`)
        continue
      }
      const response = await fetch(sky.base + request.path, { headers: { authorization: `Bearer ${key}` } })
      const text = await response.text()
      statuses[response.status] = (statuses[response.status] ?? 0) + 1
      if (response.status >= 500 || response.status === 429)
        failures.push(`${request.path}: ${response.status} ${text.slice(0, 300)}`)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, worker))
  levels.push(memory())
  console.log(`random requests: ${JSON.stringify(statuses)}; memory by tenths, MiB: ${levels.join(' ')}`)
  expect(failures.slice(0, 10)).toEqual([])
  expect(statuses['200']).toBeGreaterThan(count / 3)
  expect(statuses['tool']).toBeGreaterThan(count / 5)
  const afterTenth = nth(levels, 1)
  if (count >= 50_000) expect(Math.max(...levels.slice(2)), 'of the first tenth').toBeLessThan(afterTenth * 1.1)
  else expect(levels.at(-1)! - afterTenth, 'grown by').toBeLessThan(CACHES_MIB)
})
