import { createMcpHandler, InMemoryServerEventBus, ProtocolError, preloadSchemas } from '@modelcontextprotocol/server'
import type { RequestHandler } from 'express'
import { LRUCache } from 'lru-cache'
import { HOUR } from '../../../ingest/domain/time.ts'
import { bearer, countUnauthenticated, overLimit, requireScope, unknownKey } from '../../http/authenticate.ts'
import type { ApiRequest, HttpDeps } from '../../http/deps.ts'
import { limitHeaders } from '../../http/exchange.ts'
import { unauthenticatedPlan } from '../../keys/plan.ts'
import { Problem } from '../../problem.ts'
import type { Caller, Route } from '../../route.ts'
import type { McpDeps, ToolSet } from '../protocol/deps.ts'
import { ToolError } from '../protocol/error.ts'
import { CallsInWork, eitherForm, type Fetch, messageOf, serve, takesStream } from '../protocol/exchange.ts'
import { BugRefunds } from '../protocol/refund.ts'
import { AlertSubscriptions } from './alert-resource.ts'
import { errorMessage, ListenStreams, listenRequest } from './listen.ts'
import { createMcpServer } from './server.ts'

/** Bytes of one request. */
const MAX_REQUEST_BYTES = 1_048_576
const SCOPE = 'weather:read'

/** Builds the schemas of the protocol, which takes 35 ms at their first use. */
export const preloadProtocol: () => void = preloadSchemas

export interface McpHandlerDeps {
  readonly http: HttpDeps
  readonly deps: Omit<McpDeps, 'count' | 'refund' | 'websiteUrl' | 'bug' | 'caller'>
  /** The account of an access token of our issuer; undefined for an unknown token, or one for another resource. */
  readonly tokenCaller?: (token: string, resource: string) => Promise<Caller | undefined>
}

/** Streamable HTTP at `/mcp`, without sessions. Origin and Host are looked at before the key, the key before the message. */
export function mcpHandler({ http, deps, tokenCaller }: McpHandlerDeps): RequestHandler & { close(): void } {
  const { auth } = http
  const inWork = new CallsInWork()
  const refunds = new BugRefunds()
  const recentlyValid = new LRUCache<string, true>({ max: 10_000, ttl: HOUR })
  const bus = new InMemoryServerEventBus()
  const subscriptions = new AlertSubscriptions(deps, (uri) => bus.publish({ kind: 'resource_updated', uri }))
  const streams = new ListenStreams(subscriptions)
  const handler = createMcpHandler(
    (context) => {
      const { caller, base, bug, toolSet } = (context.authInfo?.extra ?? {}) as {
        caller?: Caller
        base?: string
        bug?: McpDeps['bug']
        toolSet?: ToolSet
      }
      return createMcpServer({
        ...deps,
        toolSet,
        // Without sessions nothing reaches a client of revision 2025-11-25 but answers.
        notifies: context.era === 'modern',
        websiteUrl: base ?? http.ownUrl(),
        count: (calls) => count(caller, calls, base ?? ''),
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
  // With a parsed message the SDK reads no more of a request than a MessageRequest has.
  const fetch = eitherForm(handler.fetch as unknown as Fetch<Parameters<typeof handler.fetch>[1]>)

  async function count(caller: Caller | undefined, calls: number, base: string): Promise<void> {
    if (!caller) return
    const plan = auth.plans[caller.plan]
    for (let i = 0; i < calls; i++) {
      if (await auth.meter.take(caller.subject, plan, http.clock())) continue
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

  const handle: RequestHandler = async (request, response) => {
    const apiRequest = request as unknown as ApiRequest
    const { exchange } = apiRequest
    exchange.route = '/mcp'
    if (request.path !== '/' && request.path !== '')
      throw new Problem('not-found', 'The tool server is at /mcp, without anything behind it.')
    checkOrigin(http, request.headers, exchange.base)
    if (request.method !== 'POST') {
      throw new Problem(
        'bad-request',
        `${request.method}: wanted POST; this server has no sessions and no streams of its own.`,
        { status: 405, headers: { Allow: 'POST' } },
      )
    }
    const caller = await callerOf(apiRequest)
    const plan = auth.plans[caller.plan]
    exchange.subject = caller.subject
    exchange.limit = { plan, standing: () => auth.meter.peek(caller.subject, plan, http.clock()) }
    await auth.meter.load(caller.subject, plan, exchange.startedAt)
    response.setHeader('X-Request-Id', exchange.id)
    for (const [name, value] of Object.entries(limitHeaders(exchange))) response.setHeader(name, value)
    const { wait } = exchange.limit.standing()
    if (wait > 0 && Number.isFinite(wait)) response.setHeader('Retry-After', String(Math.ceil(wait)))
    const bug = (error: unknown) => {
      http.note(exchange, 500, request, new Problem('internal', 'a tool failed', { cause: error }))
      return exchange.id
    }
    const authInfo = {
      token: '',
      clientId: caller.subject,
      scopes: [...caller.scopes],
      extra: {
        caller,
        base: exchange.base,
        bug,
        toolSet: toolSetOf(new URL(request.originalUrl, exchange.base).searchParams.get('tools')),
      },
    }
    // Other content types are refused by the SDK.
    const json = /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')
    let message: unknown = {}
    try {
      if (json) message = await messageOf(request, MAX_REQUEST_BYTES)
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      const fault = { code: -32700, message: 'Parse error: the body is no JSON.' }
      response.status(400).json({ jsonrpc: '2.0', error: fault, id: null })
      return
    }
    const listening = listenRequest(message)
    if (listening) {
      if (!takesStream(request.headers.accept))
        throw new Problem('bad-request', 'Accept: wanted text/event-stream for subscriptions/listen.', { status: 406 })
      const key = bearer(apiRequest, http.payments !== undefined)
      const isActive = async () => (await callerByKey(key, http.clock(), exchange.base)) !== undefined
      try {
        streams.open(listening, response, { caller: caller.subject, allowed: plan.streams ?? 0, isActive })
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
        response.json(errorMessage(listening.id, error))
        return
      }
    }
    inWork.take(message, caller.subject, response)
    await serve(fetch, request, response, { authInfo, parsedBody: message })
  }
  return Object.assign(handle, {
    close() {
      streams.close()
      subscriptions.close()
    },
  })

  async function callerByKey(key: string, now: number, base: string): Promise<Caller | undefined> {
    const known = await auth.ring.find(key, now)
    if (known || !tokenCaller) return known
    const caller = await tokenCaller(key, `${base}/mcp`)
    if (caller) recentlyValid.set(key, true)
    return caller
  }

  async function callerOf(apiRequest: ApiRequest): Promise<Caller> {
    const { exchange } = apiRequest
    const { address, startedAt: now } = exchange
    const resource = { metadata: `${exchange.base}/.well-known/oauth-protected-resource/mcp`, scope: SCOPE }
    exchange.limit = {
      plan: unauthenticatedPlan,
      standing: () => auth.addresses.peek(address, unauthenticatedPlan, now),
    }
    try {
      const key = bearer(apiRequest, http.payments !== undefined)
      // Every unknown token costs a query: beyond the limit of an address only tokens that were valid recently are looked up.
      const standing = auth.addresses.peek(address, unauthenticatedPlan, now)
      if (!standing.allowed && !recentlyValid.has(key) && !(await auth.ring.find(key, now)))
        throw overLimit(standing, undefined, auth, exchange)
      const caller = await callerByKey(key, now, exchange.base)
      if (!caller)
        throw unknownKey('The credentials are not valid: unknown, revoked, expired, or meant for another resource.')
      requireScope(caller, { scope: SCOPE } as Route, auth, exchange)
      return caller
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      countUnauthenticated(auth, exchange)
      // A caller without the scope also gets the metadata URL: clients use it for step-up authorization.
      const led = error.status === 401 || error.extra.challenge?.error === 'insufficient_scope'
      throw led ? new Problem(error.slug, error.message, { ...error.extra, resource }) : error
    }
  }
}

/** `?tools=core`. @throws Problem for another set */
function toolSetOf(value: string | null): ToolSet {
  if (value === null || value === 'all') return 'all'
  if (value === 'core') return 'core'
  throw new Problem('bad-request', `tools: wanted all or core, got "${value.slice(0, 40)}".`)
}

/** Refuses unknown Host names (DNS rebinding) and Origins before the request is read. */
function checkOrigin(http: HttpDeps, headers: { origin?: string; host?: string }, base: string): void {
  const { origin, host = '' } = headers
  const loopback = (name: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(name)
  const named = host.replace(/:\d+$/, '')
  const own = http.publicUrl ? new URL(http.publicUrl).host : undefined
  if (!loopback(named) && host !== own) {
    throw new Problem(
      'forbidden',
      `Host: wanted a loopback name${own ? ` or ${own}` : ''}, got "${host.slice(0, 80)}". Set PUBLIC_URL to the address that people use.`,
    )
  }
  if (origin === undefined) return
  const allowed =
    http.allowedOrigins.includes(origin) ||
    origin === base ||
    (URL.canParse(origin) && loopback(new URL(origin).hostname))
  if (!allowed)
    throw new Problem('forbidden', `Origin: "${origin.slice(0, 80)}" is neither loopback nor named in ALLOWED_ORIGINS.`)
}
