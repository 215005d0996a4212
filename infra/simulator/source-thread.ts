import { Worker } from 'node:worker_threads'
import type { SimulatedHost } from './source.ts'

/** Messages to and from the thread that makes files. */
export interface FileRequest {
  readonly id: number
  readonly host: string
  readonly path: string
  readonly query: string
  readonly now: number
}

export interface FileReply {
  readonly id: number
  /** Undefined where making it failed. */
  readonly bytes?: Uint8Array
  readonly error?: string
}

/** Size in bytes of the cache of made files: a file is read by many ranges, one after the other. */
const CACHE_BYTES = 12e6

/** A thread that has made nothing for so long ends. The next file that is wanted starts another, which takes a third of a second. */
const REST_MS = 5000

/**
 * The same sources, their files made by another thread: a request for a radar scan does not wait for a hundred
 * files of the models. Listings and existence are answered in this thread.
 */
export function sourcesInThread(
  sources: readonly SimulatedHost[],
  module: URL,
  workerData: unknown,
  restMs = REST_MS,
): readonly SimulatedHost[] {
  let worker: Worker | undefined
  let rest: NodeJS.Timeout | undefined
  const waiting = new Map<number, { resolve(bytes: Uint8Array): void; reject(error: Error): void }>()
  function fail(error: Error): void {
    worker = undefined
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  function start(): Worker {
    const thread = new Worker(module, { workerData })
    thread.unref()
    thread.on('message', ({ id, bytes, error }: FileReply) => {
      const asked = waiting.get(id)
      waiting.delete(id)
      if (bytes) asked?.resolve(bytes)
      else asked?.reject(new Error(error))
      if (waiting.size === 0) rest = setTimeout(end, restMs).unref()
    })
    thread.on('error', fail)
    return thread
  }
  function end(): void {
    void worker?.terminate()
    worker = undefined
  }
  const kept = new Map<string, Promise<Uint8Array>>()
  const sizes = new Map<string, number>()
  let octets = 0
  let count = 0

  function forget(name: string): void {
    kept.delete(name)
    octets -= sizes.get(name) ?? 0
    sizes.delete(name)
  }
  function bodyOf(name: string, wanted: Omit<FileRequest, 'id'>): Promise<Uint8Array> {
    const known = kept.get(name)
    if (known) return known
    const id = ++count
    const making = new Promise<Uint8Array>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      clearTimeout(rest)
      worker ??= start()
      worker.postMessage({ id, ...wanted } satisfies FileRequest)
    })
    kept.set(name, making)
    making.then(
      (bytes) => {
        sizes.set(name, bytes.length)
        octets += bytes.length
        for (const old of [...sizes.keys()]) if (octets > CACHE_BYTES && old !== name) forget(old)
      },
      () => kept.delete(name),
    )
    return making
  }

  return sources.map((source) => ({
    host: source.host,
    list: (prefix, now) => source.list?.(prefix, now) ?? [],
    async find(path, query, now) {
      const found = await source.find(path, query, now)
      if (!found) return undefined
      const wanted = { host: source.host, path, query: query.toString(), now }
      return { ...found, body: () => bodyOf(`${source.host}${path}?${found.etag}`, wanted) }
    },
  }))
}
