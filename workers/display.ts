import type { StepNote } from './activities.ts'
import type { Source } from './upstream.ts'

export interface Display {
  line(text: string): void
  trouble(what: string, error: unknown): void
  readonly step: (note: StepNote) => void
  /** Where we answer, and the first key: shown once. */
  answers(what: { url: string; key: string | undefined }): void
  source(source: Source): void
}

interface Bar {
  done: number
  total: number
  shown: number
}

/** Milliseconds for which the same trouble is only counted: of a full disk every look of every queue says the same. */
const quiet = 60_000

/** Progress for people, on stderr: one line whenever something begins or ends, and long steps every few seconds. */
export function display(
  clock: () => number = Date.now,
  write: (text: string) => void = (text) => process.stderr.write(text),
): Display {
  const begun = clock()
  const bars = new Map<string, Bar>()
  const last = new Map<string, Set<string>>()
  const troubles = new Map<string, { at: number; more: number }>()
  const line = (text: string) => write(`${((clock() - begun) / 1000).toFixed(1).padStart(6)} s  ${text}\n`)

  return {
    line,
    trouble(what, error) {
      const message = error instanceof Error ? error.message : String(error)
      // Which of its workers it was tells nobody anything.
      const said = `${what}: ${message.replace(/ \(Queue: .*\)$/, '')}`
      const before = troubles.get(said)
      if (before && clock() - before.at < quiet) return void before.more++
      if (troubles.size > 50) troubles.clear()
      troubles.set(said, { at: clock(), more: 0 })
      line(`! ${said}${before?.more ? ` (and ${before.more} times since)` : ''}`)
    },
    step({ step, dataset, domain, run, what, done, total }) {
      const name = [dataset, domain, run].filter(Boolean).join(' ')
      if (step === 'plan' && total !== undefined) bars.set(name, { done: 0, total, shown: clock() })
      const bar = bars.get(name)
      if (step === 'sample' && done !== undefined && bar) {
        bar.done += done
        if (bar.done < bar.total && clock() - bar.shown < 3000) return
        bar.shown = clock()
        return line(`${name}: ${picture(bar)} ${bar.done} of ${bar.total} files`)
      }
      const said = [name, step, what].filter(Boolean).join(': ')
      // What is said at every look is said once, until it changes.
      if (last.get(`${step} ${name}`)?.has(said)) return
      const known = last.get(`${step} ${name}`) ?? new Set()
      if (known.size > 50) known.clear()
      last.set(`${step} ${name}`, known.add(said))
      line(said)
    },
    source({ said, simulated }) {
      line(`weather comes from ${said}`)
      if (simulated) line('SIMULATED: nothing that is answered here is real weather')
    },
    answers({ url, key }) {
      const place = `${url}/v1/weather?location=Denver,CO`
      console.log(
        `\nHexcast answers at ${url} (a page for people is there too; the interface is described at ${url}/docs)`,
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

function picture({ done, total }: Bar): string {
  const full = Math.round((20 * done) / Math.max(1, total))
  return `[${'#'.repeat(full)}${'.'.repeat(20 - full)}]`
}
