import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './schema.generated.ts'

export type * from './schema.generated.ts'

export type Problem = components['schemas']['Problem']

export interface ClientOptions {
  /** Address of the server, such as `http://localhost:8080`. */
  readonly baseUrl: string
  /** An API key. Never put it into a page or an app. */
  readonly key?: string
  readonly fetch?: typeof fetch
  /** Time limit of one attempt, ms; by default 10 s. */
  readonly timeout?: number
  /** Number of further attempts after a failure of the server; by default 3. */
  readonly retries?: number
  /** Longest pause between attempts, ms; by default 65 s. If Retry-After demands a longer pause, the error is thrown. */
  readonly longestPause?: number
}

export interface Limit {
  readonly limit: number
  readonly remaining: number
  /** Seconds until the window resets. */
  readonly reset: number
}

/** Facts from the headers of an answer. */
export interface AnswerInfo {
  readonly requestId: string | undefined
  readonly rateLimit: Limit | undefined
  readonly etag: string | undefined
  /** Seconds for which the answer may be cached; 0 if it may not be cached. */
  readonly maxAge: number
}

/** An error with the problem document of the server. Make decisions by `type`, not by `detail`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem
  readonly status: number
  readonly requestId: string | undefined
  /** Last part of the type, such as `outside-coverage`. */
  readonly slug: string
  /** Seconds to wait, if the server states them. */
  readonly retryAfter: number | undefined

  constructor(problem: Problem, response: Response) {
    super(`${problem.title}${problem.detail ? `: ${problem.detail}` : ''}`)
    this.problem = problem
    this.status = response.status
    this.requestId = response.headers.get('x-request-id') ?? undefined
    this.slug = problem.type.split('/').at(-1) ?? ''
    this.retryAfter = retryAfterOf(response)
  }
}

const FIRST_PAUSE_MS = 250
const LAST_PAUSE_MS = 2000

/**
 * Creates a typed client (openapi-fetch): `const { data } = await client.GET('/v1/weather', { params: { query: { zip: '80202' } } })`.
 * It retries as the API recommends: 429 after Retry-After, 5xx up to three times with growing pauses, and nothing else.
 * Errors that remain are thrown as ProblemError.
 */
export function hexcastClient(options: ClientOptions): Client<paths, 'application/json'> {
  const client = createClient<paths, 'application/json'>({
    baseUrl: options.baseUrl,
    headers: { accept: 'application/json', ...(options.key && { authorization: `Bearer ${options.key}` }) },
    fetch: (request) => fetchWithRetries(request, options),
  })
  client.use({
    async onResponse({ response }) {
      if (!response.ok && response.status !== 304) throw new ProblemError(await problemOf(response), response)
    },
  })
  return client
}

/** Reads the request id, rate limit, ETag and lifetime from the headers of an answer. */
export function answerInfo({ headers }: Response): AnswerInfo {
  const header = (name: string) => headers.get(name) ?? undefined
  const cache = header('cache-control') ?? ''
  const limit = header('ratelimit-limit')
  return {
    requestId: header('x-request-id'),
    rateLimit:
      limit === undefined
        ? undefined
        : {
            limit: Number(limit),
            remaining: Number(header('ratelimit-remaining')),
            reset: Number(header('ratelimit-reset')),
          },
    etag: header('etag'),
    maxAge: cache.includes('no-store') ? 0 : Number(/max-age=(\d+)/.exec(cache)?.[1] ?? 0),
  }
}

async function fetchWithRetries(request: Request, options: ClientOptions): Promise<Response> {
  const { fetch: send = fetch, timeout = 10_000, retries = 3, longestPause = 65_000 } = options
  // POST requests under /v1 only read, except the request that creates a webhook. Under /developer an Idempotency-Key makes them repeatable.
  const isRepeatable =
    request.method !== 'POST' ||
    /\/v1\/(?!webhooks$)/.test(new URL(request.url).pathname) ||
    request.headers.has('idempotency-key')
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt >= retries || !isRepeatable
    let wait = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt)
    try {
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeout)])
      const response = await send(request.clone(), { signal })
      if (isLast || (response.status !== 429 && response.status < 500)) return response
      wait = Math.max(wait, (retryAfterOf(response) ?? 0) * 1000)
      if (wait > longestPause) return response
      await response.body?.cancel()
    } catch (error) {
      if (isLast || request.signal.aborted) throw error
    }
    // Clients that were refused at the same time must not return at the same time.
    const randomWait = wait * (1 + Math.random() / 4)
    await new Promise((resolve) => setTimeout(resolve, randomWait))
  }
}

export function retryAfterOf({ headers }: Response): number | undefined {
  const text = headers.get('retry-after')
  const seconds = Number(text ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : undefined
}

export async function problemOf(response: Response): Promise<Problem> {
  try {
    return (await response.clone().json()) as Problem
  } catch {
    return { type: 'about:blank', title: response.statusText || 'Failure', status: response.status } as Problem
  }
}
