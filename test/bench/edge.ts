/**
 * Compares cached answers of /v1/weather, with key and limits, with a bare Express handler that sends the same bytes:
 * node test/bench/edge.ts [seconds]
 * Then it compares compressed with uncompressed answers; a cached answer keeps its compressed forms. Requests a second depend on the
 * load of the machine, processor time for a request depends on it much less.
 */

import { fork, spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import express from 'express'
import { nth } from '../../ingest/domain/nth.ts'
import type { Load } from './socket-client.ts'

interface Ready {
  readonly port: number
  readonly key: string
}

const path = '/v1/weather?lat=39.74&lon=-104.99&include=astro,hourly,daily'

async function serveOurs(): Promise<Ready> {
  const { edgeServer } = await import('../api/http/test-server.ts')
  const edge = await edgeServer()
  const key = await edge.key('professional')
  return { port: edge.api.port, key }
}

async function serveBare(bytes: number): Promise<Ready> {
  const body = Buffer.alloc(bytes, '{"a":1}')
  const app = express()
  // This is the minimal handler; `send` would hash the body for an ETag each time.
  app.get('/v1/weather', (_request, response) => {
    response.set('Content-Type', 'application/json; charset=utf-8')
    response.set('Content-Length', String(body.length))
    response.end(body)
  })
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { port: (server.address() as { port: number }).port, key: 'none' }
}

const role = process.argv[2]
if (role === 'ours' || role === 'bare') {
  process.send?.(await (role === 'ours' ? serveOurs() : serveBare(Number(process.argv[3]))))
  process.on('message', () => process.send?.(process.cpuUsage()))
} else {
  const seconds = Number(role ?? 5)
  const autocannon = createRequire(import.meta.url)('autocannon') as (
    options: object,
  ) => Promise<{ requests: { average: number; total: number }; latency: { p50: number; p99: number }; non2xx: number }>
  const start = async (...args: string[]) => {
    const child = fork(fileURLToPath(import.meta.url), args, { env: { ...process.env, NODE_ENV: 'production' } })
    const ready = await new Promise<Ready>((resolve) => child.once('message', (message) => resolve(message as Ready)))
    const cpu = () =>
      new Promise<number>((resolve) => {
        child.once('message', (usage) => resolve((usage as NodeJS.CpuUsage).user + (usage as NodeJS.CpuUsage).system))
        child.send('cpu')
      })
    return { ...ready, cpu, stop: () => child.kill() }
  }
  const ours = await start('ours')
  const first = await fetch(`http://127.0.0.1:${ours.port}${path}`, {
    headers: { authorization: `Bearer ${ours.key}` },
  })
  const bytes = (await first.arrayBuffer()).byteLength
  console.log(`${first.status} ${bytes} bytes, ${first.headers.get('cache-control')}`)
  const bare = await start('bare', String(bytes))
  const measure = async (name: string, server: Awaited<ReturnType<typeof start>>) => {
    const before = await server.cpu()
    const result = await autocannon({
      url: `http://127.0.0.1:${server.port}${path}`,
      connections: 64,
      duration: seconds,
      headers: { authorization: `Bearer ${server.key}` },
    })
    const each = ((await server.cpu()) - before) / result.requests.total
    console.log(
      `${name.padEnd(5)} ${Math.round(result.requests.average)} req/s, p50 ${result.latency.p50} ms, p99 ${result.latency.p99} ms, ${each.toFixed(1)} us CPU a request, ${result.non2xx} not 2xx`,
    )
    return { rate: result.requests.average, each }
  }
  const rounds = []
  for (let round = 0; round < 3; round++)
    rounds.push([await measure('bare', bare), await measure('ours', ours)] as const)
  const middle = (values: number[]) =>
    nth(
      values.sort((a, b) => a - b),
      values.length >> 1,
    )
  console.log(
    `ours to bare: ${Math.round(100 * middle(rounds.map(([b, o]) => o.rate / b.rate)))} % of the requests a second, ${Math.round(100 * middle(rounds.map(([b, o]) => b.each / o.each)))} % by CPU time`,
  )
  // autocannon needs more processor time than the server if answers are short.
  const client = fileURLToPath(new URL('socket-client.ts', import.meta.url))
  const answersIn = async (coding: string) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ours.key}\r\nAccept-Encoding: ${coding}\r\n\r\n`
    const before = await ours.cpu()
    const counted = spawnSync(process.execPath, [client, String(ours.port), String(seconds)], { input: request })
    const { answers, seconds: took } = JSON.parse(counted.stdout.toString()) as Load
    return { rate: answers / took, each: ((await ours.cpu()) - before) / answers }
  }
  for (const coding of ['br', 'zstd', 'gzip']) {
    const pairs = []
    for (let round = 0; round < 3; round++) pairs.push([await answersIn('identity'), await answersIn(coding)] as const)
    console.log(
      `${coding}: ${Math.round(middle(pairs.map(([, c]) => c.rate)))} req/s, ${Math.round(100 * middle(pairs.map(([p, c]) => c.rate / p.rate)))} % of the rate without a coding, ${middle(pairs.map(([p, c]) => c.each / p.each)).toFixed(2)} times its CPU time`,
    )
  }
  bare.stop()
  ours.stop()
}
