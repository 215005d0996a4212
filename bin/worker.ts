import { pino } from 'pino'
import { loadConfig } from '../ingest/config.ts'
import { isFault } from '../ingest/domain/fault.ts'
import { openPorts } from '../ingest/ports/open.ts'
import { startWorker } from '../workers/start-worker.ts'
import { display } from './display.ts'
import { exitWhenIdle, signalToEnd } from './signals.ts'
import { openSource, SIMULATOR_COARSENESS } from './upstream.ts'

/** `hexcast worker`: runs a worker and resolves after a signal to stop. @returns exit status */
export async function worker(): Promise<number> {
  let config: ReturnType<typeof loadConfig>
  try {
    config = loadConfig()
  } catch (error) {
    if (!isFault(error)) throw error
    console.error(`hexcast worker: ${error.message}`)
    return 2
  }
  const stopped = signalToEnd()
  const show = display()
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: false }))
  const deps = await openPorts(config, 'worker')
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
    // The reader is loaded at its first use, which is once an hour.
    async (request) => (await import('./forecast-reader.ts')).forecastReader(deps, config)(request),
  )
  show.line(`working; source of weather: ${running.source.description}`)
  show.line(`${await stopped}: stopping; another worker repeats steps that take longer than a second`)
  await running.stop()
  await deps.close()
  log.flush()
  exitWhenIdle()
  return 0
}
