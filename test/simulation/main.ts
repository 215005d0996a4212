// Runs simulated days in this process: node test/simulation/main.ts SEED DAYS [SECONDS] [BREAK]
// The clock is replaced before anything else is loaded.
import { randomFrom } from '../random.ts'
import { VirtualTime } from './virtual-time.ts'

const [seed = 1, days = 1, seconds = 3600] = process.argv.slice(2, 5).map(Number)
const sabotage = process.argv[5]
const realNow = performance.now.bind(performance)
const began = realNow()

const time = new VirtualTime(Date.UTC(2026, 0, 1) + (seed % 365) * 86_400_000)
const { simulate } = await import('./simulate.ts')
await simulate({
  seed,
  days,
  sabotage,
  time,
  random: randomFrom(seed ^ 0x51ed270b).next,
  elapsedSeconds: () => (realNow() - began) / 1000,
  limitSeconds: seconds,
})
