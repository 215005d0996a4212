import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Seconds of the short form, which runs as many days as fit. */
const SECONDS = 60
const days = Number(process.env['SIMULATION_DAYS'] ?? 0)
const seed = Number(process.env['SIMULATION_SEED'] ?? 1)

interface Outcome {
  readonly status: number | null
  readonly output: string
}

/** Runs a simulation in a process of its own, because it replaces the clock of its process. */
async function simulate(...list: readonly (string | number)[]): Promise<Outcome> {
  const script = fileURLToPath(new URL('./main.ts', import.meta.url))
  const child = spawn(process.execPath, [script, ...list.map(String)], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  const status = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  return { status, output }
}

const brokenLines = (output: string) => /BROKEN[^\n]*\n[^\n]*/.exec(output)?.[0]

test(`keeps every promise over ${days || 'some'} simulated days of NOAA with faults`, {
  timeout: 7_200_000,
}, async () => {
  const { status, output } = await (days > 0 ? simulate(seed, days, 7000) : simulate(seed, 1000, SECONDS))
  console.log(output)
  expect(brokenLines(output)).toBeUndefined()
  expect(status).toBe(0)
})

test.skipIf(days > 0).each(['pointer', 'alerts'])(
  'finds a broken promise of %s, and finds it again in a replay',
  {
    timeout: 300_000,
  },
  async (promise) => {
    const [first, replay] = [await simulate(7, 3, 200, promise), await simulate(7, 3, 200, promise)]
    expect(first.status, first.output).toBe(1)
    expect(brokenLines(first.output)).toContain('BROKEN seed 7 day')
    expect(brokenLines(replay.output)).toBe(brokenLines(first.output))
  },
)
