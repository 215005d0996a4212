import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The folder of this release. */
export const root = join(import.meta.dirname, '..', '..')

export interface StepLine {
  readonly step: string
  readonly outcome: string
  readonly dataset?: string
  readonly domains?: string
  readonly run?: string
  readonly stage?: number
  readonly lead?: number
  /** When the step ended. */
  readonly time: string
}

/** A process of Hexcast and its output. */
export class Process {
  readonly child: ChildProcess
  readonly lines: string[] = []
  readonly steps: StepLine[] = []

  constructor(
    words: readonly string[],
    env: Record<string, string | undefined>,
    program = process.execPath,
    folder = root,
  ) {
    this.child = spawn(program, words, {
      cwd: folder,
      env: env as NodeJS.ProcessEnv,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [this.child.stdout!, this.child.stderr!]) {
      createInterface({ input: stream }).on('line', (line) => {
        this.lines.push(line)
        if (!line.startsWith('{')) return
        const fields = JSON.parse(line)
        if (fields.msg === 'step') this.steps.push(fields)
      })
    }
  }

  /** Runs a verb of `hexcast`. @param folder the sources of another release, if not this one is to run it */
  static hexcast(verb: string, env: Record<string, string | undefined>, folder?: string): Process {
    return new Process(['bin/hexcast.mjs', ...verb.split(' ')], env, process.execPath, folder)
  }

  get alive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (!this.alive) return
    const exited = once(this.child, 'exit')
    this.child.kill(signal)
    await exited
  }

  async line(part: string | RegExp, seconds = 60): Promise<string> {
    const findLine = () => this.lines.find((line) => (typeof part === 'string' ? line.includes(part) : part.test(line)))
    return until(`"${part}" of the process, whose last words were ${this.lines.slice(-3).join(' | ')}`, seconds, () => {
      const line = findLine()
      if (line === undefined && !this.alive)
        throw new Error(`process ended before it printed "${part}": ${this.lines.slice(-5).join('\n')}`)
      return line
    })
  }
}

/** Polls until there is a result, by default every 100 ms. @throws Error after the given seconds, with the awaited condition */
export async function until<T>(
  what: string,
  seconds: number,
  ask: () => Promise<T | undefined | false> | T | undefined | false,
  everyMs = 100,
): Promise<T> {
  const end = performance.now() + seconds * 1000
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    if (performance.now() > end) throw new Error(`waited ${seconds} s for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
