import type { Config } from '../ingest/config.ts'
import { formatOfLog, type Log, messageOfError } from '../ingest/ports/log.ts'
import { traceIdOf } from '../ingest/ports/trace.ts'
import type { StepNote } from '../workers/activities.ts'
import { type Display, display, ProblemCounter } from './display.ts'
import type { ProgressRow } from './progress-file.ts'
import { RunProgress } from './run-progress.ts'

type ProgressListener = (rows: readonly ProgressRow[]) => void

/**
 * Opens the display of a process that serves: prose, with a live table on a terminal, or JSON lines in its log.
 * @param share called with the stages in progress after every step
 * @param isParent whether the children of this process log their own steps and problems
 */
export function openDisplay(
  config: Pick<Config, 'logFormat'>,
  log: Log,
  share: ProgressListener = () => undefined,
  isParent = false,
): Display {
  if (formatOfLog(config) === 'text') return display(undefined, undefined, undefined, undefined, share)
  return logDisplay(log, share, isParent)
}

function logDisplay(log: Log, share: ProgressListener, isParent: boolean): Display {
  const progress = new RunProgress(Date.now)
  const problems = new ProblemCounter(Date.now)
  return {
    line: (text) => log.info(text),
    problem(subject, error) {
      const message = messageOfError(error)
      const repetitions = problems.count(`${subject}: ${message}`)
      if (repetitions === undefined) return
      log.warn({ subject, error: message, ...(repetitions > 0 && { repetitions }) }, 'problem')
    },
    step(note) {
      const text = progress.line(note)
      share(progress.active())
      if (text !== undefined && !isParent) log.info(fieldsOf(note), text)
    },
    source: ({ description, simulated }) => log.info({ simulated }, `source of weather: ${description}`),
    answers({ url, key }) {
      // The key is a result and not a log line, so it is printed once on stdout.
      console.log(JSON.stringify({ msg: `Hexcast answers at ${url}`, url, ...(key && { first_key: key }) }))
      log.info({ url, first_key: key ? 'on stdout' : 'none' }, `Hexcast answers at ${url}`)
    },
  }
}

/** Returns the fields of a progress message. Fields of a run are in the trace of its steps instead. */
function fieldsOf({ step, dataset, domain, run }: StepNote): object {
  const trace = dataset && domain && run ? traceIdOf(`grid-run/${dataset}/${domain}/${run}`) : undefined
  return { step, dataset, domain, run, ...(trace && { trace }) }
}
