import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { tools } from '../../api/mcp/tools/index.ts'
import { edgeServer } from '../api/http/test-server.ts'
import type { FuzzJob, FuzzReport, Operation } from './fuzz-client.ts'

/** 60 s in the drills; `FUZZ_SECONDS=600` or `FUZZ_SECONDS=36000 FUZZ_REQUESTS=1000000` by hand; `FUZZ_SEED` repeats a run. */
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 60)
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? 10_000_000)
const SEED = Number(process.env['FUZZ_SEED'] ?? 14)
/** Maximum growth in bytes in the second half: the caches are bounded, and some fill for longer than the first. */
const GROWTH = 250e6

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as {
  paths: Record<string, Record<string, { parameters?: { name: string; in: string }[] }>>
}
const operations: Operation[] = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { parameters = [] }]) => ({
    method,
    path,
    query: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
  })),
)

test('whatever is sent, over all routes and tools: no 5xx, every failure a problem, memory flat', {
  timeout: (SECONDS + 120) * 1000,
}, async () => {
  const edge = await edgeServer()
  try {
    const keys = await Promise.all(Array.from({ length: 40 }, () => edge.key('professional')))
    const job: FuzzJob = {
      base: edge.base,
      keys,
      seed: SEED,
      requests: REQUESTS,
      seconds: SECONDS,
      operations,
      tools: tools.map(({ name, input }) => ({ name, members: Object.keys((input as z.ZodObject).shape ?? {}) })),
    }
    const blocks = monitorEventLoopDelay({ resolution: 5 })
    blocks.enable()
    let settled = 0
    const warm = setTimeout(() => {
      settled = process.memoryUsage().rss
      blocks.reset()
    }, SECONDS * 500)
    const report = await new Promise<FuzzReport>((resolve, reject) => {
      const worker = new Worker(new URL('./fuzz-client.ts', import.meta.url), { workerData: job })
      worker.once('message', resolve)
      worker.once('error', reject)
    })
    clearTimeout(warm)
    const grown = process.memoryUsage().rss - (settled || process.memoryUsage().rss)
    const milliseconds = (nanoseconds: number) => Math.round(nanoseconds / 1e5) / 10
    console.log(
      `fuzz: seed ${SEED}, ${report.sent} requests, ${JSON.stringify(report.statuses)}, longest block ${milliseconds(blocks.max)} ms, ` +
        `p99.9 ${milliseconds(blocks.percentile(99.9))} ms, memory ${Math.round(grown / 1e6)} MB\n${report.slowest.join('\n')}`,
    )
    expect(report.broken).toEqual([])
    expect(report.sent).toBeGreaterThan(SECONDS * 10)
    expect(grown).toBeLessThan(GROWTH)
  } finally {
    await edge.close()
  }
})
