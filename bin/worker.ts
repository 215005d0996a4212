import { type Config, loadConfig } from '../ingest/config.ts'
import { isFault } from '../ingest/domain/fault.ts'
import { fieldsOfError, type Log, logProcessEvents, openLog } from '../ingest/ports/log.ts'
import { openPorts } from '../ingest/ports/open.ts'
import { startWorker } from '../workers/start-worker.ts'
import type { Display } from './display.ts'
import { refuseToStart } from './faults.ts'
import { openDisplay } from './log-display.ts'
import { endEarly, exitWhenIdle, signalToEnd } from './signals.ts'
import { openSource, SIMULATOR_COARSENESS } from './upstream.ts'

/** `hexcast worker`: runs a worker and resolves after a signal to stop. @returns exit status */
export async function worker(): Promise<number> {
  let config: ReturnType<typeof loadConfig>
  try {
    config = loadConfig()
  } catch (error) {
    if (!isFault(error)) throw error
    refuseToStart('worker', error.message)
    return 2
  }
  const stopped = signalToEnd()
  const log = openLog('hexcast-worker', config)
  logProcessEvents(log, config)
  const show = openDisplay(config, log)
  const starting = start(config, log, show)
  const begun = await Promise.race([starting, stopped])
  if (typeof begun === 'string') return endEarly(log, begun, starting)
  const { deps, running } = begun
  show.line(`working; source of weather: ${running.source.description}`)
  const failure = running.failure.then((error) => ({ error }))
  const end = await Promise.race([stopped, failure])
  if (typeof end === 'object') {
    // The process ends, because the supervisor then starts a worker with a working engine. Without its engine a worker
    // would only appear to be alive.
    log.fatal(fieldsOfError(end.error), 'the worker ends because its engine can run no more workflows')
    log.flush(() => process.exit(1))
    return 1
  }
  show.line(`${end}: stopping; another worker repeats steps that take longer than a second`)
  await running.stop()
  await deps.close()
  log.flush()
  exitWhenIdle()
  return 0
}

async function start(config: Config, log: Log, show: Display) {
  const deps = await openPorts(config, 'worker', undefined, log)
  const source = await openSource(config, SIMULATOR_COARSENESS)
  const running = await startWorker(
    config,
    deps,
    source,
    show.step,
    (subject, error) => show.problem(subject, error),
    log,
    undefined,
    false,
    // The reader is loaded when it is first used, because it is used once an hour.
    async (request) => (await import('./forecast-reader.ts')).forecastReader(deps, config)(request),
  )
  return { deps, running }
}
