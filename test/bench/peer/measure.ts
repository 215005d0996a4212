import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Process, until } from '../../drills/process.ts'
import type { Load } from '../socket-client.ts'
import { type Asked, answers, answersWhile, type Cost, MemoryTable, textOf } from '../whole/measure.ts'
import { proportionalOf, usesOf } from '../whole/processes.ts'
import { mirroredFiles } from '../whole/static-mirror.ts'

/** The cost of a start, a cycle and answers. */
export interface Measured extends Cost {
  /** `peak` is the sum of the peaks of processes, `most` the largest memory at one moment with shared pages counted once, MB. */
  readonly first: { readonly wall: number; readonly processor: number; readonly peak: number; readonly most: number }
  readonly second: { readonly wall: number; readonly processor: number }
  /** Cold answers while a cycle was ingested. */
  readonly meanwhile: Pick<Load, 'p50' | 'p95' | 'p99'>
  /** Memory while serving, just after a cycle and at rest, MB. */
  readonly memory: { readonly after: number; readonly rest: number }
}

/** The output of `ingest.py`. */
interface Ingested {
  readonly wall: number
  readonly processor: number
  readonly peak: number
  readonly most: number
  readonly messages: number
}

/**
 * Ingests the same runs from the same mirror with the peer of this folder, serves them with two processes, and prints both results with ratios.
 * PYTHON names its interpreter (pip install eccodes numpy zarr numcodecs h3 fastapi 'uvicorn[standard]'); skipped without one.
 * Without uvloop and httptools its answers on one connection take 48 ms instead of 4.5, because head and body are two packets and the client acknowledges late.
 * @param runs the third run is ingested while answers are requested
 */
export async function measurePeer(
  mirror: string,
  small: boolean,
  runs: readonly number[],
  ours: Measured,
): Promise<void> {
  const python = process.env['PYTHON']
  if (!python || spawnSync(python, ['-c', 'import eccodes, zarr, fastapi, uvicorn, uvloop, httptools']).status !== 0) {
    console.log(
      '\nthe peer is skipped: set PYTHON to an interpreter with eccodes, zarr, numcodecs, fastapi and uvicorn[standard]',
    )
    return
  }
  const here = fileURLToPath(new URL('.', import.meta.url))
  const folder = mkdtempSync(join(tmpdir(), 'hexcast-peer-'))
  try {
    const cycle = (index: number) => {
      const run = runs[index]!
      const files = mirroredFiles(small, run).filter(({ bucket }) => index === 0 || !bucket.includes('nbm'))
      const input = files.map(({ bucket, lead, key }) => ({
        url: `${mirror}/${bucket}.s3.amazonaws.com/${key(run)}`,
        lead,
      }))
      return ingest(python, [join(here, 'ingest.py'), join(folder, String(run))], JSON.stringify(input))
    }
    const first = await cycle(0)
    const second = await cycle(1)
    const port = await freePort()
    const server = new Process(
      [
        '-m',
        'uvicorn',
        '--app-dir',
        here,
        'serve:app',
        '--workers',
        '2',
        '--port',
        port,
        '--no-access-log',
        '--log-level',
        'warning',
      ],
      { ...process.env, PEER_STORE: join(folder, String(runs[0])) },
      python,
    )
    try {
      await until('the peer', 60, () =>
        fetch(`http://127.0.0.1:${port}/weather?lat=39.74&lon=-104.99`).then(
          (reply) => reply.ok,
          () => false,
        ),
      )
      const asked: Asked = { path: (where) => `/weather?${where}`, headers: [''] }
      const cost = await answers(port, asked)
      const meanwhile = await answersWhile(port, asked, cycle(runs.length - 1))
      const memory = proportionalOf(usesOf(server.child.pid!).keys())
      console.log(
        `\nthe peer: ${first.messages} messages; ${cost.text}; while a cycle is ingested: ${textOf(meanwhile)}`,
      )
      const rows: [string, number, number, 'less' | 'more'][] = [
        ['first start, s', first.wall, ours.first.wall, 'less'],
        ['processor time, s', first.processor, ours.first.processor, 'less'],
        ['most memory at one moment, MB', first.most, ours.first.most, 'less'],
        ['sum of the peaks of processes, MB', first.peak, ours.first.peak, 'less'],
        ['second cycle, s', second.wall, ours.second.wall, 'less'],
        ['processor time, s', second.processor, ours.second.processor, 'less'],
        ['memory just after a cycle, MB', memory, ours.memory.after, 'less'],
        ['serving memory at rest, MB', memory, ours.memory.rest, 'less'],
        ['cold p50, ms', cost.cold.p50, ours.cold.p50, 'less'],
        ['cold p95, ms', cost.cold.p95, ours.cold.p95, 'less'],
        ['cold p99, ms', cost.cold.p99, ours.cold.p99, 'less'],
        ['cold p50 while a cycle is ingested, ms', meanwhile.p50, ours.meanwhile.p50, 'less'],
        ['cold p95, ms', meanwhile.p95, ours.meanwhile.p95, 'less'],
        ['cold p99, ms', meanwhile.p99, ours.meanwhile.p99, 'less'],
        ['cached, 50 connections, /s', cost.cached, ours.cached, 'more'],
      ]
      console.log('\n| | peer | Hexcast | better by |\n|---|---|---|---|')
      for (const [name, theirs, own, better] of rows)
        console.log(
          `| ${name} | ${number(theirs)} | ${number(own)} | ${(better === 'less' ? theirs / own : own / theirs).toFixed(2)} × |`,
        )
    } finally {
      await server.end()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a program while this process serves the mirror. */
function ingest(python: string, words: readonly string[], input: string): Promise<Ingested> {
  const child = spawn(python, words, { stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.end(input)
  const memory = new MemoryTable(child.pid!, () => 0)
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (part) => (text += part))
    child.on('exit', (code) =>
      code === 0
        ? resolve({ ...(JSON.parse(text) as Ingested), most: memory.most })
        : reject(new Error(`the peer's ingest ended with ${code}`)),
    )
    child.on('exit', () => memory.close())
  })
}

const number = (value: number) => value.toFixed(value < 100 ? 1 : 0)

async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}
