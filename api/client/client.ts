import { type Operations, operations, type Problem } from './schema.generated.ts'

export type * from './schema.generated.ts'

type Name = keyof Operations
type Given<N extends Name> = {
  readonly [K in 'params' | 'query' | 'body' as K extends keyof Operations[N]
    ? K
    : never]: K extends keyof Operations[N] ? Operations[N][K] : never
}
/** Only what a call must be told has to be told. */
type Arguments<N extends Name> =
  Record<never, never> extends Given<N> ? [ask?: Given<N> & CallOptions] : [ask: Given<N> & CallOptions]

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
}

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

export interface Reply<T> {
  readonly data: T
  readonly status: number
  readonly requestId: string | undefined
  readonly rateLimit: Limit | undefined
  readonly etag: string | undefined
  /** Seconds that the answer may be kept; 0 where it may not. */
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
  /** Seconds to wait, where the server said so. */
  readonly retryAfter: number | undefined

  constructor(problem: Problem, response: Response) {
    super(`${problem.title}${problem.detail ? `: ${problem.detail}` : ''}`)
    this.problem = problem
    this.status = response.status
    this.requestId = response.headers.get('x-request-id') ?? undefined
    this.slug = problem.type.split('/').at(-1) ?? ''
    const wait = Number(response.headers.get('retry-after') ?? Number.NaN)
    this.retryAfter = Number.isFinite(wait) ? wait : undefined
  }
}

const FIRST_PAUSE = 250
const LAST_PAUSE = 2000

/** A client of the interface. Retries by its guidance: 429 after Retry-After, 5xx up to three times with growing pauses, nothing else. */
export class HexcastClient {
  readonly #options: ClientOptions

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** `await client.call('getV1Weather', { query: { location: 'Denver, CO' } })` */
  async call<N extends Name>(name: N, ...[ask]: Arguments<N>): Promise<Reply<Operations[N]['answer']>> {
    const { params, query, body, signal, headers } = (ask ?? {}) as {
      params?: Record<string, string>
      query?: Record<string, unknown>
      body?: unknown
    } & CallOptions
    const [method, path] = operations[name]
    const url = new URL(
      this.#options.baseUrl.replace(/\/$/, '') +
        path.replace(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(params?.[part] ?? '')),
    )
    for (const [key, value] of Object.entries(query ?? {}))
      if (value !== undefined) url.searchParams.set(key, String(value))
    const request: RequestInit = {
      method,
      headers: {
        accept: 'application/json',
        ...(this.#options.key && { authorization: `Bearer ${this.#options.key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }
    const idempotent = method !== 'POST' || path.startsWith('/v1/') || headers?.['Idempotency-Key'] !== undefined
    for (let attempt = 0; ; attempt++) {
      const given = await this.#try<Operations[N]['answer']>(url, request, signal)
      if (!(given instanceof Error)) return given
      const pause = idempotent && !signal?.aborted ? this.#pause(given, attempt) : undefined
      if (pause === undefined) throw given
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }

  async #try<T>(url: URL, request: RequestInit, signal: AbortSignal | undefined): Promise<Reply<T> | Error> {
    try {
      const response = await this.#fetch(url, request, signal)
      return response.ok || response.status === 304
        ? await reply<T>(response)
        : new ProblemError(await problemOf(response), response)
    } catch (error) {
      return error as Error
    }
  }

  /** Milliseconds to wait before the next try; undefined where there is to be none. */
  #pause(failure: Error, attempt: number): number | undefined {
    const growing = Math.min(LAST_PAUSE, FIRST_PAUSE * 2 ** attempt)
    if (attempt >= (this.#options.retries ?? 3)) return undefined
    if (!(failure instanceof ProblemError)) return growing
    if (failure.status !== 429 && failure.status < 500) return undefined
    const pause = Math.max(growing, (failure.retryAfter ?? 0) * 1000)
    return pause <= (this.#options.longestPause ?? 65_000) ? pause : undefined
  }

  #fetch(url: URL, request: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
    const limit = AbortSignal.timeout(this.#options.timeout ?? 10_000)
    return (this.#options.fetch ?? fetch)(url, {
      ...request,
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
  }
}

async function reply<T>(response: Response): Promise<Reply<T>> {
  const text = await response.text()
  const header = (name: string) => response.headers.get(name) ?? undefined
  const cache = header('cache-control') ?? ''
  const limit = header('ratelimit-limit')
  return {
    data: (text ? JSON.parse(text) : undefined) as T,
    status: response.status,
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

async function problemOf(response: Response): Promise<Problem> {
  try {
    return (await response.json()) as Problem
  } catch {
    return { type: 'about:blank', title: response.statusText || 'Failure', status: response.status }
  }
}
