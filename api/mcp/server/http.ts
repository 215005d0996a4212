import { createMcpHandler, InMemoryServerEventBus, ProtocolError, preloadSchemas } from '@modelcontextprotocol/server'
import type { RequestHandler } from 'express'
import { LRUCache } from 'lru-cache'
import { HOUR } from '../../../ingest/domain/time.ts'
import { bearer, countUnauthenticated, overLimit, requireScope, unknownKey } from '../../http/authenticate.ts'
import type { ApiRequest, HttpDeps } from '../../http/deps.ts'
import { limitHeaders } from '../../http/exchange.ts'
import { admitsTools, isLoopback } from '../../http/origins.ts'
import { unauthenticatedPlan } from '../../keys/plan.ts'
import { Problem } from '../../problem.ts'
import type { Caller, Route } from '../../route.ts'
import type { McpDeps, ToolSet } from '../protocol/deps.ts'
import { ToolError } from '../protocol/error.ts'
import { eitherForm, type Fetch, messageOf, RunningCalls, serve, takesStream } from '../protocol/exchange.ts'
import { BugRefunds } from '../protocol/refund.ts'
import { AlertSubscriptions } from './alert-resource.ts'
import { errorMessage, ListenStreams, listenRequest } from './listen.ts'
import { createMcpServer } from './server.ts'

/** Largest request, bytes. */
const MAX_REQUEST_BYTES = 1_048_576
const SCOPE = 'weather:read'

/** Builds the schemas of the protocol, which would take 35 ms at their first use. */
export const preloadProtocol: () => void = preloadSchemas

export interface McpHandlerDeps {
  readonly http: HttpDeps
  readonly deps: Omit<McpDeps, 'count' | 'refund' | 'websiteUrl' | 'bug' | 'caller'>
  /** Looks up the account of an access token; undefined for an unknown token, and for a token of another resource. */
  readonly tokenCaller?: (token: string, resource: string) => Promise<Caller | undefined>
}

/** Streamable HTTP at `/mcp`, without sessions. Origin and Host are checked before the key, and the key before the message. */
export function mcpHandler({ http, deps, tokenCaller }: McpHandlerDeps): RequestHandler & { close(): void } {
  const { auth } = http
  const runningCalls = new RunningCalls()
  const callers = new McpCallers(http, tokenCaller)
  const bus = new InMemoryServerEventBus()
  const subscriptions = new AlertSubscriptions(deps, (uri) => bus.publish({ kind: 'resource_updated', uri }))
  const streams = new ListenStreams(subscriptions)
  const fetch = sdkHandler(http, deps, bus)

  const handle: RequestHandler = async (request, response) => {
    const apiRequest = request as unknown as ApiRequest
    const { exchange } = apiRequest
    exchange.route = '/mcp'
    checkTarget(request)
    checkOrigin(http, request.headers, exchange.base)
    const caller = await callers.callerOf(apiRequest)
    const plan = auth.plans[caller.plan]
    exchange.subject = caller.subject
    exchange.limit = { plan, standing: () => auth.meter.peek(caller.subject, plan, http.clock()) }
    response.setHeader('X-Request-Id', exchange.id)
    for (const [name, value] of Object.entries(limitHeaders(exchange))) response.setHeader(name, value)
    const { wait } = exchange.limit.standing()
    if (wait > 0 && Number.isFinite(wait)) response.setHeader('Retry-After', String(Math.ceil(wait)))
    const extra: CallExtra = {
      caller,
      base: exchange.base,
      bug(error) {
        http.note(exchange, 500, request, new Problem('internal', 'a tool failed', { cause: error }))
        return exchange.id
      },
      toolSet: toolSetOf(new URL(request.originalUrl, exchange.base).searchParams.get('tools')),
    }
    // The SDK rejects other content types.
    const isJson = /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')
    let message: unknown = {}
    try {
      if (isJson) message = await messageOf(request, MAX_REQUEST_BYTES)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      const fault = { code: -32700, message: 'Parse error: the body is not JSON.' }
      response.status(400).json({ jsonrpc: '2.0', error: fault, id: null })
      return
    }
    const listening = listenRequest(message)
    if (listening) {
      if (!takesStream(request.headers.accept))
        throw new Problem('bad-request', 'Accept must have text/event-stream for subscriptions/listen.', {
          status: 406,
        })
      const isActive = () => callers.isActive(apiRequest)
      try {
        streams.open(listening, response, { caller: caller.subject, allowed: plan.streams ?? 0, isActive })
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
        response.json(errorMessage(listening.id, error))
        return
      }
    }
    runningCalls.track(message, caller.subject, response)
    const authInfo = { token: '', clientId: caller.subject, scopes: [...caller.scopes], extra: { ...extra } }
    await serve(fetch, request, response, { authInfo, parsedBody: message })
  }
  return Object.assign(handle, {
    close() {
      streams.close()
      subscriptions.close()
    },
  })
}

/** What the handler of a request passes to the server that the SDK makes for it. */
interface CallExtra {
  readonly caller?: Caller
  readonly base?: string
  readonly bug?: McpDeps['bug']
  readonly toolSet?: ToolSet
}

/** Returns the handler of the SDK, with a server for each request. */
function sdkHandler(http: HttpDeps, deps: McpHandlerDeps['deps'], bus: InMemoryServerEventBus) {
  const { auth } = http
  const refunds = new BugRefunds()
  const handler = createMcpHandler(
    (context) => {
      const { caller, base, bug, toolSet } = (context.authInfo?.extra ?? {}) as CallExtra
      return createMcpServer({
        ...deps,
        toolSet,
        // Without sessions a client of revision 2025-11-25 can receive only answers.
        notifies: context.era === 'modern',
        websiteUrl: base ?? http.ownUrl(),
        count: (calls) => countCalls(http, caller, calls, base ?? ''),
        caller: caller?.subject ?? 'unknown',
        refund: (reason) => {
          if (!caller || (reason === 'bug' && !refunds.allow(caller.subject, http.clock()))) return
          auth.meter.refund(caller.subject, auth.plans[caller.plan])
        },
        bug: bug ?? (() => undefined),
      })
    },
    { maxRequestBodySize: MAX_REQUEST_BYTES, bus },
  )
  // The SDK reads only the members of MessageRequest when it gets the parsed message.
  return eitherForm(handler.fetch as unknown as Fetch<Parameters<typeof handler.fetch>[1]>)
}

/** @throws ToolError if the limit of the caller's plan is reached */
async function countCalls(http: HttpDeps, caller: Caller | undefined, calls: number, base: string): Promise<void> {
  if (!caller) return
  const { auth } = http
  const plan = auth.plans[caller.plan]
  for (let i = 0; i < calls; i++) {
    if (auth.meter.take(caller.subject, plan, http.clock())) continue
    const standing = auth.meter.peek(caller.subject, plan, http.clock())
    const problem = overLimit(standing, caller, auth, { base })
    const code =
      problem.slug === 'trial-ended'
        ? 'trial-ended'
        : problem.slug === 'too-many-requests'
          ? 'too-many-requests'
          : 'rate-limit-exceeded'
    const claim = problem.extra.claim
    throw new ToolError(
      code,
      problem.message,
      claim ? `ask the user to claim the key at ${claim}` : `wait ${standing.wait} s, then call again.`,
      { retry_after_s: standing.wait },
    )
  }
}

/** Finds the caller of a request by its API key or access token. */
class McpCallers {
  readonly #http: HttpDeps
  readonly #tokenCaller: McpHandlerDeps['tokenCaller']
  /** Access tokens that were valid within the last hour. */
  readonly #validTokens = new LRUCache<string, true>({ max: 10_000, ttl: HOUR })

  constructor(http: HttpDeps, tokenCaller: McpHandlerDeps['tokenCaller']) {
    this.#http = http
    this.#tokenCaller = tokenCaller
  }

  /** Returns whether the credentials of an open request are still valid. */
  async isActive(apiRequest: ApiRequest): Promise<boolean> {
    const { base } = apiRequest.exchange
    return (await this.#callerByKey(this.#keyOf(apiRequest), this.#http.clock(), base)) !== undefined
  }

  #keyOf(apiRequest: ApiRequest): string {
    return bearer(apiRequest, this.#http.payments !== undefined)
  }

  async #callerByKey(key: string, now: number, base: string): Promise<Caller | undefined> {
    const keyCaller = await this.#http.auth.ring.find(key, now)
    if (keyCaller || !this.#tokenCaller) return keyCaller
    const caller = await this.#tokenCaller(key, `${base}/mcp`)
    if (caller) this.#validTokens.set(key, true)
    return caller
  }

  /** @throws Problem unauthorized, forbidden, or a limit of the address */
  async callerOf(apiRequest: ApiRequest): Promise<Caller> {
    const { auth } = this.#http
    const { exchange } = apiRequest
    const { address, startedAt: now } = exchange
    const resource = { metadata: `${exchange.base}/.well-known/oauth-protected-resource/mcp`, scope: SCOPE }
    exchange.limit = {
      plan: unauthenticatedPlan,
      standing: () => auth.addresses.peek(address, unauthenticatedPlan, now),
    }
    try {
      const key = this.#keyOf(apiRequest)
      // Every unknown token costs a query. Beyond the limit of an address only recently valid tokens are looked up.
      const standing = auth.addresses.peek(address, unauthenticatedPlan, now)
      if (!standing.allowed && !this.#validTokens.has(key) && !(await auth.ring.find(key, now)))
        throw overLimit(standing, undefined, auth, exchange)
      const caller = await this.#callerByKey(key, now, exchange.base)
      if (!caller)
        throw unknownKey('The credentials are not valid: unknown, revoked, expired, or meant for another resource.')
      requireScope(caller, { scope: SCOPE } as Route, auth, exchange)
      return caller
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      countUnauthenticated(auth, exchange)
      // A caller without the scope also gets the metadata URL, which clients use for step-up authorization.
      const needsMetadata = error.status === 401 || error.extra.challenge?.error === 'insufficient_scope'
      throw needsMetadata ? new Problem(error.slug, error.message, { ...error.extra, resource }) : error
    }
  }
}

/** @throws Problem not-found for another path, bad-request for another method than POST */
function checkTarget({ path, method }: { readonly path: string; readonly method: string }): void {
  if (path !== '/' && path !== '') throw new Problem('not-found', 'The tool server is at /mcp, without a longer path.')
  if (method !== 'POST')
    throw new Problem(
      'bad-request',
      `The method must be POST, but was ${method}; this server has no sessions and no streams of its own.`,
      { status: 405, headers: { Allow: 'POST' } },
    )
}

/** Returns the set of tools that `?tools=core` selects. @throws Problem for an unknown set */
function toolSetOf(value: string | null): ToolSet {
  if (value === null || value === 'all') return 'all'
  if (value === 'core') return 'core'
  throw new Problem('bad-request', `tools must be all or core, but was "${value.slice(0, 40)}".`)
}

/** Rejects unknown Host names (DNS rebinding) and Origins before the body is read. @throws Problem forbidden */
function checkOrigin(http: HttpDeps, headers: { origin?: string; host?: string }, base: string): void {
  const { origin, host = '' } = headers
  const hostName = host.replace(/:\d+$/, '')
  const publicHost = http.publicUrl ? new URL(http.publicUrl).host : undefined
  if (!isLoopback(hostName) && host !== publicHost) {
    throw new Problem(
      'forbidden',
      `Host must be a loopback name${publicHost ? ` or ${publicHost}` : ''}, but was "${host.slice(0, 80)}". Set PUBLIC_URL to the public address of this server.`,
    )
  }
  if (origin === undefined) return
  if (!admitsTools(http, origin, base))
    throw new Problem('forbidden', `Origin must be loopback or in ALLOWED_ORIGINS, but was "${origin.slice(0, 80)}".`)
}
