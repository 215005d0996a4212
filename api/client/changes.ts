import { type ClientOptions, ProblemError, problemOf, retryAfterOf } from './client.ts'
import { type StreamMessage, streamMessages } from './event-stream.ts'
import type { operations } from './schema.generated.ts'

/** A change of one alert. Read the alert itself from `/v1/alerts?id=…`. */
export interface AlertChange {
  readonly id: string
  /** Tornado Warning, … */
  readonly event: string
  readonly change: 'issued' | 'updated' | 'cancelled' | 'expired'
  /** UGC codes */
  readonly areas: readonly string[]
  readonly expiration: string | null
  readonly at: string
  /** Ids that this alert took the place of. */
  readonly replaces?: readonly string[]
}

/** A forecaster's text was issued, or has expired. */
export interface TextChange {
  readonly id: string
  /** afd, hwo, now, hls, mcd, mpd, pmd, swo */
  readonly kind: string
  readonly change: 'issued' | 'expired'
  /** Issuing office; null for national centers */
  readonly wfo: string | null
  readonly issued_at: string
  readonly expires_at: string | null
  readonly at: string
}

/** `id` goes into `lastEventId` of a later stream, which then gives what came in between. */
export type Change =
  | { readonly id: string; readonly type: `alert.${AlertChange['change']}`; readonly data: AlertChange }
  | { readonly id: string; readonly type: `text.${TextChange['change']}`; readonly data: TextChange }

export type ChangesQuery = NonNullable<operations['getV1Events']['parameters']['query']>

export interface ChangesOptions {
  readonly signal?: AbortSignal
  /** Id of the last change that was handled, perhaps by an earlier process. */
  readonly lastEventId?: string
  /** Connected, also again after a break: what was shown before may be read anew. */
  readonly onOpen?: () => void
  /** Milliseconds without a byte after which the connection counts as broken; 45 s where absent. The server writes every 15 s. */
  readonly silenceMs?: number
}

const RETRY_MS = 3000
const LONGEST_RETRY_MS = 60_000

/**
 * Changes of alerts, and with `events=text.*` of forecasters' texts, of a place or of all: `for await (const change of …)`.
 * Goes on after every break where it broke off, with growing pauses; ends where `signal` does.
 * @throws ProblemError where the server refuses: a wrong filter, a key that is revoked, too many streams of this key
 */
export async function* hexcastChanges(
  client: ClientOptions,
  query: ChangesQuery = {},
  options: ChangesOptions = {},
): AsyncGenerator<Change, void> {
  const { signal, onOpen, silenceMs = 45_000 } = options
  let { lastEventId } = options
  let pause = RETRY_MS
  let failures = 0
  while (!signal?.aborted) {
    const attempt = new AbortController()
    const stop = () => attempt.abort()
    signal?.addEventListener('abort', stop)
    let silence = setTimeout(stop, silenceMs)
    const received = (retryMs: number | undefined) => {
      if (retryMs !== undefined) pause = retryMs
      clearTimeout(silence)
      silence = setTimeout(stop, silenceMs)
    }
    let wait = 0
    try {
      const response = await request(client, query, lastEventId, attempt.signal)
      if (!response.ok) {
        wait = (retryAfterOf(response) ?? 0) * 1000
        if (response.status !== 429 && response.status < 500)
          throw new ProblemError(await problemOf(response), response)
        await response.body?.cancel()
      } else if (response.body) {
        let opened = false
        for await (const message of streamMessages(response.body, received)) {
          // The first message is the id to resume from: from here on no change is missed.
          if (!opened) onOpen?.()
          opened = true
          failures = 0
          const change = changeOf(message)
          // The caller's work is not the server's silence.
          clearTimeout(silence)
          lastEventId = message.id ?? lastEventId
          if (change) yield change
          received(undefined)
        }
      }
    } catch (error) {
      // A refusal, or a stream that cannot be read, would come again; a broken connection is made anew.
      if (error instanceof ProblemError || error instanceof SyntaxError || error instanceof RangeError) throw error
    } finally {
      clearTimeout(silence)
      signal?.removeEventListener('abort', stop)
      attempt.abort()
    }
    const grown = Math.min(LONGEST_RETRY_MS, pause * 2 ** Math.min(failures++, 10))
    await sleep(Math.max(wait, grown * (0.5 + Math.random() / 2)), signal)
  }
}

function request(
  { baseUrl, key, fetch: send = fetch }: ClientOptions,
  query: ChangesQuery,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const words = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  )
  return send(`${baseUrl.replace(/\/$/, '')}/v1/events?${new URLSearchParams(words)}`, {
    headers: {
      accept: 'text/event-stream',
      ...(key && { authorization: `Bearer ${key}` }),
      ...(lastEventId && { 'last-event-id': lastEventId }),
    },
    signal,
  })
}

/** Undefined for what is no change: an id alone, or an event of a later server. */
function changeOf({ id = '', event, data }: StreamMessage): Change | undefined {
  if (data === undefined || !/^(alert|text)\./.test(event)) return undefined
  return { id, type: event, data: JSON.parse(data) } as Change
}

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done)
  })
}
