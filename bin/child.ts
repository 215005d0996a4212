/**
 * A child process of `hexcast start`: `node bin/child.ts api|worker`. Its parent sends messages that tell it when to
 * open and when to stop.
 */
import { flushCompileCache } from 'node:module'
import { Registry } from 'prom-client'
import { loadConfig } from '../ingest/config.ts'
import { topics } from '../ingest/domain/event.ts'
import { isFault } from '../ingest/domain/fault.ts'
import { fieldsOfError, formatOfLog, logProcessEvents, openLog } from '../ingest/ports/log.ts'
import { openPorts } from '../ingest/ports/open.ts'
import type { ChildReport, Command, Role } from './child-messages.ts'
import { joinedMetrics } from './joined-metrics.ts'
import { openDisplay } from './log-display.ts'
import { settle } from './process-settings.ts'
import { drainSecondsOf } from './signals.ts'

const role = process.argv[2] as Role
const report = (message: ChildReport) => void process.send?.(message, undefined, {}, () => undefined)
const pending = new Map<number, (text: string) => void>()
const listeners = new Map<Command['do'], (command: never) => void>()

process.on('message', (command: Command) => listeners.get(command.do)?.(command as never))
// The child ends with its parent, which owns the database. The next start restarts unfinished work.
process.on('disconnect', () => process.exit(1))
// Ctrl-C reaches the whole process group, but the parent decides when to stop.
for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined)

function on<Name extends Command['do']>(name: Name, act: (command: Extract<Command, { do: Name }>) => void): void {
  listeners.set(name, act as (command: never) => void)
}
const opened = Promise.withResolvers<void>()
const stopped = Promise.withResolvers<void>()
on('open', () => opened.resolve())
on('stop', () => stopped.resolve())
process.on('SIGTERM', () => stopped.resolve())

/**
 * Time within which the worker must answer a scrape, ms: reading its lease and its figures may take two seconds each.
 */
const WORKER_METRICS_MS = 5000

/** Returns the metrics of the API and of the worker. */
class JoinedRegistry extends Registry {
  #count = 0
  override async metrics(): Promise<string> {
    const id = ++this.#count
    // Both processes read their figures at the same time.
    const own = super.metrics()
    const workerMetrics = await new Promise<string>((resolve) => {
      const timer = setTimeout(() => resolve(''), WORKER_METRICS_MS)
      pending.set(id, (text) => {
        clearTimeout(timer)
        resolve(text)
      })
      report({ is: 'metrics', id })
    })
    pending.delete(id)
    return joinedMetrics(await own, workerMetrics)
  }
}

async function api(): Promise<void> {
  const config = loadConfig()
  // The modules that the first requests need are loaded while the parent opens the database.
  const { preload, startApi } = await import('../api/main.ts')
  await preload()
  await opened.promise
  const log = openLog('hexcast-api', config)
  const ports = await openPorts(config, 'api', undefined, log)
  logProcessEvents(log, config)
  on('read-outbox', () => ports.events.readOutbox?.())
  on('metrics-reply', ({ id, text }) => pending.get(id)?.(text))
  const { normalsReader } = await import('./normals.ts')
  const running = await startApi(
    config,
    { ...ports, registry: new JoinedRegistry(), onlyInterface: true },
    normalsReader(config),
    log,
  )

  void running.answered.then(() => report({ is: 'answered' }))
  report({ is: 'ready', url: running.url })
  settle(running.settled)
  flushCompileCache()
  await stopped.promise
  await running.drain(drainSecondsOf(config))
  await running.close()
  await ports.close()
}

async function worker(): Promise<void> {
  const config = loadConfig()
  const [{ startWorker }, { WorkerRegistry }, { openSource, SIMULATOR_COARSENESS }] = await Promise.all([
    import('../workers/start-worker.ts'),
    import('../workers/metrics.ts'),
    import('./upstream.ts'),
  ])
  await opened.promise
  const log = openLog('hexcast-worker', config)
  const ports = await openPorts(config, 'worker', undefined, log)
  for (const topic of Object.values(topics)) await ports.events.subscribe(topic.name, () => report({ is: 'published' }))
  const registry = new WorkerRegistry()
  on('metrics', ({ id }) => void registry.metrics().then((text) => report({ is: 'metrics', id, text })))
  const source = await openSource(config, SIMULATOR_COARSENESS)
  logProcessEvents(log, config)
  // On a terminal only the parent writes. Otherwise this process writes its own log, and the parent only stores the
  // progress.
  const show = formatOfLog(config) === 'json' ? openDisplay(config, log) : undefined
  const running = await startWorker(
    config,
    ports,
    source,
    (note) => {
      show?.step(note)
      report({ is: 'step', note })
    },
    (subject, error) => {
      if (show) show.problem(subject, error)
      else report({ is: 'problem', subject, message: error instanceof Error ? error.message : String(error) })
    },
    show ? log : undefined,
    registry,
    true,
    // The reader is loaded when it is first used, because it is used once an hour.
    async (request) => (await import('./forecast-reader.ts')).forecastReader(ports, config)(request),
  )
  report({ is: 'ready', source: { description: source.description, simulated: source.simulated } })
  flushCompileCache()
  void running.failure.then((error) => {
    log.fatal(fieldsOfError(error), 'the worker ends because its engine can run no more workflows')
    log.flush(() => process.exit(1))
  })
  await stopped.promise
  await running.stop()
  await ports.close()
}

try {
  await (role === 'api' ? api() : worker())
  process.exit(0)
} catch (error) {
  if (isFault(error)) report({ is: 'failed', message: error.message })
  else openLog(`hexcast-${role}`, loadConfig()).fatal(fieldsOfError(error), 'the process could not start or stop')
  // The process exits after the message has been sent.
  setTimeout(() => process.exit(1), 100)
}
