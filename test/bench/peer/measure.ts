import { spawn, spawnSync } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Process, until } from '../../drills/process.ts'
import { type AnswerRequests, MemoryTable } from '../whole/measure.ts'

const here = fileURLToPath(new URL('.', import.meta.url))

/** The cost of an ingest of the peer, from the start of its process to the publication. */
export interface Ingested {
  readonly wall: number
  readonly processor: number
  /** Largest memory at one moment with shared pages counted once, MB. */
  readonly most: number
  readonly messages: number
}

/** Returns the interpreter in PYTHON if it has the packages of `requirements.txt`. */
export function peerPython(): string | undefined {
  const python = process.env['PYTHON']
  const packages = 'import eccodes, fastapi, google_crc32c, httptools, orjson, uvicorn, uvloop, zarr, zstandard'
  return python && spawnSync(python, ['-c', packages]).status === 0 ? python : undefined
}

/** Ingests the newest runs of the mirror with two processes, while this process serves the mirror. */
export function ingestByPeer(python: string, mirror: string, store: string, datasets: string): Promise<Ingested> {
  const began = performance.now()
  const words = [join(here, 'ingest.py'), '--mirror', mirror, '--out', store, '--only', datasets]
  const child = spawn(python, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const memory = new MemoryTable(child.pid!, () => 0)
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (part) => (text += part))
    child.on('exit', (code) => {
      memory.close()
      if (code !== 0) return reject(new Error(`the peer's ingest ended with ${code}`))
      const { cpu_s: processor, messages } = JSON.parse(text.trim().split('\n').at(-1)!)
      resolve({ wall: (performance.now() - began) / 1000, processor, messages, most: memory.most })
    })
  })
}

/** Requests for answers of the peer. */
export const askedOfPeer: AnswerRequests = { path: (where) => `/weather?${where}`, headers: [''] }

/** Serves a store with two processes. @returns the server and its port */
export async function servePeer(python: string, store: string): Promise<{ server: Process; port: string }> {
  const port = await freePort()
  const words = [join(here, 'serve.py'), '--store', store, '--port', port, '--workers', '2']
  const server = new Process(words, process.env, python)
  await until('the peer', 60, () =>
    fetch(`http://127.0.0.1:${port}/weather?lat=39.74&lon=-104.99`).then(
      (reply) => reply.ok,
      () => false,
    ),
  )
  return { server, port }
}

async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}
