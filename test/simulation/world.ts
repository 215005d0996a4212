import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Answers, openAnswers } from '../../api/answer/open.ts'
import { type Config, loadConfig } from '../../ingest/config.ts'
import { takes } from '../../ingest/domain/dataset/takes.ts'
import { MINUTE, SECOND } from '../../ingest/domain/time.ts'
import { openProcess } from '../../ingest/ports/events/process.ts'
import type { EventMessage, Events } from '../../ingest/ports/events.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { quarantineOver } from '../../ingest/steps/quarantine.ts'
import { startRelay } from '../../ingest/steps/relay-outbox.ts'
import { setOrigin } from '../../sql/queries/origin.ts'
import { pointers } from '../../sql/queries/runs.ts'
import { createActivities } from '../../workers/activities/index.ts'
import { openEmbeddedEngine } from '../../workers/embedded/engine.ts'
import type { Schedule } from '../../workers/engine.ts'
import { FirstAnswers, workInOrder } from '../../workers/first-answers.ts'
import { schedules } from '../../workers/schedules.ts'
import { type Random, randomFrom } from '../random.ts'
import { DATASETS, reduceCatalog, simulatedHosts } from './catalog.ts'
import { SimulatedPostgres } from './database.ts'
import { Faults } from './faults.ts'
import { Life } from './life.ts'
import { MIRROR, Network } from './network.ts'
import { objectsOf, Store } from './objects.ts'
import { simulatedPool } from './pool.ts'
import { owner, type VirtualTime } from './virtual-time.ts'

export const RESOLUTION = 3
export const ALERTS_POLL_SECONDS = 120

/** The most calls of ports of a process until it dies: a worker lives some hours, an API half a day. */
const MAX_CALLS = { worker: 200_000, api: 100_000 }

/** Reads runs and stations at most every quarter of an hour, and every hour what does not decide about promises. */
function paced(schedule: Schedule): Schedule {
  if (schedule.id === 'sweep-feed/nws-alerts') return schedule
  const least = schedule.workflow === 'watchRuns' || schedule.id === 'sweep-feed/metar' ? 900 : 3600
  return { ...schedule, everySeconds: Math.max(schedule.everySeconds, least) }
}

/** A running process. */
interface Running {
  readonly life: Life
  /** Undefined until the process has started. */
  readonly answers?: Answers
  stop?(): Promise<void>
}

/** A worker and an API over one database, one object store and one network, with a seed. */
export class World {
  readonly time: VirtualTime
  readonly seed: number
  readonly random: Random
  readonly faults: Faults
  readonly config: Config
  readonly store = new Store()
  readonly network: Network
  readonly #folder: string
  /** Whether runs of earlier hours are read too, which is most of the work of the first day. */
  readonly hasPastRuns: boolean
  postgres!: SimulatedPostgres
  #worker: Running | undefined
  #api: Running | undefined
  #lives = 0
  /** Lines of the processes for a person who reads a failure, newest last. */
  readonly notes: string[] = []
  /** Failures that the processes reported, by text without numbers. */
  readonly reports = new Map<string, number>()
  /** A process that never dies and sees every event. */
  readonly observer = new Life('api', 0)

  constructor(seed: number, time: VirtualTime) {
    this.seed = seed
    this.time = time
    this.random = randomFrom(seed)
    this.hasPastRuns = seed % 5 === 0
    this.faults = new Faults(randomFrom(seed ^ 0x9e3779b9))
    this.#folder = mkdtempSync(join(tmpdir(), 'hexcast-simulation-'))
    this.config = loadConfig({
      DATA_DIR: this.#folder,
      DATASETS,
      H3_RESOLUTION: String(RESOLUTION),
      ALERTS_POLL_SECONDS: String(ALERTS_POLL_SECONDS),
      METAR_POLL_SECONDS: '900',
      RUNS_POLL_SECONDS: '900',
      HISTORY_DAYS: '1',
      MODEL_MIRRORS: 'off',
      LOG_LEVEL: 'silent',
    })
    reduceCatalog()
    this.network = new Network(simulatedHosts(), this.faults)
  }

  async open(): Promise<void> {
    this.postgres = await SimulatedPostgres.open()
    await this.postgres.run('select 1')
  }

  note(line: string): void {
    this.notes.push(`${new Date(this.time.now()).toISOString().slice(0, 19)} ${line}`.slice(0, 300))
    if (this.notes.length > 400) this.notes.splice(0, 200)
  }

  get worker(): Life | undefined {
    return this.#worker?.life
  }

  get api(): Running | undefined {
    return this.#api
  }

  #report(who: string, subject: string, error: unknown): void {
    const text = `${subject}: ${String((error as Error)?.message ?? error)}`
    this.note(`${who}: ${text}`)
    const name = text.replaceAll(/\d+/g, '#').slice(0, 160)
    this.reports.set(name, (this.reports.get(name) ?? 0) + 1)
  }

  #life(kind: Life['kind']): Life {
    const life = new Life(kind, ++this.#lives)
    // A process dies at one of its next calls of a port: a statement, an object, a request, a task.
    life.callsLeft = this.faults.isQuiet ? Number.POSITIVE_INFINITY : this.random.integer(500, MAX_CALLS[kind])
    life.onDeath(() => {
      this.faults.count(`${kind}: killed`)
      this.note(`${kind} ${life.number} dies`)
    })
    return life
  }

  #ports(life: Life) {
    const database = this.postgres.of(life, this.faults, 'server')
    return { database, objects: objectsOf(this.store, life, this.faults) }
  }

  /** Starts each process that does not run, some time after its death. */
  supervise(): void {
    if (!this.#worker) this.#start('worker')
    if (!this.#api) this.#start('api')
  }

  #start(kind: Life['kind']): void {
    const life = this.#life(kind)
    const running: Running = { life }
    if (kind === 'worker') this.#worker = running
    else this.#api = running
    const ended = () => {
      life.kill()
      const current = kind === 'worker' ? this.#worker : this.#api
      if (current !== running) return
      const wait = this.random.between(2 * SECOND, 8 * MINUTE)
      // The next process must not belong to the dead one.
      owner.exit(() => this.time.start(() => this.#start(kind), wait))
      if (kind === 'worker') this.#worker = { life }
      else this.#api = { life }
    }
    void life.died.then(ended)
    owner.run(life, () => {
      const start = kind === 'worker' ? this.#startWorker(life) : this.#startApi(life)
      start.then(
        (part) => Object.assign(running, part),
        (error: unknown) => {
          this.#report(kind, 'start failed', error)
          ended()
        },
      )
    })
  }

  async #startWorker(life: Life): Promise<Pick<Running, 'stop'>> {
    const { config } = this
    this.postgres.polls.supervise()
    const ports = this.#ports(life)
    const { database, objects } = ports
    const events = await openProcess(database)
    const report = (subject: string, error: unknown) => this.#report('worker', subject, error)
    await setOrigin(database, true)
    const first = new FirstAnswers(config, await pointers(database))
    const relay = startRelay({ database, events }, (error) => report('relay', error))
    const activities = createActivities({
      database,
      objects,
      slabs: objects,
      upstream: openUpstream({ mirror: MIRROR, exchange: this.network.exchangeOf(life) }),
      quarantine: quarantineOver(ports),
      pool: simulatedPool(life, this.random),
      resolution: RESOLUTION,
      cacheDir: join(config.dataDir, 'cache'),
      config,
      secondSources: config.secondSources,
      simulated: true,
      clock: Date.now,
      notify: relay.nudge,
      note: (step) => {
        first.note(step)
        this.note(`worker: ${Object.values(step).join(' ')}`)
      },
    })
    const engine = await openEmbeddedEngine({
      database,
      onlyWorker: false,
      activities,
      clock: Date.now,
      report: (workflow, id, error) => report(`${workflow} ${id}`, error),
    })
    await workInOrder(
      engine,
      schedules(config)
        .filter(({ id }) => this.hasPastRuns || !id.startsWith('past-runs/'))
        .map(paced),
      first,
      () => undefined,
      report,
    )
    return {
      async stop() {
        await engine.stop()
        await relay.stop()
        await events.close()
      },
    }
  }

  async #startApi(life: Life): Promise<Pick<Running, 'answers' | 'stop'>> {
    const ports = this.#ports(life)
    const events = await openProcess(ports.database)
    const answers = await openAnswers({
      ...ports,
      events: this.#faultyEvents(events),
      clock: Date.now,
      resolution: RESOLUTION,
      feedPollSeconds: this.config.feedPollSeconds,
      takes: (id) => takes(this.config, id),
      report: (message) => (error) => this.#report('api', message, error),
      recordsStates: () => true,
    })
    return {
      answers,
      async stop() {
        await answers.close()
        await events.close()
      },
    }
  }

  /** Events that are lost, doubled or late on their way to a reader. Every reader also polls. */
  #faultyEvents(events: Events): Events {
    return {
      ...events,
      subscribe: (topic, handler) =>
        events.subscribe(topic, async (message: EventMessage) => {
          if (this.faults.hits('event: dropped')) return
          if (this.faults.hits('event: late')) await pause(this.faults.random.between(1000, 30_000))
          await handler(message)
          if (this.faults.hits('event: doubled')) await handler(message)
        }),
    }
  }

  /** Stops a process as a termination signal does. */
  async restart(kind: Life['kind']): Promise<void> {
    const running = kind === 'worker' ? this.#worker : this.#api
    if (!running?.stop || running.life.isDead) return
    this.faults.count(`${kind}: restarted`)
    this.note(`${kind} ${running.life.number} stops`)
    const stopping = owner.run(running.life, () => running.stop?.())
    await this.time.until(Promise.race([stopping, running.life.died]), 2 * MINUTE)
    running.life.kill()
  }

  async close(): Promise<void> {
    this.#worker?.life.kill()
    this.#api?.life.kill()
    this.observer.kill()
    await this.postgres.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
