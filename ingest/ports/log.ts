import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { type Logger, pino } from 'pino'
import type { Config } from '../config.ts'
import { plainLine } from '../domain/plain-line.ts'
import { formsOfSecrets, withoutSecrets } from '../domain/redact.ts'
import { activeTraceId } from './trace.ts'
import { version } from './version.ts'

export type Log = Logger

type LogSettings = Pick<Config, 'logLevel' | 'logFormat' | 'secrets'>

/** Returns whether the log of this process goes to a terminal, where a person reads it. */
export const isOnTerminal = (): boolean => process.stderr.isTTY === true

/** Returns the format of the log: JSON lines, or plain text for people. By default only a terminal receives plain text. */
export function formatOfLog({ logFormat }: Pick<Config, 'logFormat'>): 'json' | 'text' {
  if (logFormat !== 'auto') return logFormat
  return isOnTerminal() ? 'text' : 'json'
}

/**
 * Opens the log of a process on stderr. Each line has `level`, `time`, `service`, `version`, `host`, `trace` and `msg`.
 * API keys, tokens, passwords and the secrets of the settings are removed from every line.
 * @param service hexcast-api, hexcast-worker, …
 * @param write receives the finished lines; by default they go to stderr
 */
export function openLog(service: string, settings: LogSettings, write?: (line: string) => void): Log {
  const isText = formatOfLog(settings) === 'text'
  const forms = formsOfSecrets(settings.secrets)
  // Log lines of the process itself, outside requests and workflow steps, share one trace.
  const processTrace = randomBytes(16).toString('hex')
  const stderr = write ? undefined : pino.destination({ dest: 2, sync: false })
  const put = write ?? ((line: string) => void stderr?.write(line))
  return pino(
    {
      level: settings.logLevel,
      base: { service, version, host: hostname() },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      mixin: (fields) => ('trace' in fields ? {} : { trace: activeTraceId() ?? processTrace }),
    },
    {
      write(line: string) {
        const safe = withoutSecrets(line, forms)
        put(isText ? proseOf(safe) : safe)
      },
      flush: (done?: () => void) => (stderr ? stderr.flush(done) : done?.()),
      flushSync: () => stderr?.flushSync(),
    } as pino.DestinationStream,
  )
}

/** Logs what Node would otherwise print to stderr: its warnings, and the error that ends the process. */
export function logProcessEvents(log: Log, settings: LogSettings): void {
  if (formatOfLog(settings) === 'text') return
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn({ warning: warning.name }, warning.message))
  process.on('uncaughtException', (error: unknown) => {
    log.fatal(fieldsOfError(error), 'the process ends because of an unexpected error')
    process.exit(1)
  })
}

/** Returns the message of an error, or its name if the message is empty, as in errors of Temporal's core. */
export function messageOfError(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error)
}

/** Returns the fields of a log line that describe an error. */
export function fieldsOfError(error: unknown): { error: string; stack?: string } {
  return { error: messageOfError(error), ...(error instanceof Error && { stack: error.stack }) }
}

/** Fields that the text format omits, because they are the same in every line of one terminal. */
const COMMON_FIELDS = new Set(['level', 'time', 'service', 'version', 'host', 'trace', 'msg', 'stack'])

/** Formats a JSON line as text: time, level unless it is `info`, message and fields. */
function proseOf(line: string): string {
  const fields = JSON.parse(line) as Record<string, unknown>
  const { time, level, msg = '', stack } = fields
  const entries = Object.entries(fields)
    .filter(([name]) => !COMMON_FIELDS.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
  const words = [level === 'info' ? '' : String(level), String(msg), ...entries].filter(Boolean)
  const text = `${String(time)}  ${plainLine(words.join('  '))}\n`
  return typeof stack === 'string' ? `${text}${stack}\n` : text
}
