import { pino } from 'pino'
import { loadConfig } from '../ingest/config.ts'
import { isFault } from '../ingest/domain/fault.ts'
import { display } from './display.ts'
import { openDoors } from './doors.ts'
import { startWorker } from './running.ts'
import { endSoon, signalToEnd } from './signals.ts'

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
  const stopped = signalToEnd()
  const show = display()
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: false }))
  const doors = await openDoors(config, 'worker')
  const running = await startWorker(config, doors, show.step, (what, error) => show.trouble(what, error), log)
  show.line(`working, weather comes from ${running.source.said}`)
  show.line(`${await stopped}: a step that takes longer than a second is left alone`)
  await running.stop()
  await doors.close()
  log.flush()
  endSoon()
  return 0
}
