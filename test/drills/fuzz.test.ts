import { readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { tools } from '../../api/mcp/tools/index.ts'
import type { FuzzJob, FuzzReport, Operation } from './fuzz-client.ts'
import { type Figures, measuredServer } from './measured-server.ts'

/**
 * 90 s in the drills; by hand `FUZZ_SECONDS=600`, or `FUZZ_REQUESTS=1000000` for as long as they take (half an hour);
 * `FUZZ_SEED` repeats a run.
 */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? Number.POSITIVE_INFINITY)
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? (Number.isFinite(REQUESTS) ? 6 * 3600 : 90))
const SEED = Number(process.env['FUZZ_SEED'] ?? 14)
const PARTS = 10
/** ms of processor time; before it the process compiles and reads its tables, which is not judged. */
const LONGEST_BLOCK = 50
/** s; until then, or for two tenths of a longer run, the caches of answers, frames and radar cells fill. */
const SETTLED = 45
/** Bytes. */
const GROWTH = 100e6

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

test('whatever is sent, over all routes and tools: no 5xx, every failure a problem, no long block, memory flat', {
  timeout: (SECONDS + 240) * 1000,
}, async () => {
  const server = await measuredServer({ keys: 60, coarse: 10 })
  try {
    const job: FuzzJob = {
      base: server.base,
      keys: server.keys,
      seed: SEED,
      requests: REQUESTS,
      seconds: SECONDS,
      parts: PARTS,
      operations,
      tools: tools.map(({ name, input }) => ({ name, members: Object.keys((input as z.ZodObject).shape ?? {}) })),
    }
    const figures: Figures[] = []
    let looking = Promise.resolve()
    const report = await new Promise<FuzzReport>((resolve, reject) => {
      const worker = new Worker(new URL('./fuzz-client.ts', import.meta.url), { workerData: job })
      worker.on('message', (message: FuzzReport | 'part') => {
        if (message !== 'part') return resolve(message)
        looking = looking.then(async () => void figures.push(await server.figures()))
      })
      worker.once('error', reject)
    })
    await looking
    const longest = figures
      .slice(1)
      .flatMap((part) => part.longest)
      .sort((a, b) => b - a)
    const resident = figures.map((part) => Math.round(part.resident / 1e6))
    console.log(
      `fuzz: seed ${SEED}, ${report.sent} requests in ${Math.round(report.seconds)} s, ${JSON.stringify(report.statuses)}\n` +
        `blocks: longest ${longest.slice(0, 5).map(Math.round).join(', ')} ms, p99.9 of each tenth ${figures.map(({ p999 }) => Math.round(p999)).join(', ')} ms; ` +
        `resident ${resident.join(', ')} MB\n${report.slowest.join('\n')}`,
    )
    expect(report.broken).toEqual([])
    expect(figures.length).toBe(PARTS)
    expect(report.sent).toBeGreaterThan(Math.min(REQUESTS - 1, SECONDS * 10))
    expect(longest[0]).toBeLessThan(LONGEST_BLOCK)
    const settled = figures[Math.min(PARTS - 2, Math.max(1, Math.ceil((PARTS * SETTLED) / report.seconds) - 1))]!
    expect(figures.at(-1)!.resident - settled.resident).toBeLessThan(GROWTH)
  } finally {
    await server.close()
  }
})
