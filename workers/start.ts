import { flushCompileCache } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { type Config, loadConfig } from '../ingest/config.ts'
import { isFault } from '../ingest/domain/fault.ts'
import { display } from './display.ts'
import { openDoors } from './doors.ts'
import { endSoon, signalToEnd } from './signals.ts'

/** `hexcast start`: worker and interface in one process, with what is not set embedded. Resolves at a signal to stop. */
export async function start(args: readonly string[]): Promise<number> {
  const at = args.findIndex((arg) => arg === '--upstream' || arg.startsWith('--upstream='))
  const upstream = at < 0 ? undefined : (args[at].split('=')[1] ?? args[at + 1])
  let config: Config
  try {
    config = loadConfig(upstream === undefined ? process.env : { ...process.env, UPSTREAM: upstream })
  } catch (error) {
    if (!isFault(error)) throw error
    console.error(`hexcast start: ${error.message}`)
    return 2
  }
  const stopped = signalToEnd()
  const show = display()
  show.line('opening the database')
  // The database opens in a thread of its own, while this one reads modules and the tables of places.
  const waiting = Promise.withResolvers<void>()
  const opening = openDoors(config, 'start', waiting.resolve)
  await Promise.race([waiting.promise, opening])
  const [doors, { startApi }, { firstKey }, { startWorker }, { Registry }] = await Promise.all([
    opening,
    import('../api/main.ts'),
    import('../api/keys/issue.ts'),
    import('./running.ts'),
    import('prom-client'),
    import('../api/place.ts').then(({ readPlaces }) => readPlaces()),
  ])
  const registry = new Registry()
  const api = await startApi(config, { ...doors, registry })
  // Said at once: what is written down already is never shown again.
  show.answers({ url: api.url, key: await firstKey(doors.database) })
  // Whoever waited for us is answered before new work takes the processors.
  await Promise.race([api.answered, pause(500, undefined, { ref: false })])
  const worker = await startWorker(
    config,
    doors,
    show.step,
    (what, error) => show.trouble(what, error),
    undefined,
    registry,
  )
  show.source(worker.source)
  // Compiled modules are kept at an ordinary end only; a process that is killed should leave them too.
  flushCompileCache()
  const signal = await stopped
  const asked = performance.now()
  show.line(`${signal}: answering what was asked; a step that takes longer than a second is begun again next time`)
  // Requests in work want the doors alone, not the steps.
  await Promise.all([api.close(), worker.stop()])
  await doors.close()
  show.line(`ended after ${((performance.now() - asked) / 1000).toFixed(1)} s`)
  endSoon()
  return 0
}
