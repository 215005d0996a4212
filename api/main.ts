import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { pino } from 'pino'
import type { Registry } from 'prom-client'
import { type Config, takes } from '../ingest/config.ts'
import type { Database } from '../ingest/ports/database.ts'
import { openDatabase } from '../ingest/ports/database-open.ts'
import type { Events } from '../ingest/ports/events.ts'
import { openEvents } from '../ingest/ports/events-open.ts'
import { measurePorts } from '../ingest/ports/measure.ts'
import type { Objects } from '../ingest/ports/objects.ts'
import { openObjects } from '../ingest/ports/objects-open.ts'
import { withReadTimeout } from '../ingest/ports/objects-timeout.ts'
import { openTraces, tracing } from '../ingest/ports/trace.ts'
import { openAnswers } from './answer/open.ts'
import { createApp } from './http/app.ts'
import type { HttpDeps } from './http/deps.ts'
import { type Exchange, RequestIds } from './http/exchange.ts'
import { listen } from './http/listen.ts'
import { watchLoad } from './http/load-shedding.ts'
import { createMetrics } from './http/metrics.ts'
import { readiness } from './http/readiness.ts'
import { traceRequests } from './http/tracing.ts'
import { openPayments } from './http/x402.ts'
import { ticketOf } from './keys/issue.ts'
import { AddressMeter, type Meter, OwnMeter, SharedMeter } from './keys/meter.ts'
import { plans } from './keys/plan.ts'
import { KeyRing } from './keys/ring.ts'
import { measureAlerts } from './live/alert-metrics.ts'
import { measureNowcast } from './live/nowcast-metrics.ts'
import type { Current } from './live/served-runs.ts'
import { lateFrames, openServiceStatus } from './live/service-status.ts'
import type { NormalsReader } from './live/source.ts'
import { measureAvailability, measureLateness } from './live/status-metrics.ts'
import { tokenCaller } from './mcp/protocol/token.ts'
import { mcpHandler, preloadProtocol } from './mcp/server/http.ts'
import { problemPage } from './pages/problem.ts'
import { openMapPainter } from './picture/map-painter.ts'
import { preloadTables } from './present/table-forms.ts'
import type { Problem } from './problem.ts'
import { readPlaces } from './query/location.ts'
import { eventStreams } from './routes/events.ts'
import { routesOf } from './routes/index.ts'
import { openWeb, type Web } from './sign-in/client-document.ts'
import { developerPages } from './sign-in/developer.ts'
import { serverMetadata } from './sign-in/endpoints.ts'
import { outsideIdentity, ownIdentity } from './sign-in/identity.ts'
import { openIssuer } from './sign-in/issuer.ts'
import { openMail } from './sign-in/mail.ts'
import { signIn } from './sign-in/routes.ts'
import { fanOut } from './webhooks/fan-out.ts'
import { type OnsetDeps, onsetWatch } from './webhooks/onset-watch.ts'
import { startWebhookSender } from './webhooks/sender.ts'

/** Open ports of a process that runs worker and API together. */
export interface SharedPorts {
  readonly database: Database
  readonly objects: Objects
  readonly events: Events
  /** No other process serves this database: calls are counted in memory. */
  readonly onlyInterface?: boolean
  /** Metrics registry of the process. */
  readonly registry?: Registry
  /** Served runs, where another part of the process watches them already. */
  readonly current?: Current
  /** Fetches documents of sign-in clients; unset: from the internet. */
  readonly web?: Web
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }

/** Loads what requests would load at its first use, when it would block others for 30 to 300 ms. */
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
  /** Resolves when what later requests need was read ahead, some seconds after the start. */
  readonly settled: Promise<void>
  /** Makes the OpenAPI document, which blocks the thread for 0.2 s, before it is asked for. */
  describe(): void
  /** Ends without losing a request in work; shared ports stay open. */
  close(): Promise<void>
}

/**
 * Starts the API. Opens the ports that are not shared, and closes what it opened.
 * @param normals reads station normals that are not stored yet
 */
export async function startApi(config: Config, given?: SharedPorts, normals?: NormalsReader): Promise<RunningApi> {
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: false }))
  const opened: { close(): Promise<void> }[] = []
  const keep = <T extends { close(): Promise<void> }>(resource: T): T => {
    opened.push(resource)
    return resource
  }
  const traces = await openTraces(config.otlpEndpoint, 'hexcast-api')
  const traced = tracing() ? traceRequests() : undefined
  const database = given?.database ?? keep(await openDatabase(config, { name: 'api', statementTimeoutMs: 10_000 }))
  const store = given?.objects ?? keep(await openObjects(config))
  // A remote store may hang, a folder does not.
  const objects = config.objects.kind === 's3' ? withReadTimeout(store) : store
  const events = given?.events ?? keep(await openEvents(config, database))
  const clock = Date.now
  const troubled = (what: string) => (error: unknown) =>
    log.warn({ what, error: String((error as Error)?.message) }, 'trouble')

  const metrics = createMetrics(given?.registry)
  measurePorts(metrics.registry, { database, objects, events }, clock)
  const ring = new KeyRing(database, troubled('keys: changes could not be read'))
  await ring.start()
  // The process that owns the embedded database counts alone; otherwise processes count together in the database.
  const meter: Meter =
    database.kind === 'embedded' || given?.onlyInterface
      ? new OwnMeter(database, troubled('limits: not written down'))
      : new SharedMeter(database, troubled('limits: counted alone'), clock)
  const addresses = new AddressMeter()

  const mail = await openMail(config.mailUrl, database, mailFrom(config.publicUrl))
  const issuer = config.authIssuer
    ? undefined
    : await openIssuer({
        database,
        deviceCodeSeconds: config.deviceCodeSeconds,
        troubled: troubled('sign-in'),
        web: given?.web,
        clock,
      })
  const identity = issuer ? ownIdentity(issuer, database) : await outsideIdentity(config.authIssuer!, database)

  let port = config.port
  const ownUrl = () => config.publicUrl ?? `http://localhost:${port}`
  const load = watchLoad(2000)
  const answered = Promise.withResolvers<void>()
  const http: HttpDeps = {
    auth: {
      ring,
      meter,
      addresses,
      plans: plans(config.trialCalls),
      claim: (caller, base) => `${base}/auth/claim#${ticketOf(caller.prefix, ring.hashOf(caller))}`,
    },
    payments: config.payPerCall && openPayments(config.payPerCall, database),
    publicUrl: config.publicUrl,
    ownUrl,
    allowedOrigins: config.allowedOrigins,
    corsOrigins: config.corsOrigins,
    clock,
    ids: new RequestIds(),
    load,
    authEndpoints: identity.places,
    problemPage,
    note: (exchange, status, request, problem) => {
      if (problem) return log.error(failure(exchange, problem), 'failure')
      if (status < 400) answered.resolve()
      const seconds = (performance.now() - exchange.startedTicks) / 1000
      const { route = 'none', cached } = exchange
      metrics.count({ route, method: request.method ?? '', status, seconds, cached })
      if (log.isLevelEnabled('info'))
        log.info(line(exchange, status, request, seconds, traced?.idOf(request)), 'request')
    },
  }
  const answers = await openAnswers({
    database,
    objects,
    events,
    clock,
    resolution: config.h3Resolution,
    feedPollSeconds: config.feedPollSeconds,
    takes: (id) => takes(config, id),
    report: troubled,
    normals,
    recorded: config.historyDays > 0,
    current: given?.current,
    onAvailable: measureAvailability(metrics.registry),
  })
  const { live, values, weather } = answers
  metrics.caches.set('answers', () => weather.cached.bytes)
  const maps = keep(openMapPainter())
  const { alerts, outlooks, radar } = live
  measureAlerts(metrics.registry, database, alerts, clock)
  measureNowcast(metrics.registry, database, clock)
  const status = openServiceStatus({ database, clock, datasets: config.datasets })
  measureLateness(metrics.registry, status)
  const onsets: OnsetDeps = {
    nowcast: live.suppliers.nowcast,
    anchorOf: (domain) => radar.newestTime('mrms-motion', domain),
    clock,
    resolution: config.h3Resolution,
    simulated: () => values.current.simulated(),
  }
  const streams = await eventStreams({
    database,
    events,
    troubled: troubled('alert changes could not be read'),
    isActive: (caller) => ring.isActive(caller, clock()),
    plans: http.auth.plans,
    onsets,
  })
  const lookForOnsets = onsetWatch({ ...onsets, database })
  const receivers = { web: given?.web ?? openWeb, loopback: config.webhooksPrivate }
  const sender = startWebhookSender({
    database,
    receivers,
    version,
    fanOut: async () => {
      await lookForOnsets()
      return fanOut({ database, simulated: () => values.current.simulated(), base: ownUrl })
    },
    report: troubled('webhooks: calls could not be made'),
  })
  const ready = readiness(
    { database, objects, events },
    clock,
    () => live.notes(clock()),
    () => live.ages(clock()),
    async () => lateFrames(await status()),
  )
  const toolServer = mcpHandler({
    http,
    ...(issuer && { tokenCaller: tokenCaller(issuer, database) }),
    deps: {
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
      clock,
      version,
      note: (tool, outcome, ms) => log.debug({ tool, outcome, ms: Math.round(ms * 100) / 100 }, 'tool'),
    },
  })
  const { routes, document } = routesOf({
    metricsToken: config.metricsToken,
    metricsTokenRequired: config.publicUrl !== undefined,
    trialCalls: config.trialCalls,
    version,
    database,
    objects,
    events,
    clock,
    metrics,
    readiness: ready,
    status,
    weather,
    past: answers.past,
    values,
    live,
    radar,
    maps,
    identity,
    alerts,
    alertStream: streams.route,
    webhooks: { receivers, nudge: sender.nudge },
  })
  const app = createApp(http, routes, {
    '/mcp': toolServer,
    '/developer': developerPages({
      http,
      database,
      clock,
      mailed: config.mailUrl !== undefined,
      outsideIssuer: config.authIssuer,
    }),
    ...(issuer && {
      '/auth': signIn({
        issuer,
        database,
        mail,
        mailed: config.mailUrl !== undefined,
        clock,
        deviceCodeSeconds: config.deviceCodeSeconds,
      }),
      '/.well-known/oauth-authorization-server/auth': serverMetadata(issuer),
    }),
  })
  const listening = await listen(() => http, traced ? traced.around(app) : app, config.host, config.port)
  port = listening.port
  issuer?.at(ownUrl())
  const settled = answers.preload().catch(troubled('tables could not be read ahead'))

  return {
    url: ownUrl(),
    port,
    answered: answered.promise,
    settled,
    describe: () => void document(ownUrl()),
    async close() {
      await streams.close()
      toolServer.close()
      await sender.close()
      await listening.close()
      ring.stop()
      load.stop()
      await answers.close()
      await meter.close()
      for (const resource of opened.reverse()) await resource.close()
      await traces.close()
      log.flush()
    },
  }
}

function line(exchange: Exchange, status: number, request: IncomingMessage, seconds: number, trace?: string): object {
  return {
    id: exchange.id,
    method: request.method,
    path: exchange.instance,
    route: exchange.route,
    status,
    ms: Math.round(seconds * 1e5) / 100,
    key: exchange.subject,
    trace,
    ...exchange.log,
  }
}

function failure(exchange: Exchange, problem: Problem): object {
  const cause = problem.extra.cause
  return {
    id: exchange.id,
    path: exchange.instance,
    type: problem.slug,
    detail: problem.message,
    cause: cause instanceof Error ? `${cause.name}: ${cause.message}` : undefined,
    stack: problem.slug === 'internal' && cause instanceof Error ? cause.stack : undefined,
  }
}

/** Sender of mails: the host of PUBLIC_URL, or this machine. */
function mailFrom(publicUrl: string | undefined): string {
  return `Hexcast <no-reply@${publicUrl ? new URL(publicUrl).hostname : 'localhost'}>`
}
