import { setTimeout as pause } from 'node:timers/promises'
import type { Registry } from 'prom-client'
import { datasetIds } from '../ingest/catalog.ts'
import type { Config } from '../ingest/config.ts'
import { takes } from '../ingest/domain/dataset/takes.ts'
import { SECOND } from '../ingest/domain/time.ts'
import { openDatabase } from '../ingest/ports/database/open.ts'
import type { Database } from '../ingest/ports/database.ts'
import { openEvents } from '../ingest/ports/events/open.ts'
import type { Events } from '../ingest/ports/events.ts'
import { type Exporter, openExporter } from '../ingest/ports/exporter.ts'
import { type Log, openLog } from '../ingest/ports/log.ts'
import { measurePorts } from '../ingest/ports/measure.ts'
import { diskFolders, measureDisks, measureProcess } from '../ingest/ports/measure-disks.ts'
import { openObjects } from '../ingest/ports/objects/open.ts'
import { withReadTimeout } from '../ingest/ports/objects/timeout.ts'
import type { Objects } from '../ingest/ports/objects.ts'
import { openTraces, tracing } from '../ingest/ports/trace.ts'
import { version } from '../ingest/ports/version.ts'
import { holdLease, releaseLeases } from '../sql/queries/leases.ts'
import { openAnswers } from './answer/open.ts'
import { createApp } from './http/app.ts'
import { proxyCheck } from './http/client-address.ts'
import type { HttpDeps } from './http/deps.ts'
import { RequestIds } from './http/exchange.ts'
import { listensToItself } from './http/keyless.ts'
import { listen } from './http/listen.ts'
import { watchLoad } from './http/load-shedding.ts'
import { createMetrics, type Metrics } from './http/metrics.ts'
import { readiness } from './http/readiness.ts'
import { requestLog } from './http/request-log.ts'
import { traceRequests } from './http/tracing.ts'
import { openPayments } from './http/x402.ts'
import { openCallers } from './keys/callers.ts'
import { measureAlerts } from './live/alert-metrics.ts'
import { aloneFleet, type Fleet, openFleet } from './live/fleet.ts'
import type { Live } from './live/index.ts'
import { lateSources } from './live/late-sources.ts'
import { measureNowcast } from './live/nowcast-metrics.ts'
import type { Current } from './live/served-runs.ts'
import { openServiceStatus } from './live/service-status.ts'
import type { NormalsReader } from './live/source.ts'
import { measureAvailability, measureLateness, measureUpstreamChecks } from './live/status-metrics.ts'
import { tokenCaller } from './mcp/protocol/token.ts'
import { mcpHandler, preloadProtocol } from './mcp/server/http.ts'
import { problemPage } from './pages/problem.ts'
import { openMapPainter } from './picture/map-painter.ts'
import { preloadTables } from './present/table-forms.ts'
import { readPlaces } from './query/location.ts'
import { routesOf } from './routes/index.ts'
import { openChanges } from './routes/open-changes.ts'
import { openWeb, type Web } from './sign-in/client-document.ts'
import { openAccounts } from './sign-in/open.ts'

/** Open ports of a process that runs worker and API together. */
export interface SharedPorts {
  readonly database: Database
  readonly objects: Objects
  readonly events: Events
  /** Whether no other process serves this database, so that this one does what one of several does for all. */
  readonly onlyInterface?: boolean
  /** Metrics registry of the process. */
  readonly registry?: Registry
  /** Served runs, if another part of the process watches them already. */
  readonly current?: Current
  /** Network access for documents of sign-in clients; default: the internet. */
  readonly web?: Web
}

/** Loads tables that would otherwise block the thread for 30 to 300 ms at the first request that needs them. */
export async function preload(): Promise<void> {
  readPlaces()
  preloadProtocol()
  await preloadTables()
}

export interface RunningApi {
  /** `http://localhost:8080`, or PUBLIC_URL. */
  readonly url: string
  readonly port: number
  /** Resolves at the first successful response. */
  readonly answered: Promise<void>
  /** Resolves when the tables for later requests have been read, some seconds after the start. */
  readonly settled: Promise<void>
  /**
   * Makes the process not ready, so that load balancers send it no further requests, and waits. It answers every request
   * that still arrives.
   */
  drain(seconds: number): Promise<void>
  /** Shuts down without losing active requests, and ends streams; shared ports stay open. */
  close(): Promise<void>
}

/**
 * Starts the API. It opens the ports that are not shared. `close` closes every member that it opened, once and in reverse order; a member
 * that cannot be closed does not keep another one open.
 * @param normals reads station normals that are not stored yet
 * @param log the log of the process, which is flushed at the end
 */
export async function startApi(
  config: Config,
  shared?: SharedPorts,
  normals?: NormalsReader,
  log: Log = openLog('hexcast-api', config),
): Promise<RunningApi> {
  await using members = new AsyncDisposableStack()
  const base = await openBase(members, config, shared, log)
  const { clock, report, traced, ports, metrics } = base
  const { database } = ports
  const alone = database.kind === 'embedded' || shared?.onlyInterface === true
  const fleet = alone ? aloneFleet : await openFleet(database, report('this process could not join the others'))
  members.defer(() => fleet.close())
  const auth = await openCallers(members, { database, clock, fleet, trialCalls: config.trialCalls, report })
  const settings = { ...config, web: shared?.web }
  const { issuer, identity, mounts } = await openAccounts({
    ...settings,
    database,
    clock,
    onError: report('a request to the sign-in server failed'),
  })

  let port = config.port
  let isDraining = false
  const ownUrl = () => config.publicUrl ?? `http://localhost:${port}`
  const answered = Promise.withResolvers<void>()
  const load = watchLoad(2000)
  members.defer(() => load.stop())
  const { publicUrl, edgeCache, allowedOrigins, corsOrigins } = config
  const http: HttpDeps = {
    auth,
    publicUrl,
    edgeCache,
    keylessHere: listensToItself(config.host, publicUrl, config.trustedProxies),
    // With a public URL, a proxy on this machine may connect.
    isProxy: proxyCheck(config.trustedProxies, publicUrl !== undefined),
    allowedOrigins,
    corsOrigins,
    payments: config.payPerCall && openPayments(config.payPerCall, database),
    ownUrl,
    clock,
    ids: new RequestIds(),
    load,
    authEndpoints: identity.endpoints,
    problemPage,
    note: requestLog(log, metrics, (request) => traced?.idOf(request), answered.resolve),
  }
  const sources = await openSources(members, base, config, fleet, shared?.current, normals)
  const { live } = sources
  const receivers = { web: shared?.web ?? openWeb, loopback: config.webhooksPrivate }
  const changes = { ...sources, clock, auth, fleet, receivers, version, base: ownUrl, report }
  const { streams, sender } = await openChanges(members, changes)
  const tools = openTools(http, sources, log, issuer && tokenCaller(issuer, database))
  const routes = routesOf({
    ...sources,
    ...openStatus(config, ports, live, metrics, base.exports, () => isDraining),
    metricsToken: config.metricsToken,
    metricsTokenRequired: publicUrl !== undefined,
    trialCalls: config.trialCalls,
    version,
    clock,
    metrics,
    identity,
    alertStream: streams.route,
    webhooks: { receivers, nudge: sender.nudge },
  })
  const app = createApp(http, routes, { '/mcp': tools, ...mounts(http) })
  const listening = await listen(() => http, traced ? traced.around(app) : app, config.host, config.port)
  members.defer(() => listening.close())
  // The server waits for open responses, and streams do not end by themselves.
  members.defer(() => {
    streams.end()
    tools.close()
  })
  port = listening.port
  issuer?.at(ownUrl())
  const settled = sources.preload().catch(report('tables could not be preloaded'))
  const opened = members.move()
  return {
    url: ownUrl(),
    port,
    answered: answered.promise,
    settled,
    async drain(seconds) {
      isDraining = true
      listening.drain()
      await pause(seconds * SECOND)
    },
    close: () => opened.disposeAsync(),
  }
}

/** Opens the traces, ports and metrics that every part of the process uses. */
async function openBase(members: AsyncDisposableStack, config: Config, shared: SharedPorts | undefined, log: Log) {
  members.defer(() => log.flush())
  const report = (what: string) => (error: unknown) => log.warn({ error: String((error as Error)?.message) }, what)
  const clock = Date.now
  const traces = await openTraces(config.otlpEndpoint, 'hexcast-api')
  members.defer(() => traces.close())
  const traced = tracing() ? traceRequests() : undefined
  const ports = await openPorts(members, config, log, shared)
  const metrics = createMetrics(shared?.registry)
  const exporter = openExporter({
    hold: (name, holder, seconds) => holdLease(ports.database, name, holder, seconds),
    release: (holder) => releaseLeases(ports.database, holder),
  })
  members.defer(() => exporter.close())
  const { exports } = exporter
  measurePorts(metrics.registry, ports, clock, { exports, datasets: datasetIds })
  measureDisks(metrics.registry, diskFolders(config))
  measureProcess(metrics.registry, 'api')
  return { log, report, clock, traced, ports, metrics, exports }
}

/** Opens the sources of answers and pictures. */
async function openSources(
  members: AsyncDisposableStack,
  { ports, clock, report, metrics }: Awaited<ReturnType<typeof openBase>>,
  config: Config,
  fleet: Fleet,
  current?: Current,
  normals?: NormalsReader,
) {
  const answers = await openAnswers({
    ...ports,
    clock,
    resolution: config.h3Resolution,
    feedPollSeconds: config.feedPollSeconds,
    takes: (id) => takes(config, id),
    report,
    normals,
    recordsStates: config.historyDays > 0 ? () => fleet.holds('served states') : undefined,
    current,
    onAvailable: measureAvailability(metrics.registry),
  })
  members.defer(() => answers.close())
  const maps = openMapPainter()
  members.defer(() => maps.close())
  const { weather, past, values, live, preload } = answers
  const { alerts, outlooks, radar } = live
  metrics.caches.set('answers', () => weather.cached.bytes)
  return { ...ports, weather, past, values, live, alerts, outlooks, radar, maps, preload }
}

/** Opens the tool server. */
function openTools(
  http: HttpDeps,
  sources: Awaited<ReturnType<typeof openSources>>,
  log: Log,
  callerOf: ReturnType<typeof tokenCaller> | undefined,
): ReturnType<typeof mcpHandler> {
  return mcpHandler({
    http,
    ...(callerOf && { tokenCaller: callerOf }),
    deps: {
      deps: { ...sources, usedAnswers: new WeakSet() },
      clock: http.clock,
      version,
      note: (tool, outcome, ms) => log.debug({ tool, outcome, ms: Math.round(ms * 100) / 100 }, 'tool'),
    },
  })
}

type ApiPorts = Pick<SharedPorts, 'database' | 'objects' | 'events'>

/** Returns the shared ports, and opens the ports that are not shared. */
async function openPorts(
  members: AsyncDisposableStack,
  config: Config,
  log: Log,
  shared?: SharedPorts,
): Promise<ApiPorts> {
  const openOwn = <T extends { close(): Promise<void> }>(port: T): T => members.adopt(port, (opened) => opened.close())
  const database = shared?.database ?? openOwn(await openDatabase(config, { name: 'api', statementTimeoutMs: 10_000 }))
  const store = shared?.objects ?? openOwn(await openObjects(config))
  // A remote store may hang; a folder does not.
  const objects = config.objects.kind === 's3' ? withReadTimeout(store) : store
  const events = shared?.events ?? openOwn(await openEvents(config, database, log))
  return { database, objects, events }
}

/** Opens the status and readiness of the service, and the metrics of served data. */
function openStatus(
  { datasets }: Config,
  ports: ApiPorts,
  live: Live,
  { registry }: Metrics,
  exports: Exporter,
  isDraining: () => boolean,
) {
  const clock = Date.now
  const { database } = ports
  const status = openServiceStatus({ database, clock, datasets })
  measureAlerts(registry, database, live.alerts, clock, exports)
  measureNowcast(registry, database, clock, exports)
  measureLateness(registry, status, exports)
  measureUpstreamChecks(registry, database, clock, exports)
  return {
    status,
    readiness: readiness(
      ports,
      clock,
      () => live.notes(clock()),
      () => live.ages(clock()),
      async () => lateSources(await status()),
      isDraining,
    ),
  }
}
