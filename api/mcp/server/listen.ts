import type { ServerResponse } from 'node:http'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { AlertSubscriptions } from './alert-resource.ts'

/** Largest number of places in a session, which is a stream over HTTP or a connection over stdio. */
export const MAX_PLACES_PER_SESSION = 20
/** A stream ends after this time, and the client subscribes again. */
const MAX_STREAM_MS = 3_600_000
/** Limits of the time after which a client subscribes again when this process ends, ms. */
const RETRY_MS = { least: 500, most: 5000 }
/** Interval at which streams that had not begun when this process was about to end are ended, ms. */
const ENDING_CHECK_MS = 50

/** Interval between checks of the credentials of open streams. */
const CREDENTIALS_CHECK_MS = 3000

interface ListenRequest {
  readonly id: string | number
  readonly uris: readonly string[]
}

/** Returns a `subscriptions/listen` request with the resources that it names; undefined for any other message. */
export function listenRequest(message: unknown): ListenRequest | undefined {
  const { id, method, params } = (message ?? {}) as {
    id?: unknown
    method?: unknown
    params?: { notifications?: { resourceSubscriptions?: unknown } }
  }
  if (method !== 'subscriptions/listen' || (typeof id !== 'string' && typeof id !== 'number')) return undefined
  const uris = params?.notifications?.resourceSubscriptions
  return { id, uris: Array.isArray(uris) ? uris.filter((uri): uri is string => typeof uri === 'string') : [] }
}

/** Watches all URIs, or none if one of them is rejected. @returns a function that ends the subscriptions. @throws ProtocolError */
export function followAll(subscriptions: AlertSubscriptions, uris: readonly string[]): () => void {
  if (uris.length > MAX_PLACES_PER_SESSION)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `resourceSubscriptions must have at most ${MAX_PLACES_PER_SESSION} resources, but has ${uris.length}.`,
    )
  const stops: (() => void)[] = []
  const stop = () => {
    for (const stopPlace of stops.splice(0)) stopPlace()
  }
  try {
    for (const uri of uris) stops.push(subscriptions.follow(uri))
  } catch (error) {
    stop()
    throw error
  }
  return stop
}

export const errorMessage = (id: string | number, { code, message, data }: ProtocolError) => ({
  jsonrpc: '2.0' as const,
  id,
  error: { code, message, ...(data !== undefined && { data }) },
})

/** Returns the result by which a server ends a subscription (revision 2026-07-28): the client must subscribe again to hear of changes. */
const endOf = (id: string | number) => ({
  jsonrpc: '2.0' as const,
  id,
  result: { resultType: 'complete', _meta: { 'io.modelcontextprotocol/subscriptionId': id } },
})

interface Stream {
  /** Id of the request, which identifies the subscription. */
  readonly id: string | number
  readonly caller: string
  readonly isActive: () => Promise<boolean>
  readonly endsAt: number
}

/** The open streams of subscriptions over HTTP, with a limit for each caller. */
export class ListenStreams {
  readonly #open = new Map<ServerResponse, Stream>()
  readonly #subscriptions: AlertSubscriptions
  readonly #timer: NodeJS.Timeout

  constructor(subscriptions: AlertSubscriptions) {
    this.#subscriptions = subscriptions
    this.#timer = setInterval(() => void this.#check(), CREDENTIALS_CHECK_MS)
    this.#timer.unref()
  }

  /** Watches the resources of a request until its response is closed. @throws ProtocolError */
  open(
    { id, uris }: ListenRequest,
    response: ServerResponse,
    { caller, allowed, isActive }: { caller: string; allowed: number; isActive: () => Promise<boolean> },
  ): void {
    const count = [...this.#open.values()].filter((stream) => stream.caller === caller).length
    if (count >= allowed)
      throw new ProtocolError(
        ProtocolErrorCode.InternalError,
        `Subscription limit reached: this plan allows ${allowed} open streams. Close a stream, or name more resources in one stream.`,
      )
    const stop = followAll(this.#subscriptions, uris)
    this.#open.set(response, { id, caller, isActive, endsAt: performance.now() + MAX_STREAM_MS })
    response.once('close', () => {
      this.#open.delete(response)
      stop()
    })
  }

  async #check(): Promise<void> {
    for (const [response, { isActive, endsAt }] of this.#open) {
      if (performance.now() < endsAt && (await isActive().catch(() => true))) continue
      response.destroy()
    }
  }

  /** Ends the streams. Their clients subscribe again after a random time, so that they do not all return at once. */
  close(): void {
    clearInterval(this.#timer)
    this.#end()
    const ending = setInterval(() => {
      this.#end()
      if (this.#open.size === 0) clearInterval(ending)
    }, ENDING_CHECK_MS)
    ending.unref()
  }

  #end(): void {
    for (const [response, { id }] of this.#open) {
      if (!response.headersSent || response.writableEnded) continue
      const retryMs = Math.round(RETRY_MS.least + Math.random() * (RETRY_MS.most - RETRY_MS.least))
      response.end(`retry: ${retryMs}\nevent: message\ndata: ${JSON.stringify(endOf(id))}\n\n`)
    }
  }
}
