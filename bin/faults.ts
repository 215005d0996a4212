import { loadConfig } from '../ingest/config.ts'
import { isOnTerminal, openLog } from '../ingest/ports/log.ts'

/** Reports why a process that serves cannot start, as prose on a terminal and otherwise as a JSON line. */
export function refuseToStart(verb: string, message: string): void {
  const text = `hexcast ${verb}: ${message}`
  if (isOnTerminal() || process.env.LOG_FORMAT === 'text') console.error(text)
  // The settings may be invalid themselves, so the defaults apply.
  else openLog(`hexcast-${verb}`, loadConfig({}), (line) => void process.stderr.write(line)).fatal(text)
}
