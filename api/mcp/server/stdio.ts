import type { Server } from '@modelcontextprotocol/server'
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Config } from '../../../ingest/config.ts'
import { takes } from '../../../ingest/domain/dataset/takes.ts'
import { openDatabase } from '../../../ingest/ports/database/open.ts'
import { openEvents } from '../../../ingest/ports/events/open.ts'
import { fieldsOfError, openLog } from '../../../ingest/ports/log.ts'
import { openObjects } from '../../../ingest/ports/objects/open.ts'
import { version } from '../../../ingest/ports/version.ts'
import { openAnswers } from '../../answer/open.ts'
import type { NormalsReader } from '../../live/source.ts'
import { openMapPainter } from '../../picture/map-painter.ts'
import type { McpDeps } from '../protocol/deps.ts'
import { AlertSubscriptions } from './alert-resource.ts'
import { errorMessage, followAll, listenRequest, MAX_PLACES_PER_SESSION } from './listen.ts'
import { createMcpServer } from './server.ts'
import { StdioLines } from './stdio-lines.ts'

/**
 * Serves the tools on stdin and stdout without a key. The process uses the database of the process that runs on the same DATA_DIR, or
 * opens its own. Only JSON-RPC is written to stdout. Resolves when stdin closes.
 */
export async function serveTools(config: Config, normals?: NormalsReader): Promise<void> {
  // stdout has the protocol, so the log goes to stderr, as JSON unless a person started the process on a terminal.
  const log = openLog('hexcast-mcp', config)
  const report = (event: string) => (error: unknown) => log.warn({ error: (error as Error).message }, event)
  const database = await openDatabase(config, { name: 'mcp' })
  const objects = await openObjects(config)
  const events = await openEvents(config, database)
  const answers = await openAnswers({
    database,
    objects,
    events,
    clock: Date.now,
    resolution: config.h3Resolution,
    feedPollSeconds: config.feedPollSeconds,
    takes: (id) => takes(config, id),
    report,
    normals,
  })
  const { weather, values, live } = answers
  const { alerts, outlooks, radar } = live
  const maps = openMapPainter()
  const deps: McpDeps = {
    deps: {
      weather,
      past: answers.past,
      usedAnswers: new WeakSet(),
      values,
      database,
      objects,
      live,
      alerts,
      outlooks,
      radar,
      maps,
    },
    caller: 'stdio',
    clock: Date.now,
    version,
    websiteUrl: config.publicUrl ?? `http://localhost:${config.port}`,
    count: async () => {},
    refund: () => {},
    note: () => {},
    bug: (error) => {
      log.error(fieldsOfError(error), 'a tool failed')
      return undefined
    },
  }
  let server: Server | undefined
  const subscriptions = new AlertSubscriptions(deps, (uri) => {
    server?.sendResourceUpdated({ uri }).catch(report('a notification could not be sent'))
  })
  const session = new StdioSubscriptions(subscriptions)
  await untilClosed(report('the transport failed'), session, (isLegacy) => {
    server = createMcpServer({ ...deps, notifies: true, ...(isLegacy && { subscriptions: session }) })
    return server
  })
  subscriptions.close()
  await maps.close()
  await answers.close()
  await events.close()
  await objects.close()
  await database.close()
}

function untilClosed(
  onerror: (error: Error) => void,
  session: StdioSubscriptions,
  create: (isLegacy: boolean) => Server,
): Promise<void> {
  return new Promise((resolve) => {
    const lines = new StdioLines(process.stdin, (answer) => void process.stdout.write(`${JSON.stringify(answer)}\n`))
    const transport = new StdioServerTransport(lines.input)
    const send = transport.send.bind(transport)
    transport.send = async (message) => {
      await send(message)
      if (!('method' in message) && 'id' in message) lines.answered(message.id)
    }
    const handle = serveStdio(({ era }) => create(era === 'legacy'), {
      onerror,
      transport,
      maxSubscriptions: MAX_PLACES_PER_SESSION,
    })
    const deliver = transport.onmessage?.bind(transport)
    // The SDK handles listen requests itself and does not pass them on, so their resources are read here.
    transport.onmessage = (message) => {
      const error = session.read(message)
      if (error) transport.send(error).catch(onerror)
      else deliver?.(message)
    }
    const end = () => void handle.close().finally(resolve)
    lines.input.once('end', end)
    lines.input.once('close', end)
  })
}

/** The subscriptions of a connection: by the URI of `resources/subscribe`, and by the id of each listen request. */
class StdioSubscriptions {
  readonly #subscriptions: AlertSubscriptions
  readonly #stops = new Map<string, () => void>()

  constructor(subscriptions: AlertSubscriptions) {
    this.#subscriptions = subscriptions
  }

  subscribe(uri: string): void {
    if (!this.#stops.has(uri)) this.#follow(uri, [uri])
  }

  unsubscribe(uri: string): void {
    this.#stop(uri)
  }

  /** Starts and ends subscriptions by the messages of revision 2026-07-28. @returns the answer to a rejected request */
  read(message: unknown): ReturnType<typeof errorMessage> | undefined {
    const { method, params } = message as { method?: unknown; params?: { requestId?: unknown } }
    if (method === 'notifications/cancelled') this.#stop(keyOf(params?.requestId))
    const request = listenRequest(message)
    if (!request) return undefined
    try {
      this.#follow(keyOf(request.id), request.uris)
      return undefined
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      return errorMessage(request.id, error)
    }
  }

  #follow(key: string, uris: readonly string[]): void {
    if (this.#stops.size >= MAX_PLACES_PER_SESSION)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `A session can have at most ${MAX_PLACES_PER_SESSION} subscriptions; end a subscription first.`,
      )
    this.#stops.set(key, followAll(this.#subscriptions, uris))
  }

  #stop(key: string): void {
    this.#stops.get(key)?.()
    this.#stops.delete(key)
  }
}

const keyOf = (id: unknown) => `request ${JSON.stringify(id)}`
