import { ProtocolError, ProtocolErrorCode, type Server, type ServerContext } from '@modelcontextprotocol/server'
import { HOUR } from '../../../ingest/domain/time.ts'
import { once } from '../../../ingest/geo/table.ts'
import { QueryError, type QueryErrorCode } from '../../dataset/error.ts'
import { isPlainText } from '../../query/printable.ts'
import { briefOutputSchema, check, inputSchema, schemaDepths } from '../protocol/check.ts'
import type { ToolContext } from '../protocol/context.ts'
import type { McpDeps, ToolSet } from '../protocol/deps.ts'
import { errorResult, ToolError, toolErrorOf } from '../protocol/error.ts'
import { StrictServer } from '../protocol/strict-server.ts'
import type { Tool } from '../protocol/tool.ts'
import { coreTools, tools } from '../tools/index.ts'
import { instructions } from '../words/instructions.ts'
import { ICON } from './icon.ts'
import { completePrompt, getPrompt, prompts } from './prompts.ts'
import { completeResource, readResource, resources, resourceTemplates, WIDGET } from './resources.ts'

const UI_EXTENSION = 'io.modelcontextprotocol/ui'
/** Longest text to complete, characters. */
const MAX_COMPLETION_LENGTH = 200
const CALL_TIMEOUT_MS = 20_000

/** Largest size of the tools of a list as JSON, bytes: 12,000 and 3,500 tokens. Every session reads the list. */
const MAX_LIST_BYTES: Readonly<Record<ToolSet, number>> = { all: 48_000, core: 14_000 }
const allTools = once(() => fittingList(tools, MAX_LIST_BYTES.all))
const coreList = once(() =>
  fittingList(
    tools.filter(({ name }) => coreTools.has(name)),
    MAX_LIST_BYTES.core,
  ),
)

/** Returns the tools with their output schemas to the depth that fits. */
function fittingList(list: readonly Tool[], maxBytes: number): readonly ListedTool[] {
  const lists = schemaDepths.map((depth) => list.map((tool) => describe(tool, depth)))
  const fitting = lists.find((listedTools) => Buffer.byteLength(JSON.stringify({ tools: listedTools })) <= maxBytes)
  return fitting ?? lists.at(-1) ?? []
}

/** A tool as `tools/list` gives it. */
export type ListedTool = ReturnType<typeof describe>

/** Returns the tools of `tools/list`. */
export function listed(set: ToolSet = 'all'): readonly ListedTool[] {
  return set === 'core' ? coreList() : allTools()
}

function describe(tool: Tool, depth: (typeof schemaDepths)[number]) {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: inputSchema(tool.input),
    ...(tool.output && { outputSchema: briefOutputSchema(tool.output, depth) }),
    annotations: {
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: tool.openWorld ?? true,
    },
    execution: { taskSupport: 'forbidden' },
    ...(tool.widget && { _meta: { ui: { resourceUri: WIDGET }, 'ui/resourceUri': WIDGET } }),
  }
}

/** Returns a server for one request over HTTP or one connection over stdio. It has no state between calls. */
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
        `argument.value must be at most ${MAX_COMPLETION_LENGTH} characters without control characters, but has ${argument.value.length}.`,
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

/** Error codes of failures on the server side, for which a call is refunded. */
const serverSideCodes: ReadonlySet<QueryErrorCode> = new Set(['timeout', 'upstream', 'service-unavailable', 'internal'])

async function call(
  deps: McpDeps,
  params: { name: string; arguments?: unknown; task?: unknown },
  context: ServerContext,
): Promise<unknown> {
  const tool = tools.find(({ name }) => name === params.name)
  if (!tool) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `Unknown tool: ${String(params.name).slice(0, 80)}. tools/list gives the tools.`,
    )
  }
  if (params.task !== undefined)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `${tool.name} does not support tasks: call it without "task".`,
    )
  const startedAt = performance.now()
  // AbortSignal.timeout and .any would keep a timer and finalizers of each call until the timeout.
  const abort = new AbortController()
  const { signal } = abort
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    abort.abort()
  }, CALL_TIMEOUT_MS)
  const disconnect = () => abort.abort()
  context.mcpReq.signal.addEventListener('abort', disconnect, { once: true })
  if (context.mcpReq.signal.aborted) disconnect()
  let outcome = 'ok'
  try {
    const input = check(tool, params.arguments)
    await deps.count(1)
    let [reusedAnswers, newAnswers] = [0, 0]
    const toolContext: ToolContext = {
      now: deps.clock(),
      caller: deps.caller,
      signal,
      deps: deps.deps,
      progress: progressOf(tool, context),
      count: deps.count,
      reused: (isReused) => void (isReused ? reusedAnswers++ : newAnswers++),
    }
    const { structured, text, blocks = [] } = await untilAborted(tool.run(input, toolContext), signal)
    if (reusedAnswers > 0 && newAnswers === 0) deps.refund('cached')
    const images = blocks.filter(({ type }) => type === 'image')
    const tables = blocks.filter(({ type }) => type !== 'image')
    return { content: [...images, { type: 'text', text }, ...tables], structuredContent: structured }
  } catch (error) {
    const toolError = isLate
      ? new ToolError(
          'timeout',
          `${tool.name} took longer than ${CALL_TIMEOUT_MS / 1000} s.`,
          'ask for less (fewer points, hours or variables), or try again in a minute.',
          { retry_after_s: 60 },
        )
      : toolErrorOf(error)
    outcome = toolError?.code ?? 'bug'
    if (!context.mcpReq.signal.aborted && (!toolError || serverSideCodes.has(toolError.code)))
      deps.refund(toolError ? 'failure' : 'bug')
    if (toolError) return errorResult(toolError)
    // A caller that disconnected gets no result, and protocol errors are passed on.
    if (context.mcpReq.signal.aborted || error instanceof ProtocolError) throw error
    const id = deps.bug(error)
    throw new ProtocolError(
      ProtocolErrorCode.InternalError,
      `${tool.name} failed because of a bug in this server${id ? `; request ${id}` : ''}. Another tool may answer.`,
    )
  } finally {
    clearTimeout(timer)
    context.mcpReq.signal.removeEventListener('abort', disconnect)
    deps.note(tool.name, outcome, performance.now() - startedAt)
  }
}

function progressOf(tool: Tool, context: ServerContext): ToolContext['progress'] {
  const token = context.mcpReq._meta?.progressToken
  if (!tool.progress || token === undefined) return async () => {}
  return (progress, total, message) =>
    context.mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken: token, progress, total, message },
    })
}

/** Returns the result of the work. @throws the reason of the signal as soon as it is aborted */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
