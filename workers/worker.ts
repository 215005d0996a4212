import { pino } from 'pino'
import { loadConfig } from '../ingest/config.ts'
import { isFault } from '../ingest/domain/fault.ts'
import { display } from './display.ts'
import { openDoors, startWorker } from './start.ts'

/** `hexcast worker`: resolves at a signal to stop. @returns exit status */
export async function worker(): Promise<number> {
  let config: ReturnType<typeof loadConfig>
  try {
    config = loadConfig()
  } catch (error) {
    if (!isFault(error)) throw error
    console.error(`hexcast worker: ${error.message}`)
    return 2
  }
  const stopped = new Promise<string>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, () => resolve(signal))
  })
  const show = display()
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: false }))
  const doors = await openDoors(config, 'worker')
  const running = await startWorker(config, doors, show.step, (what, error) => show.trouble(what, error), log)
  show.line(`working, weather comes from ${running.source.said}`)
  show.line(`${await stopped}: finishing what is in work`)
  await running.stop()
  await doors.close()
  log.flush()
  return 0
}
