import { setTimeout as pause } from 'node:timers/promises'
import { type Change, hexcastChanges } from '../../api/client/changes.ts'
import { nth } from '../../ingest/domain/nth.ts'

/** Places in four regions, as parameters. */
export const points = ['lat=39.74&lon=-104.99', 'lat=44.98&lon=-93.27', 'lat=64.84&lon=-147.72', 'lat=29.76&lon=-95.37']
const call = { name: 'get_forecast', arguments: { location: 'Denver, CO' } }
const toolCall = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })

type Request = readonly [path: string, init?: RequestInit]

/** The requests of each path. @param n number of the request */
const requests: Readonly<Record<string, (n: number) => Request>> = {
  '/v1/weather': (n) => [`/v1/weather?${nth(points, n % points.length)}&include=current,hourly`],
  '/v1/alerts': () => ['/v1/alerts'],
  '/v1/catalog': () => ['/v1/catalog'],
  '/mcp': () => [
    '/mcp',
    {
      method: 'POST',
      body: toolCall,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    },
  ],
}

/** Pause of a client after an answer, ms. */
const PAUSE_MS = 60

/** What the clients of one path saw. */
export interface Seen {
  readonly path: string
  /** Durations of the answers, ms. */
  readonly ms: number[]
  readonly failures: string[]
}

/** Clients of four paths, one after the other request each, and a reader of the stream of changes. */
export class Load {
  readonly seen: readonly Seen[]
  readonly changes: Change[] = []
  /** How often the stream of changes was opened. */
  opened = 0
  readonly #ended = new AbortController()
  readonly #running: Promise<unknown>

  /** Starts the clients. @param base address that they ask @param key their API key */
  constructor(base: string, key: string) {
    this.seen = Object.keys(requests).map((path) => ({ path, ms: [], failures: [] }))
    const { signal } = this.#ended
    const reader = async () => {
      const options = { signal, onOpen: () => void this.opened++ }
      for await (const change of hexcastChanges({ baseUrl: base, key }, {}, options)) this.changes.push(change)
    }
    this.#running = Promise.all([...this.seen.map((seen) => this.#send(base, key, seen)), reader()])
  }

  /** Ends the clients. Requests that were sent are answered first. @throws Error if the stream of changes failed */
  async end(): Promise<void> {
    this.#ended.abort()
    await this.#running
  }

  async #send(base: string, key: string, { path, ms, failures }: Seen): Promise<void> {
    const requestOf = requests[path]
    for (let n = 0; requestOf && !this.#ended.signal.aborted; n++) {
      const [address, init] = requestOf(n)
      const from = performance.now()
      try {
        const headers = { ...init?.headers, authorization: `Bearer ${key}` }
        const response = await fetch(base + address, { ...init, headers, signal: AbortSignal.timeout(30_000) })
        const text = await response.text()
        if (response.status !== 200 || text.includes('"isError":true'))
          failures.push(`${response.status} ${text.slice(0, 200)}`)
      } catch (error) {
        failures.push(String(error))
      }
      ms.push(performance.now() - from)
      await pause(PAUSE_MS)
    }
  }
}

/** Returns the value below which 99 % of the values are. */
export function p99(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? 0
}
