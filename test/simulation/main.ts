// Runs simulated days in this process: node test/simulation/main.ts SEED DAYS SECONDS STEPS [SABOTAGE]
// It ends after DAYS, SECONDS of real time or STEPS, with status 1 at the first broken promise. Environment: SIMULATION_STEPS=1 prints a line
// for each step, SIMULATION_NOTES=400 more of what the processes did before a failure, and SIMULATION_SQL=… the rows of a query at a failure.
//
// A step takes 10 to 30 minutes; the promises are checked after each, sizes after each day. A worker dies after 500 to 200,000 calls of its
// ports, an API after 500 to 100,000; a day makes some 70,000 statements. The country has a quarter of its storms, and one station of 60.
// The rates of the other faults are in faults.ts.

import { randomFrom } from '../random.ts'
import { VirtualTime } from './virtual-time.ts'

// Threads complete work in an order that follows from the load of the machine, one thread in the order of its beginning.
const env = { ...process.env, UV_THREADPOOL_SIZE: '1' }
if (process.env['UV_THREADPOOL_SIZE'] !== '1')
  process.execve?.(process.execPath, [process.execPath, ...process.execArgv, ...process.argv.slice(1)], env)

const [seed = 1, days = 1, seconds = 3600, steps = Number.POSITIVE_INFINITY] = process.argv.slice(2, 6).map(Number)
const sabotage = process.argv[6]
const realNow = performance.now.bind(performance)
const began = realNow()

const time = new VirtualTime(Date.UTC(2026, 0, 1) + (seed % 365) * 86_400_000)
const { simulate } = await import('./simulate.ts')
await simulate({
  seed,
  days,
  steps,
  sabotage,
  time,
  random: randomFrom(seed ^ 0x51ed270b).next,
  elapsedSeconds: () => (realNow() - began) / 1000,
  limitSeconds: seconds,
})
