import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Fault } from '../ingest/domain/fault.ts'
import { MINUTE, SECOND } from '../ingest/domain/time.ts'
import type { ChildReport, Command, Role } from './child-messages.ts'
import type { Display } from './display.ts'
import { answeringOptions } from './process-settings.ts'

type Ready = Extract<ChildReport, { is: 'ready' }>

/**
 * First and longest pause before a child is restarted, ms. The pause doubles each time the child ends within a minute.
 */
const RESTART_MS = { first: 500, longest: 10_000 }
/** Time after which a worker that has not stopped is killed, ms; its work can be restarted. */
const WORKER_STOP_MS = 10_000
/** After draining, the API takes at most 21 s to complete requests. */
const API_STOP_MS = 25_000

/** A child process, which is restarted if it ends before it was stopped. */
export class Supervised {
  /**
   * Resolves when the child is ready for the first time. Rejects with a Fault if the child reports that it cannot
   * start.
   */
  readonly ready: Promise<Ready>
  readonly answered: Promise<void>
  onMetrics: (id: number, text?: string) => void = () => undefined
  onPublished: () => void = () => undefined
  readonly #role: Role
  readonly #stopMs: number
  readonly #env: NodeJS.ProcessEnv
  readonly #display: Display
  readonly #ready = Promise.withResolvers<Ready>()
  readonly #answered = Promise.withResolvers<void>()
  #child: ChildProcess
  #opened = false
  #wasReady = false
  #stopping = false
  #pause = RESTART_MS.first
  #failure: string | undefined

  /** @param drainSeconds time during which the API still answers before it ends */
  constructor(role: Role, env: NodeJS.ProcessEnv, display: Display, drainSeconds = 0) {
    this.#stopMs = role === 'api' ? API_STOP_MS + drainSeconds * SECOND : WORKER_STOP_MS
    this.#role = role
    this.#env = env
    this.#display = display
    this.ready = this.#ready.promise
    this.answered = this.#answered.promise
    this.ready.catch(() => undefined)
    this.#child = this.#spawn()
  }

  /** Tells the child to open the database. */
  open(): void {
    this.#opened = true
    this.send({ do: 'open' })
  }

  /** Sends a command. @returns false if no child is running */
  send(command: Command): boolean {
    if (!this.#child.connected) return false
    this.#child.send(command, () => undefined)
    return true
  }

  async stop(): Promise<void> {
    this.#stopping = true
    const child = this.#child
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    // A child that was never opened has no work to finish.
    if (this.#opened) this.send({ do: 'stop' })
    else child.kill('SIGKILL')
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#stopMs)
    await exited
    clearTimeout(timer)
  }

  #spawn(): ChildProcess {
    const startedAt = performance.now()
    const child = fork(fileURLToPath(new URL('./child.ts', import.meta.url)), [this.#role], {
      env: this.#env,
      execArgv: [...process.execArgv, ...(this.#role === 'api' ? answeringOptions : [])],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    child.on('message', (report: ChildReport) => this.#onReport(report))
    child.on('exit', (code, signal) => void this.#ended(code, signal, performance.now() - startedAt))
    child.on('error', (error) => this.#display.problem(this.#role, error))
    return child
  }

  #onReport(report: ChildReport): void {
    if (report.is === 'ready') {
      this.#wasReady = true
      this.#ready.resolve(report)
    } else if (report.is === 'answered') this.#answered.resolve()
    else if (report.is === 'step') this.#display.step(report.note)
    else if (report.is === 'problem') this.#display.problem(report.subject, new Error(report.message))
    else if (report.is === 'published') this.onPublished()
    else if (report.is === 'metrics') this.onMetrics(report.id, report.text)
    else this.#failure = report.message
  }

  async #ended(code: number | null, signal: string | null, lifetimeMs: number): Promise<void> {
    if (this.#stopping) return
    if (!this.#wasReady && this.#failure !== undefined) {
      this.#ready.reject(new Fault('Refused', this.#failure))
      return
    }
    if (lifetimeMs > MINUTE) this.#pause = RESTART_MS.first
    this.#display.line(
      `! the ${this.#role} process ended unexpectedly (${signal ?? `status ${code}`}) and is restarted`,
    )
    await pause(this.#pause)
    this.#pause = Math.min(RESTART_MS.longest, this.#pause * 2)
    if (this.#stopping) return
    this.#child = this.#spawn()
    if (this.#opened) this.send({ do: 'open' })
  }
}
