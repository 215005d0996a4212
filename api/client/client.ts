import createClient, { type Client } from 'openapi-fetch'
import type { components, paths } from './schema.generated.ts'

export type * from './schema.generated.ts'

export type Problem = components['schemas']['Problem']

export interface ClientOptions {
  /** `http://localhost:8080` */
  readonly baseUrl: string
  /** An API key; never in a page or an app. */
  readonly key?: string
  readonly fetch?: typeof fetch
  /** For one try, ms; 10 s where absent. */
  readonly timeout?: number
  /** After failures of the server; at most 3 where absent. */
  readonly retries?: number
  /** Longest pause that Retry-After may ask for, ms; 65 s where absent. Longer ones are thrown. */
  readonly longestPause?: number
}

export interface Limit {
  readonly limit: number
  readonly remaining: number
  /** Seconds until the window is whole again. */
  readonly reset: number
}

/** What the headers of an answer state. */
export interface AnswerInfo {
  readonly requestId: string | undefined
  readonly rateLimit: Limit | undefined
  readonly etag: string | undefined
  /** Seconds that the answer may be cached; 0 where it may not. */
  readonly maxAge: number
}

/** A problem document of the server. Act on `type`, not on `detail`. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly problem: Problem
  readonly status: number
  readonly requestId: string | undefined
  /** Last part of the type: `outside-coverage`. */
  readonly slug: string
  /** Seconds to wait, where the server states them. */
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
 * A typed client (openapi-fetch): `const { data } = await client.GET('/v1/weather', { params: { query: { zip: '80202' } } })`.
 * Retries by the interface's guidance: 429 after Retry-After, 5xx up to three times with growing pauses, nothing else.
 * What remains is thrown as ProblemError.
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
  // POST requests under /v1 only read, but for the one that makes a webhook; /developer needs an Idempotency-Key to be sent twice.
  const repeatable =
    request.method !== 'POST' ||
    /\/v1\/(?!webhooks$)/.test(new URL(request.url).pathname) ||
    request.headers.has('idempotency-key')
  for (let attempt = 0; ; attempt++) {
    const last = attempt >= retries || !repeatable
    let wait = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt)
    try {
      const signal = AbortSignal.any([request.signal, AbortSignal.timeout(timeout)])
      const response = await send(request.clone(), { signal })
      if (last || (response.status !== 429 && response.status < 500)) return response
      wait = Math.max(wait, (retryAfterOf(response) ?? 0) * 1000)
      if (wait > longestPause) return response
      await response.body?.cancel()
    } catch (error) {
      if (last || request.signal.aborted) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, wait))
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
