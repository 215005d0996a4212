import { DAY, MINUTE } from '../../ingest/domain/time.ts'
import { Broken, Checks } from './checks.ts'
import { ALERT_LAG_MS } from './truth.ts'
import { settle, type VirtualTime } from './virtual-time.ts'
import { World } from './world.ts'

export interface Simulation {
  readonly seed: number
  readonly days: number
  /** Number of the step after which the simulation ends, even if days are left. */
  readonly steps: number
  /** Name of a promise that the simulation breaks itself, so that tests see it found. */
  readonly sabotage: string | undefined
  readonly time: VirtualTime
  readonly random: () => number
  elapsedSeconds(): number
  readonly limitSeconds: number
}

const environment = process.env

/** Interval of polls between two checks, ms. */
const STRETCH_MS = 60_000
/** Each poll runs this many times before a check, within this time each: what one poll brings is read by the next. */
const POLLS = 2
const POLLED_MS = 6000

/** Runs days until the limit, and ends the process with status 1 at the first broken promise. */
export async function simulate(simulation: Simulation): Promise<never> {
  const { seed, days, steps, sabotage, time, elapsedSeconds, limitSeconds } = simulation
  const world = new World(seed, time)
  await world.open()
  const checks = new Checks(world)
  time.install(simulation.random)
  await settle()
  time.stretch(STRETCH_MS)
  await checks.open()
  const start = time.now()
  let step = 0
  let day = 1
  let isOver = false
  try {
    world.supervise()
    for (; day <= days; day++) {
      for (const end = start + day * DAY; time.now() < end; step++) {
        await time.advance(world.random.integer(10, 30) * MINUTE - POLLS * POLLED_MS)
        disturb(world, checks)
        for (let i = 0; i < POLLS; i++) {
          time.hasten()
          await time.advance(POLLED_MS)
        }
        await sabotaged(sabotage, world, step)
        await checks.check()
        if (environment['SIMULATION_STEPS']) console.log(stateOf(simulation, world, step))
        isOver = elapsedSeconds() > limitSeconds || step >= steps
        if (isOver) break
      }
      const sizes = await checks.checkSizes(day)
      console.log(
        `day ${day}: ${stateOf(simulation, world, step)}, ${sizes['objects']} objects, ${mega(sizes['object bytes'] ?? 0)} MB of objects`,
      )
      if (isOver) break
    }
  } catch (error) {
    const at = new Date(time.now()).toISOString().slice(0, 19)
    console.log(
      `\nBROKEN seed ${seed} day ${day} step ${step} at ${at}Z\n${error instanceof Broken ? error.message : (error as Error).stack}`,
    )
    console.log(`replay: SIMULATION_SEED=${seed} SIMULATION_DAYS=${day} npx vitest run test/simulation`)
    console.log(world.notes.slice(-Number(environment['SIMULATION_NOTES'] ?? 25)).join('\n'))
    const question = environment['SIMULATION_SQL']
    if (question) console.log(JSON.stringify((await world.postgres.run(question)).rows, undefined, 1))
    summary(world, checks)
    process.exit(1)
  }
  summary(world, checks)
  process.exit(0)
}

/** One line about the work so far. */
function stateOf({ time, elapsedSeconds }: Simulation, world: World, step: number): string {
  const { user } = process.cpuUsage()
  const at = new Date(time.now()).toISOString().slice(0, 16)
  const work = `${time.fired} timers, ${world.postgres.statements} statements, ${world.network.requests} requests`
  return `step ${step} at ${at}Z, ${elapsedSeconds().toFixed(0)} s (${mega(user)} s of a processor), ${work}, ${mega(process.memoryUsage().heapUsed)} MB of heap`
}

const mega = (n: number) => (n / 1e6).toFixed(1)

/** Faults of the machine itself: restarts and jumps of the clock. */
function disturb(world: World, checks: Checks): void {
  const { random, time } = world
  if (random.next() < 0.01) {
    const ms = random.between(-90_000, 5 * MINUTE)
    time.jump(ms)
    world.faults.count(ms < 0 ? 'clock: set back' : 'clock: set forward')
    world.note(`the clock jumps by ${Math.round(ms / 1000)} s`)
    checks.excusedUntil = Math.max(checks.excusedUntil, time.now() + ALERT_LAG_MS + Math.max(0, -ms))
  }
}

/** Breaks a promise on purpose. */
async function sabotaged(name: string | undefined, world: World, step: number): Promise<void> {
  if (step < 2) return
  if (name === 'alerts') world.api?.answers?.live.alerts.index.clear()
}

function summary(world: World, checks: Checks): void {
  const list = (counts: ReadonlyMap<string, number>) =>
    [...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, count]) => `  ${String(count).padStart(8)}  ${name}`)
      .join('\n')
  console.log(
    `faults\n${list(world.faults.counts)}\nchecks\n${list(checks.counts)}\nreports of the processes\n${list(world.reports)}`,
  )
}
