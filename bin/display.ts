import { plainLine } from '../ingest/domain/plain-line.ts'
import { isoSeconds } from '../ingest/domain/time.ts'
import type { StepNote } from '../workers/activities.ts'
import type { ProgressRow } from './progress-file.ts'
import { RUN_ROWS, RunProgress } from './run-progress.ts'

export interface Display {
  line(text: string): void
  trouble(what: string, error: unknown): void
  readonly step: (note: StepNote) => void
  /** Our address, and the first key: shown once. */
  answers(what: { url: string; key: string | undefined }): void
  source(source: { readonly description: string; readonly simulated: boolean }): void
}

/** Milliseconds for which the same error is only counted: a full disk fails every poll of every queue. */
const quiet = 60_000

/** The queue's name is removed, so that repeated errors of several queues have the same message. */
function withoutQueue(message: string): string {
  const at = message.lastIndexOf(' (Queue: ')
  return at >= 0 && message.endsWith(')') ? message.slice(0, at) : message
}

/** Redraw interval of the live table, ms. */
const REDRAW_MS = 500

/** Progress for people, on stderr: a line for each beginning or end. */
export function display(
  clock: () => number = Date.now,
  write: (text: string) => void = (text) => process.stderr.write(text),
  /** A live table of current work below the lines: where stderr is a terminal. */
  live = process.stderr.isTTY === true,
  /** Of the terminal: a row that wraps would take two lines, of which only one is erased. */
  columns: () => number = () => process.stderr.columns || 80,
  /** Called with what is worked on, after every step. */
  share: (rows: readonly ProgressRow[]) => void = () => undefined,
): Display {
  const begun = clock()
  const troubles = new Map<string, { at: number; more: number }>()
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
    for (const row of rows) write(`${tableRow(row).slice(0, width)}\n`)
    drawn = rows.length
    drawnAt = clock()
  }
  const redraw = () => {
    if (!live || clock() - drawnAt < REDRAW_MS) return
    erase()
    draw()
  }
  const line = (text: string) => {
    erase()
    // Seconds since the start for the person who watches; times for whoever reads the log a day later.
    const at = live ? `${((clock() - begun) / 1000).toFixed(1).padStart(6)} s` : isoSeconds(clock())
    write(`${at}  ${plainLine(text)}\n`)
    draw()
  }

  return {
    line,
    trouble(what, error) {
      const message = error instanceof Error ? error.message : String(error)
      // The name of pg-boss's worker is not informative.
      const text = `${what}: ${withoutQueue(message)}`
      const before = troubles.get(text)
      if (before && clock() - before.at < quiet) return void before.more++
      if (troubles.size > 50) troubles.clear()
      troubles.set(text, { at: clock(), more: 0 })
      line(`! ${text}${before?.more ? ` (and ${before.more} times since)` : ''}`)
    },
    step(note) {
      const text = progress.line(note)
      share(progress.active())
      if (text !== undefined) line(text)
      else redraw()
    },
    source({ description, simulated }) {
      line(`weather comes from ${description}${simulated ? ': nothing that is answered here is real' : ''}`)
    },
    answers({ url, key }) {
      const place = `${url}/v1/weather?location=Denver,CO`
      console.log(
        `\nHexcast answers at ${url}\n\n  page for people   ${url}/\n  documentation     ${url}/docs\n  API keys          ${url}/developer\n  for assistants    ${url}/mcp`,
      )
      if (key) {
        console.log(
          `\nThe first key, shown once; keep it:\n\n  ${key}\n\nTry it:\n\n  curl -H 'Authorization: Bearer ${key}' '${place}'\n`,
        )
      } else {
        console.log(
          `\nTry it with your key (npx hexcast keys create --name N makes another):\n\n  curl -H "Authorization: Bearer $HEXCAST_KEY" '${place}'\n`,
        )
      }
    },
  }
}

export function tableRow({ name, text, done, total, secondsLeft }: ProgressRow): string {
  const full = Math.round((20 * done) / Math.max(1, total))
  const end =
    secondsLeft === undefined
      ? ''
      : `, ${secondsLeft < 100 ? `${Math.ceil(secondsLeft)} s` : `${Math.ceil(secondsLeft / 60)} min`} left`
  // What changes comes first: the end of a row is cut on a narrow terminal.
  const share = `${done} of ${total} files${end}`.padEnd(28)
  return ` [${'#'.repeat(full)}${'.'.repeat(20 - full)}] ${share} ${name} ${text.replace(/:.*/, '')}`
}
