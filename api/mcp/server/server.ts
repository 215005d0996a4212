import { ProtocolError, ProtocolErrorCode, type Server, type ServerContext } from '@modelcontextprotocol/server'
import { HOUR } from '../../../ingest/domain/time.ts'
import { once } from '../../../ingest/geo/table.ts'
import { QueryError, type QueryErrorCode } from '../../dataset/error.ts'
import { isPlainText } from '../../query/printable.ts'
import { briefOutputSchema, check, inputSchema } from '../protocol/check.ts'
import type { ToolContext } from '../protocol/context.ts'
import type { McpDeps, ToolSet } from '../protocol/deps.ts'
import { errorResult, ToolError, toolErrorOf } from '../protocol/error.ts'
import { StrictServer } from '../protocol/strict-server.ts'
import type { Tool } from '../protocol/tool.ts'
import { coreTools, tools } from '../tools/index.ts'
import { instructions } from '../words/instructions.ts'
import { ICON } from './icon.ts'
import { completePrompt, getPrompt, prompts } from './prompts.ts'
import { completeResource, readResource, resources, resourceTemplates } from './resources.ts'

export const WIDGET = 'ui://weather-widget/v1/index.html'
const UI_EXTENSION = 'io.modelcontextprotocol/ui'
/** Characters of a text to complete. */
const MAX_COMPLETION_LENGTH = 200
/** Timeout of a call. */
const CALL_TIMEOUT_MS = 20_000

const whole = once(() => tools.map(describe))
const core = once(() => tools.filter(({ name }) => coreTools.has(name)).map(describe))

/** The result of `tools/list`. */
export function listed(set: ToolSet = 'all'): readonly Record<string, unknown>[] {
  return set === 'core' ? core() : whole()
}

function describe(one: Tool): Record<string, unknown> {
  return {
    name: one.name,
    title: one.title,
    description: one.description,
    inputSchema: inputSchema(one.input),
    ...(one.output && { outputSchema: briefOutputSchema(one.output) }),
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: one.openWorld ?? true,
    },
    execution: { taskSupport: 'forbidden' },
    ...(one.widget && { _meta: { ui: { resourceUri: WIDGET }, 'ui/resourceUri': WIDGET } }),
  }
}

/** A server for one request over HTTP, or one connection over stdio; it has no state between calls. */
export function createMcpServer(deps: McpDeps): Server {
  const hint = { ttlMs: HOUR, cacheScope: 'public' as const }
  const server = new StrictServer(
    {
      name: 'hexcast',
      title: 'Hexcast',
      version: deps.version,
      websiteUrl: deps.websiteUrl,
      icons: [{ src: ICON, mimeType: 'image/svg+xml', sizes: ['any'] }],
    },
    {
      instructions,
      capabilities: {
        tools: {},
        resources: deps.notifies ? { subscribe: true } : {},
        prompts: {},
        completions: {},
        extensions: { [UI_EXTENSION]: {} },
      },
      cacheHints: {
        'tools/list': hint,
        'prompts/list': hint,
        'resources/list': hint,
        'resources/templates/list': hint,
        'server/discover': hint,
      },
    },
  )
  server.setRequestHandler('tools/list', async () => ({ tools: listed(deps.toolSet) as never }))
  server.setRequestHandler('tools/call', async (request, context) => call(deps, request.params, context) as never)
  server.setRequestHandler('resources/list', async () => ({ resources }) as never)
  server.setRequestHandler('resources/templates/list', async () => ({ resourceTemplates }) as never)
  server.setRequestHandler('resources/read', async (request) => readResource(deps, request.params.uri) as never)
  const { subscriptions } = deps
  if (subscriptions) {
    server.setRequestHandler('resources/subscribe', async ({ params }) => {
      subscriptions.subscribe(params.uri)
      return {}
    })
    server.setRequestHandler('resources/unsubscribe', async ({ params }) => {
      subscriptions.unsubscribe(params.uri)
      return {}
    })
  }
  server.setRequestHandler('prompts/list', async () => ({ prompts }) as never)
  server.setRequestHandler(
    'prompts/get',
    async (request) => getPrompt(request.params.name, request.params.arguments ?? {}) as never,
  )
  server.setRequestHandler('completion/complete', async (request) => {
    const { ref, argument } = request.params
    if (argument.value.length > MAX_COMPLETION_LENGTH || !isPlainText(argument.value)) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `argument.value: wanted at most ${MAX_COMPLETION_LENGTH} characters without control characters, got ${argument.value.length}.`,
      )
    }
    try {
      await deps.count(1)
    } catch (error) {
      if (!(error instanceof QueryError)) throw error
      throw new ProtocolError(ProtocolErrorCode.InvalidRequest, error.message, { code: error.code })
    }
    const values =
      ref.type === 'ref/prompt'
        ? await completePrompt(deps, ref.name, argument)
        : completeResource(deps, ref.uri, argument)
    return { completion: { values: values.slice(0, 10), total: values.length, hasMore: values.length > 10 } }
  })
  return server
}

/** Error codes of failures on the server side: the call is refunded. */
const ours: ReadonlySet<QueryErrorCode> = new Set(['timeout', 'upstream', 'service-unavailable', 'internal'])

async function call(
  deps: McpDeps,
  params: { name: string; arguments?: unknown; task?: unknown },
  context: ServerContext,
): Promise<unknown> {
  const one = tools.find(({ name }) => name === params.name)
  if (!one) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown tool: ${String(params.name).slice(0, 80)}. tools/list names them.`,
    )
  }
  if (params.task !== undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${one.name} runs no tasks: call it without "task".`)
  const begun = performance.now()
  // AbortSignal.timeout and .any keep a timer and leave finalizers for each call, for as long as the timeout.
  const abort = new AbortController()
  const { signal } = abort
  let late = false
  const timer = setTimeout(() => {
    late = true
    abort.abort()
  }, CALL_TIMEOUT_MS)
  const disconnect = () => abort.abort()
  context.mcpReq.signal.addEventListener('abort', disconnect, { once: true })
  if (context.mcpReq.signal.aborted) disconnect()
  let outcome = 'ok'
  try {
    const input = check(one, params.arguments)
    await deps.count(1)
    let [kept, made] = [0, 0]
    const given: ToolContext = {
      now: deps.clock(),
      caller: deps.caller,
      signal,
      deps: deps.deps,
      progress: progressOf(one, context),
      count: deps.count,
      reused: (again) => void (again ? kept++ : made++),
    }
    const { structured, text, blocks = [] } = await untilAborted(one.run(input, given), signal)
    if (kept > 0 && made === 0) deps.refund('cached')
    const image = blocks.filter(({ type }) => type === 'image')
    const behind = blocks.filter(({ type }) => type !== 'image')
    return { content: [...image, { type: 'text', text }, ...behind], structuredContent: structured }
  } catch (error) {
    const known = late
      ? new ToolError(
          'timeout',
          `${one.name} took longer than ${CALL_TIMEOUT_MS / 1000} s.`,
          'ask for less (fewer points, hours or variables), or try again in a minute.',
          { retry_after_s: 60 },
        )
      : toolErrorOf(error)
    outcome = known?.code ?? 'bug'
    if (!context.mcpReq.signal.aborted && (!known || ours.has(known.code))) deps.refund(known ? 'failure' : 'bug')
    if (known) return errorResult(known)
    // No result for a caller that disconnected; protocol errors are passed on.
    if (context.mcpReq.signal.aborted || error instanceof ProtocolError) throw error
    const id = deps.bug(error)
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      `${one.name} failed by a fault of this server${id ? `; request ${id}` : ''}. Another tool may answer.`,
    )
  } finally {
    clearTimeout(timer)
    context.mcpReq.signal.removeEventListener('abort', disconnect)
    deps.note(one.name, outcome, performance.now() - begun)
  }
}

function progressOf(one: Tool, context: ServerContext): ToolContext['progress'] {
  const token = context.mcpReq._meta?.progressToken
  if (!one.progress || token === undefined) return async () => {}
  return (progress, total, message) =>
    context.mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken: token, progress, total, message },
    })
}

function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
