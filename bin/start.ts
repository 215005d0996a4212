import { setTimeout as pause } from 'node:timers/promises'
import { type Config, loadConfig } from '../ingest/config.ts'
import { isFault } from '../ingest/domain/fault.ts'
import { makeDataFolder } from '../ingest/ports/data-folder.ts'
import { openDatabase } from '../ingest/ports/database/open.ts'
import { formatOfLog, logProcessEvents, openLog } from '../ingest/ports/log.ts'
import { refuseToStart } from './faults.ts'
import { openDisplay } from './log-display.ts'
import { ProgressFile } from './progress-file.ts'
import { drainSecondsOf, exitWhenIdle, signalToEnd } from './signals.ts'
import { Supervised } from './supervise.ts'
import type { CommandLine } from './verb.ts'

/**
 * `hexcast start`: runs the API and the worker in separate processes, so that answers never wait for decoding. This
 * process owns the embedded database and restarts a child process that ends. Resolves after a termination signal.
 * @returns exit status
 */
export async function start(line: CommandLine): Promise<number> {
  const upstream = line.option('upstream')
  let config: Config
  try {
    config = loadConfig(upstream === undefined ? process.env : { ...process.env, UPSTREAM: upstream })
  } catch (error) {
    if (!isFault(error)) throw error
    refuseToStart('start', error.message)
    return 2
  }
  const stopped = signalToEnd()
  const progress = new ProgressFile(config.dataDir)
  const log = openLog('hexcast-start', config)
  logProcessEvents(log, config)
  const show = openDisplay(config, log, (rows) => progress.write(rows), true)
  show.line('opening the database')
  await makeDataFolder(config.dataDir)
  const env = {
    // On a terminal the progress is shown, and not a log line for each request.
    ...(formatOfLog(config) === 'text' && { LOG_LEVEL: 'warn' }),
    ...process.env,
    ...(upstream !== undefined && { UPSTREAM: upstream }),
  }
  // The children load their modules while the database opens in its thread.
  const api = new Supervised('api', env, show, drainSecondsOf(config))
  const worker = new Supervised('worker', env, show)
  api.onMetrics = (id) => worker.send({ do: 'metrics', id }) || api.send({ do: 'metrics-reply', id, text: '' })
  worker.onMetrics = (id, text = '') => api.send({ do: 'metrics-reply', id, text })
  worker.onPublished = () => api.send({ do: 'read-outbox' })
  let database: Awaited<ReturnType<typeof openDatabase>> | undefined
  try {
    database = await openDatabase(config, { name: 'start', onlyDatabase: true })
    const { firstKey } = await import('../api/keys/issue.ts')
    api.open()
    const ready = await Promise.race([api.ready, stopped])
    if (typeof ready === 'object') {
      show.answers({ url: ready.url ?? '', key: await firstKey(database) })
      // The worker opens after the first answer, because its work would slow that answer down.
      await Promise.race([api.answered, pause(500, undefined, { ref: false })])
      worker.open()
      const { source } = (await Promise.race([worker.ready, stopped.then(() => ({ source: undefined }))])) as {
        source?: { description: string; simulated: boolean }
      }
      if (source) show.source(source)
    }
  } catch (error) {
    await Promise.all([api.stop(), worker.stop()])
    await database?.close()
    throw error
  }
  const signal = await stopped
  const signalledAt = performance.now()
  show.line(`${signal}: finishing requests; the next start repeats steps that take longer than a second`)
  await Promise.all([api.stop(), worker.stop()])
  await Promise.all([database.close(), progress.close()])
  show.line(`stopped after ${((performance.now() - signalledAt) / 1000).toFixed(1)} s`)
  exitWhenIdle()
  return 0
}
