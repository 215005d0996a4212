import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, InMemoryServerEventBus, ProtocolError } from '@modelcontextprotocol/server'
import type { RequestHandler } from 'express'
import { admit, bearer, overLimit, stranger, unknownKey } from '../../http/authenticate.ts'
import type { Edge, Talk } from '../../http/deps.ts'
import { limitHeaders } from '../../http/exchange.ts'
import { strangers } from '../../keys/plan.ts'
import { Problem } from '../../problem.ts'
import type { Caller, Route } from '../../route.ts'
import { ToolError } from '../query/error.ts'
import { AlertSubscriptions } from './alert-resource.ts'
import type { McpDoors, ToolSet } from './deps.ts'
import { CallsInWork, eitherForm, messageOf, takesStream } from './exchange.ts'
import { errorMessage, ListenStreams, listenRequest } from './listen.ts'
import { BugRefunds } from './refund.ts'
import { createMcpServer } from './server.ts'

/** Bytes of one request. */
const LARGEST = 1_048_576
const SCOPE = 'weather:read'

export interface McpRoomParts {
  readonly edge: Edge
  readonly doors: Omit<McpDoors, 'count' | 'giveBack' | 'websiteUrl' | 'bug' | 'caller'>
  /** Who an access token of our issuer speaks for; undefined where it is none of ours, or is meant for another resource. */
  readonly tokenCaller?: (token: string, resource: string) => Promise<Caller | undefined>
}

/** Streamable HTTP at `/mcp`, without sessions. Origin and Host are looked at before the key, the key before the message. */
export function mcpRoom({ edge, doors, tokenCaller }: McpRoomParts): RequestHandler & { close(): void } {
  const { gate } = edge
  const inWork = new CallsInWork()
  const refunds = new BugRefunds()
  const bus = new InMemoryServerEventBus()
  const subscriptions = new AlertSubscriptions(doors, (uri) => bus.publish({ kind: 'resource_updated', uri }))
  const streams = new ListenStreams(subscriptions)
  const handler = createMcpHandler(
    (context) => {
      const { caller, base, bug, toolSet } = (context.authInfo?.extra ?? {}) as {
        caller?: Caller
        base?: string
        bug?: McpDoors['bug']
        toolSet?: ToolSet
      }
      return createMcpServer({
        ...doors,
        toolSet,
        // Without sessions nothing reaches a client of revision 2025-11-25 but answers.
        notifies: context.era === 'modern',
        websiteUrl: base ?? edge.ownUrl(),
        count: (calls) => count(caller, calls, base ?? ''),
        caller: caller?.subject ?? 'unknown',
        giveBack: (reason) => {
          if (!caller || (reason === 'bug' && !refunds.allow(caller.subject, edge.clock()))) return
          gate.meter.giveBack(caller.subject, gate.plans[caller.plan])
        },
        bug: bug ?? (() => undefined),
      })
    },
    { maxRequestBodySize: LARGEST, bus },
  )
  const serve = toNodeHandler({ fetch: eitherForm(handler.fetch) }, { maxRequestBodySize: LARGEST })

  async function count(caller: Caller | undefined, calls: number, base: string): Promise<void> {
    if (!caller) return
    const plan = gate.plans[caller.plan]
    for (let i = 0; i < calls; i++) {
      if (await gate.meter.take(caller.subject, plan, edge.clock())) continue
      const standing = gate.meter.peek(caller.subject, plan, edge.clock())
      const problem = overLimit(standing, caller, gate, base)
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
    const talk = request as unknown as Talk
    const { exchange } = talk
    exchange.route = '/mcp'
    if (request.path !== '/' && request.path !== '')
      throw new Problem('not-found', 'The tool server is at /mcp, without anything behind it.')
    checkOrigin(edge, request.headers, exchange.base)
    if (request.method !== 'POST') {
      throw new Problem(
        'bad-request',
        `${request.method}: wanted POST; this server holds no sessions and no streams of its own.`,
        { status: 405, headers: { Allow: 'POST' } },
      )
    }
    const caller = await callerOf(talk, request.ip ?? '')
    const plan = gate.plans[caller.plan]
    exchange.subject = caller.subject
    exchange.limit = { plan, standing: () => gate.meter.peek(caller.subject, plan, edge.clock()) }
    await gate.meter.know(caller.subject, plan, exchange.startedAt)
    response.setHeader('X-Request-Id', exchange.id)
    for (const [name, value] of Object.entries(limitHeaders(exchange))) response.setHeader(name, value)
    const { wait } = exchange.limit.standing()
    if (wait > 0 && Number.isFinite(wait)) response.setHeader('Retry-After', String(Math.ceil(wait)))
    const bug = (error: unknown) => {
      edge.note(exchange, 500, request, new Problem('internal', 'a tool failed', { cause: error }))
      return exchange.id
    }
    const signed = Object.assign(request, {
      auth: {
        token: '',
        clientId: caller.subject,
        scopes: [...caller.scopes],
        extra: {
          caller,
          base: exchange.base,
          bug,
          toolSet: toolSetOf(new URL(request.originalUrl, exchange.base).searchParams.get('tools')),
        },
      },
    })
    // What is no JSON by its own word is refused by the SDK for that.
    const json = /^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')
    let message: unknown = {}
    try {
      if (json) message = await messageOf(request, LARGEST)
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
      const key = bearer(talk, edge.till !== undefined)
      const isActive = async () => (await callerByKey(key, edge.clock(), exchange.base)) !== undefined
      try {
        streams.open(listening, response, { caller: caller.subject, allowed: plan.streams ?? 0, isActive })
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error
        response.json(errorMessage(listening.id, error))
        return
      }
    }
    inWork.take(message, caller.subject, response)
    await serve(signed as never, response as never, message)
  }
  return Object.assign(handle, {
    close() {
      streams.close()
      subscriptions.close()
    },
  })

  async function callerByKey(key: string, now: number, base: string): Promise<Caller | undefined> {
    return (await gate.ring.find(key, now)) ?? (await tokenCaller?.(key, `${base}/mcp`))
  }

  async function callerOf(talk: Talk, address: string): Promise<Caller> {
    const { exchange } = talk
    const now = exchange.startedAt
    const resource = { metadata: `${exchange.base}/.well-known/oauth-protected-resource/mcp`, scope: SCOPE }
    exchange.limit = { plan: strangers, standing: () => gate.addresses.peek(address, strangers, now) }
    try {
      const key = bearer(talk, edge.till !== undefined)
      const caller = await callerByKey(key, now, exchange.base)
      if (!caller)
        throw unknownKey('The credentials are not valid: unknown, revoked, expired, or meant for another resource.')
      admit(caller, { scope: SCOPE } as Route, gate, exchange.base)
      return caller
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      stranger(gate, address, now, exchange.base)
      // Also who is known but lacks the scope learns where to get it (a client steps up by this).
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

/** A browser of a site that is not ours, or a name that was bent to this machine, is refused before anything is read. */
function checkOrigin(edge: Edge, headers: { origin?: string; host?: string }, base: string): void {
  const { origin, host = '' } = headers
  const loopback = (name: string) => /^(localhost|127(\.\d+){3}|\[::1\])$/i.test(name)
  const named = host.replace(/:\d+$/, '')
  const own = edge.publicUrl ? new URL(edge.publicUrl).host : undefined
  if (!loopback(named) && host !== own) {
    throw new Problem(
      'forbidden',
      `Host: wanted a loopback name${own ? ` or ${own}` : ''}, got "${host.slice(0, 80)}". Set PUBLIC_URL to the address that people use.`,
    )
  }
  if (origin === undefined) return
  const allowed =
    edge.allowedOrigins.includes(origin) ||
    origin === base ||
    (URL.canParse(origin) && loopback(new URL(origin).hostname))
  if (!allowed)
    throw new Problem('forbidden', `Origin: "${origin.slice(0, 80)}" is neither loopback nor named in ALLOWED_ORIGINS.`)
}
