import { Worker } from 'node:worker_threads'
import type { SimulatedHost } from './source.ts'

/** A message to the thread that builds files. */
export interface FileRequest {
  readonly id: number
  readonly host: string
  readonly path: string
  readonly query: string
  readonly now: number
}

/** A message from the thread that builds files. */
export interface FileReply {
  readonly id: number
  /** Undefined if the file could not be built. */
  readonly bytes?: Uint8Array
  readonly error?: string
}

/** Maximum size of the cache of files, bytes. Many ranges of a file are read one after the other. */
const CACHE_BYTES = 12e6

/**
 * Time without requests after which the thread ends. The next request starts another thread, which takes a third of a
 * second.
 */
const IDLE_MS = 5000

/**
 * Returns the same sources, whose files are built by another thread, so that a request for a radar scan does not wait
 * for a hundred files of models. This thread answers listings and whether a file exists.
 */
export function sourcesInThread(
  sources: readonly SimulatedHost[],
  module: URL,
  workerData: unknown,
  idleMs = IDLE_MS,
): readonly SimulatedHost[] {
  let worker: Worker | undefined
  let idleTimer: NodeJS.Timeout | undefined
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
      const request = waiting.get(id)
      waiting.delete(id)
      if (bytes) request?.resolve(bytes)
      else request?.reject(new Error(error))
      if (waiting.size === 0) idleTimer = setTimeout(end, idleMs).unref()
    })
    thread.on('error', fail)
    return thread
  }
  function end(): void {
    void worker?.terminate()
    worker = undefined
  }
  const files = new Map<string, Promise<Uint8Array>>()
  const sizes = new Map<string, number>()
  let totalBytes = 0
  let count = 0

  function evict(name: string): void {
    files.delete(name)
    totalBytes -= sizes.get(name) ?? 0
    sizes.delete(name)
  }
  function bodyOf(name: string, request: Omit<FileRequest, 'id'>): Promise<Uint8Array> {
    const cached = files.get(name)
    if (cached) return cached
    const id = ++count
    const file = new Promise<Uint8Array>((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      clearTimeout(idleTimer)
      worker ??= start()
      worker.postMessage({ id, ...request } satisfies FileRequest)
    })
    files.set(name, file)
    file.then(
      (bytes) => {
        sizes.set(name, bytes.length)
        totalBytes += bytes.length
        for (const oldName of [...sizes.keys()]) if (totalBytes > CACHE_BYTES && oldName !== name) evict(oldName)
      },
      () => files.delete(name),
    )
    return file
  }

  return sources.map((source) => ({
    host: source.host,
    list: (prefix, now) => source.list?.(prefix, now) ?? [],
    async find(path, query, now) {
      const object = await source.find(path, query, now)
      if (!object) return undefined
      const request = { host: source.host, path, query: query.toString(), now }
      return { ...object, body: () => bodyOf(`${source.host}${path}?${object.etag}`, request) }
    },
  }))
}
