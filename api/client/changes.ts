import { type ClientOptions, ProblemError, problemOf, retryAfterOf } from './client.ts'
import { type StreamMessage, streamMessages } from './event-stream.ts'
import type { operations } from './schema.generated.ts'

/** A change of one alert. Read the alert itself from `/v1/alerts?id=…`. */
export interface AlertChange {
  readonly id: string
  /** Name of the event, such as Tornado Warning. */
  readonly event: string
  readonly change: 'issued' | 'updated' | 'cancelled' | 'expired'
  /** UGC codes of the area. */
  readonly areas: readonly string[]
  readonly expiration: string | null
  readonly at: string
  /** Ids of the alerts that this alert replaces. */
  readonly replaces?: readonly string[]
}

/** The issuance or expiration of a forecaster's text. */
export interface TextChange {
  readonly id: string
  /** afd, hwo, now, hls, mcd, mpd, pmd, swo */
  readonly kind: string
  readonly change: 'issued' | 'expired'
  /** The issuing office; null for national centers. */
  readonly wfo: string | null
  readonly issued_at: string
  readonly expires_at: string | null
  readonly at: string
}

/** A change with its id. Pass the id as `lastEventId` to a later stream to get the changes since then. */
export type Change =
  | { readonly id: string; readonly type: `alert.${AlertChange['change']}`; readonly data: AlertChange }
  | { readonly id: string; readonly type: `text.${TextChange['change']}`; readonly data: TextChange }

export type ChangesQuery = NonNullable<operations['getV1Events']['parameters']['query']>

export interface ChangesOptions {
  readonly signal?: AbortSignal
  /** Id of the last change that has been handled, perhaps by an earlier process. */
  readonly lastEventId?: string
  /** Called after each connection. After an interruption, read again what you show. */
  readonly onOpen?: () => void
  /** Milliseconds without any byte after which the connection counts as broken; by default 45 s. The server writes every 15 s. */
  readonly silenceMs?: number
}

const RETRY_MS = 3000
const LONGEST_RETRY_MS = 60_000

/**
 * Streams changes of alerts, and with `events=text.*` of forecasters' texts, for a place or for all: `for await (const change of …)`.
 * After an interruption the stream resumes where it ended, with growing pauses. It ends when `signal` is aborted.
 * @throws ProblemError if the server refuses the stream: for a wrong filter, a revoked key, or too many streams of this key
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
    const onRead = (retryMs: number | undefined) => {
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
        let isOpen = false
        for await (const message of streamMessages(response.body, onRead)) {
          // The first message has the id from which to resume: from here on no change is missed.
          if (!isOpen) onOpen?.()
          isOpen = true
          failures = 0
          const change = changeOf(message)
          // The time that the caller needs for a change must not count as silence of the server.
          clearTimeout(silence)
          lastEventId = message.id ?? lastEventId
          if (change) yield change
          onRead(undefined)
        }
      }
    } catch (error) {
      // A refusal or an unreadable stream would occur again, so it is thrown; a broken connection is opened again.
      if (error instanceof ProblemError || error instanceof SyntaxError || error instanceof RangeError) throw error
    } finally {
      clearTimeout(silence)
      signal?.removeEventListener('abort', stop)
      attempt.abort()
    }
    const growingPause = Math.min(LONGEST_RETRY_MS, pause * 2 ** Math.min(failures++, 10))
    // Clients that are refused at the same time must not return at the same time.
    await sleep(Math.max(wait * (1 + Math.random() / 4), growingPause * (0.5 + Math.random() / 2)), signal)
  }
}

function request(
  { baseUrl, key, fetch: send = fetch }: ClientOptions,
  query: ChangesQuery,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  )
  return send(`${baseUrl.replace(/\/$/, '')}/v1/events?${new URLSearchParams(parameters)}`, {
    headers: {
      accept: 'text/event-stream',
      ...(key && { authorization: `Bearer ${key}` }),
      ...(lastEventId && { 'last-event-id': lastEventId }),
    },
    signal,
  })
}

/** The change in a message; undefined for a message with an id only, or an event that this client does not know. */
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
