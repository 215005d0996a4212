/**
 * Measures cold and cached answers of /v1/weather over HTTP, in this checkout and in others, in turn:
 * `node test/bench/requests.ts [--rounds=5] [--cold=1500] [CHECKOUT …]`
 *
 * Each checkout serves from its own process, with values in memory, so that only the request path is measured. A cold request is for
 * a point that was not requested before; a cached one repeats the same point. Prints milliseconds as the client sees them, processor
 * time of the server for each request, and its resident memory after the last round.
 */

import { fork } from 'node:child_process'
import { Agent, get } from 'node:http'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Current } from '../../api/live/served-runs.ts'
import { answeringOptions } from '../../bin/process-settings.ts'
import { nth } from '../../ingest/domain/nth.ts'
import type { loadedCurrent as LoadedCurrentOf } from '../api/analytic-runs.ts'
import type { edgeServer as EdgeServerOf } from '../api/http/test-server.ts'

interface Usage {
  readonly cpuMicroseconds: number
  readonly residentMb: number
}

if (process.argv[2] === '--serve') await serve(nth(process.argv, 3))
else await compare()

async function serve(checkout: string): Promise<void> {
  const load = (path: string) => import(pathToFileURL(join(checkout, path)).href)
  const { edgeServer } = (await load('test/api/http/test-server.ts')) as { edgeServer: typeof EdgeServerOf }
  const { loadedCurrent } = (await load('test/api/analytic-runs.ts')) as { loadedCurrent: typeof LoadedCurrentOf }
  const loaded = loadedCurrent(Date.now())
  const current: Current = Object.create(loaded, { confirmedAt: { value: () => Date.now() } })
  const server = await edgeServer({}, undefined, async () => current)
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    const usage: Usage = { cpuMicroseconds: user + system, residentMb: process.memoryUsage.rss() / 1e6 }
    process.send?.(usage)
  })
  const keys = await Promise.all(Array.from({ length: 8 }, () => server.key('professional')))
  process.send?.({ port: server.api.port, keys })
}

async function compare(): Promise<void> {
  const option = (name: string, fallback: number) =>
    Number(process.argv.find((word) => word.startsWith(`--${name}=`))?.split('=')[1] ?? fallback)
  const rounds = option('rounds', 5)
  const cold = option('cold', 1500)
  const here = fileURLToPath(new URL('../..', import.meta.url))
  const checkouts = [here, ...process.argv.slice(2).filter((word) => !word.startsWith('--'))].map((path) =>
    resolve(path),
  )
  const servers = await Promise.all(checkouts.map(start))
  for (let round = 0; round < rounds; round++) {
    for (const server of servers) {
      await server.measure('cold', cold, () => server.nextPoint())
      await server.measure('cached', cold * 2, () => '39.7400', 16)
    }
  }
  for (const server of servers) await server.report()
  process.exit(0)
}

async function start(checkout: string) {
  const child = fork(fileURLToPath(import.meta.url), ['--serve', checkout], {
    execArgv: [...answeringOptions],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const next = <T>() => new Promise<T>((done) => child.once('message', (message) => done(message as T)))
  const { port, keys } = await next<{ port: number; keys: string[] }>()
  const usage = () => {
    child.send('usage')
    return next<Usage>()
  }
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  let count = 0
  const request = (latitude: string) =>
    new Promise<number>((done, failed) => {
      const path = `/v1/weather?lat=${latitude}&lon=-104.99&include=current,hourly,daily,astro`
      const begin = performance.now()
      const headers = { authorization: `Bearer ${keys[count++ % keys.length]}` }
      get({ port, host: '127.0.0.1', agent, path, headers }, (response) => {
        if (response.statusCode !== 200)
          failed(new Error(`${checkout}: the status must be 200, but is ${response.statusCode}`))
        response.resume().once('end', () => done(performance.now() - begin))
      }).once('error', failed)
    })
  const figures = new Map<string, { times: number[]; rates: number[]; cpu: number[] }>()
  let points = 0
  return {
    /** Each point lies in a different cell. */
    nextPoint: () => (33 + (points++ % 140_000) * 1e-4).toFixed(4),
    async measure(name: string, requests: number, latitude: () => string, lanes = 1): Promise<void> {
      const before = await usage()
      const begin = performance.now()
      const times: number[] = []
      const lane = async () => {
        while (times.length < requests) times.push(await request(latitude()))
      }
      await Promise.all(Array.from({ length: lanes }, lane))
      const seconds = (performance.now() - begin) / 1000
      const after = await usage()
      const known = figures.get(name) ?? { times: [], rates: [], cpu: [] }
      figures.set(name, known)
      known.times.push(...times)
      known.rates.push(times.length / seconds)
      known.cpu.push((after.cpuMicroseconds - before.cpuMicroseconds) / times.length)
    },
    async report(): Promise<void> {
      const { residentMb } = await usage()
      console.log(`${checkout}: ${residentMb.toFixed(0)} MB resident`)
      for (const [name, { times, rates, cpu }] of figures) {
        const sorted = times.sort((a, b) => a - b)
        const at = (share: number) => nth(sorted, Math.floor(sorted.length * share)).toFixed(2)
        const median = (list: number[]) =>
          nth(
            list.sort((a, b) => a - b),
            list.length >> 1,
          ).toFixed(0)
        console.log(
          `  ${name}: p50 ${at(0.5)} / p95 ${at(0.95)} / p99 ${at(0.99)} ms, ${median(rates)} requests/s, ${median(cpu)} µs of processor a request`,
        )
      }
      child.kill()
    },
  }
}
