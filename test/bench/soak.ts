/**
 * Saturates the API: node --expose-gc test/bench/soak.ts [minutes]
 * Requests cached and uncached answers, batches and invalid requests for ten minutes. Prints the heap after collection and p99 for each
 * tenth of the time. Exits with 1 if the heap grew by more than 5 % or the p99 of the last third is twice that of the first.
 */

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { nth } from '../../ingest/domain/nth.ts'

if (process.argv[2] === 'serve') {
  const { edgeServer } = await import('../api/http/test-server.ts')
  const edge = await edgeServer()
  const keys = await Promise.all(Array.from({ length: 200 }, () => edge.key('professional')))
  process.send?.({ port: edge.api.port, keys })
  process.on('message', () => {
    globalThis.gc?.()
    globalThis.gc?.()
    const { heapUsed, rss, external } = process.memoryUsage()
    process.send?.({ heapUsed, rss, external })
  })
} else {
  const minutes = Number(process.argv[2] ?? 10)
  const child = fork(fileURLToPath(import.meta.url), ['serve'], { execArgv: ['--expose-gc'] })
  const next = <T>() => new Promise<T>((resolve) => child.once('message', (message) => resolve(message as T)))
  const { port, keys } = await next<{ port: number; keys: string[] }>()
  let latencies: number[] = []
  let running = true
  let turn = 0
  const statuses: Record<number, number> = {}
  // Only 3,000 points are requested: they fill the cache once, and then it must not grow.
  const number = () => Math.floor(Math.random() * 1e6)
  const paths = [
    () => '/v1/weather?lat=39.74&lon=-104.99&include=hourly,daily,astro',
    () =>
      `/v1/weather?lat=${(30 + (number() % 60) / 4).toFixed(2)}&lon=${(-115 + (number() % 50) / 2).toFixed(2)}&include=astro`,
    () => '/v1/weather/batch?points=39,-104;40,-105;41,-106&include=astro',
    () => '/v1/geocode?q=springfield',
    () => '/v1/weather?lat=95&lon=0',
    () => '/v1/reverse-geocode?lat=39&lon=-104',
  ]
  const worker = async () => {
    while (running) {
      const mine = turn++
      const began = performance.now()
      const response = await fetch(`http://127.0.0.1:${port}${nth(paths, mine % paths.length)()}`, {
        headers: { authorization: `Bearer ${keys[mine % keys.length]}` },
      })
      await response.arrayBuffer()
      latencies.push(performance.now() - began)
      statuses[response.status] = (statuses[response.status] ?? 0) + 1
    }
  }
  const workers = Array.from({ length: 48 }, worker)
  const lines: { heap: number; p99: number }[] = []
  for (let part = 0; part < 10; part++) {
    await new Promise((resolve) => setTimeout(resolve, minutes * 6000))
    child.send('heap')
    const { heapUsed, rss, external } = await next<{ heapUsed: number; rss: number; external: number }>()
    const sorted = Float64Array.from(latencies).sort()
    const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0
    console.log(
      `${part + 1}/10: ${sorted.length} requests, p50 ${sorted[sorted.length >> 1]?.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, heap ${(heapUsed / 1e6).toFixed(1)} MB, external ${(external / 1e6).toFixed(1)} MB, rss ${(rss / 1e6).toFixed(0)} MB`,
    )
    lines.push({ heap: heapUsed, p99 })
    latencies = []
  }
  running = false
  await Promise.all(workers)
  child.kill()
  console.log(statuses)
  // The first tenths fill caches and compile code.
  const growth = nth(lines, 9).heap / nth(lines, 3).heap - 1
  const slower =
    Math.max(...lines.slice(7).map(({ p99 }) => p99)) / Math.max(...lines.slice(1, 4).map(({ p99 }) => p99))
  console.log(
    `heap ${(growth * 100).toFixed(1)} % from the 4th tenth to the last, p99 at the end ${slower.toFixed(2)} of that at the beginning`,
  )
  process.exitCode = growth > 0.05 || slower > 2 ? 1 : 0
}
