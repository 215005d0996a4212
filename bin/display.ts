import { plainLine } from '../ingest/domain/plain-line.ts'
import { isoSeconds } from '../ingest/domain/time.ts'
import { messageOfError } from '../ingest/ports/log.ts'
import type { StepNote } from '../workers/activities.ts'
import type { ProgressRow } from './progress-file.ts'
import { RUN_ROWS, RunProgress } from './run-progress.ts'

/** Shows the progress of a process to an operator. */
export interface Display {
  line(text: string): void
  problem(subject: string, error: unknown): void
  readonly step: (note: StepNote) => void
  /** Shows the address of the API and, only once, the first key. */
  answers(api: { url: string; key: string | undefined }): void
  source(source: { readonly description: string; readonly simulated: boolean }): void
}

/**
 * Time during which repetitions of the same error are only counted, ms: a full disk makes every poll of every queue
 * fail.
 */
const REPEAT_MS = 60_000

/** Counts repetitions of problems, so that the same problem is shown at most once a minute. */
export class ProblemCounter {
  readonly #clock: () => number
  readonly #shown = new Map<string, { at: number; repetitions: number }>()

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** @returns the repetitions since the problem was last shown; undefined if it is not shown now */
  count(text: string): number | undefined {
    const name = withoutQueue(text)
    const last = this.#shown.get(name)
    if (last && this.#clock() - last.at < REPEAT_MS) {
      last.repetitions++
      return undefined
    }
    if (this.#shown.size > 50) this.#shown.clear()
    this.#shown.set(name, { at: this.#clock(), repetitions: 0 })
    return last?.repetitions ?? 0
  }
}

/** Removes the queue's name, so that the same error in several queues has the same message. */
function withoutQueue(message: string): string {
  const at = message.lastIndexOf(' (Queue: ')
  return at >= 0 && message.endsWith(')') ? message.slice(0, at) : message
}

/** Redraw interval of the live table, ms. */
const REDRAW_MS = 500

/** Creates a display on stderr with a line for each stage and problem. */
export function display(
  clock: () => number = Date.now,
  write: (text: string) => void = (text) => process.stderr.write(text),
  /** Whether to draw a live table of the stages in progress below the lines; by default if stderr is a terminal. */
  live = process.stderr.isTTY === true,
  /** Width of the terminal. A row that wraps would take two lines, of which only one would be erased. */
  columns: () => number = () => process.stderr.columns || 80,
  /** Called with the stages in progress after every step. */
  share: (rows: readonly ProgressRow[]) => void = () => undefined,
): Display {
  const startedAt = clock()
  const problems = new ProblemCounter(clock)
  const progress = new RunProgress(clock)
  let drawn = 0
  let drawnAt = -REDRAW_MS
  const erase = () => {
    if (drawn > 0) write(`\u001b[${drawn}A\u001b[0J`)
    drawn = 0
  }
  const draw = () => {
    if (!live) return
    const rows = progress.active().slice(0, RUN_ROWS)
    const width = columns() - 1
    const expectation = progress.expectation()
    const lines = [...(expectation ? [` ${expectation}`] : []), ...rows.map(tableRow)]
    for (const text of lines) write(`${text.slice(0, width)}\n`)
    drawn = lines.length
    drawnAt = clock()
  }
  const redraw = () => {
    if (!live || clock() - drawnAt < REDRAW_MS) return
    erase()
    draw()
  }
  const line = (text: string) => {
    erase()
    // On a terminal a line begins with the seconds since the start; in a log it begins with the time.
    const at = live ? `${((clock() - startedAt) / 1000).toFixed(1).padStart(6)} s` : isoSeconds(clock())
    write(`${at}  ${plainLine(text)}\n`)
    draw()
  }

  return {
    line,
    problem(subject, error) {
      const message = messageOfError(error)
      const text = `${subject}: ${withoutQueue(message)}`
      const repetitions = problems.count(text)
      if (repetitions === undefined) return
      line(`! ${text}${repetitions > 0 ? ` (repeated ${repetitions} times since)` : ''}`)
    },
    step(note) {
      const text = progress.line(note)
      share(progress.active())
      if (text !== undefined) line(text)
      else redraw()
    },
    source({ description, simulated }) {
      line(`source of weather: ${description}${simulated ? '; the answers are not real weather' : ''}`)
    },
    answers({ url, key }) {
      const example = `${url}/v1/weather?location=Denver,CO`
      console.log(
        `\nHexcast answers at ${url}\n\n  web page          ${url}/\n  documentation     ${url}/docs\n  API keys          ${url}/developer\n  MCP tools         ${url}/mcp`,
      )
      if (key) {
        console.log(
          `\nThe first API key, which is shown only once:\n\n  ${key}\n\nTry it:\n\n  curl -H 'Authorization: Bearer ${key}' '${example}'\n`,
        )
      } else {
        console.log(
          `\nTry it with your key ("npx hexcast keys create --name NAME" creates another):\n\n  curl -H "Authorization: Bearer $HEXCAST_KEY" '${example}'\n`,
        )
      }
    },
  }
}

/** Formats a stage in progress as a row with a progress bar. */
export function tableRow({ name, text, done, total, secondsLeft }: ProgressRow): string {
  const filled = Math.round((20 * done) / Math.max(1, total))
  const timeLeft =
    secondsLeft === undefined
      ? ''
      : `, ${secondsLeft < 100 ? `${Math.ceil(secondsLeft)} s` : `${Math.ceil(secondsLeft / 60)} min`} left`
  // The text that changes comes first, because a narrow terminal cuts the end of the row.
  const share = `${done} of ${total} files${timeLeft}`.padEnd(28)
  return ` [${'#'.repeat(filled)}${'.'.repeat(20 - filled)}] ${share} ${name} ${text.replace(/:.*/, '')}`
}
