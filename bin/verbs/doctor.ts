import { loadConfig } from '../../ingest/config.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import type { CommandLine, Verb } from '../verb.ts'
import { withKey } from './temporary-key.ts'

const MAX_POINTS = 10_000

async function runDoctor(line: CommandLine): Promise<number> {
  if (line.flag('live')) return checkUpstream()
  const points = Number(line.option('points') ?? 500)
  if (!Number.isInteger(points) || points < 1 || points > MAX_POINTS)
    throw new Fault(
      'Invalid',
      `--points must be a whole number from 1 to ${MAX_POINTS}, but is "${line.option('points')}"`,
    )
  const config = loadConfig()
  const url = (line.option('url') ?? `http://localhost:${config.port}`).replace(/\/$/, '')
  const { checkServer, reportOf } = await import('../doctor/doctor.ts')
  const requestedKey = line.option('key')
  const checked = requestedKey
    ? await checkServer(url, requestedKey, points)
    : await withKey('doctor', (key) => checkServer(url, key, points))
  for (const line of reportOf(checked)) console.log(line)
  return checked.failed === 0 && [...checked.counts.values()].every((count) => count === 0) ? 0 : 1
}

/** Prints a line for each check of the upstream; the last line has the counts. */
async function checkUpstream(): Promise<number> {
  const { withDeps } = await import('./deps.ts')
  const { liveCheck } = await import('../../ingest/steps/live-check/live-check.ts')
  return withDeps(async ({ config, upstream, simulated }) => {
    const counts = { passed: 0, warning: 0, failed: 0 }
    if (config.upstream === 'auto' && (await simulated())) {
      console.error(
        'hexcast doctor: NOAA could not be reached. Check the network, or check the simulator with UPSTREAM=simulated.',
      )
      return 1
    }
    const settings = {
      datasets: config.datasets,
      contact: config.contact,
      secondSources: config.secondSources,
      // The settings already require CONTACT for a live source unless the operator has declined with `none`.
      contactExpected: config.upstream === 'auto' && !(await simulated()),
    }
    await liveCheck(await upstream(), Date.now(), settings, ({ subject, state, detail }) => {
      counts[state]++
      console.log(`${state.padEnd(7)} ${subject}: ${detail}`)
    })
    console.log(`${counts.passed} passed, ${counts.warning} warnings, ${counts.failed} failed`)
    return counts.failed === 0 ? 0 : 1
  })
}

export const verbs: readonly Verb[] = [
  {
    name: 'doctor',
    usage: 'doctor [--points N] [--url URL] [--key KEY] | doctor --live',
    summary: 'request many points from a running server and check that no answer contradicts itself',
    help: `
  npx hexcast doctor --points 500

Asks for every section at N points of the three domains (default 500, at most ${MAX_POINTS}) and checks each answer by the rules of
docs/CONSISTENCY.md. Prints the contradictions of each rule with an example, the worst rule first. Exit status 1 where there is any.
Without --key it makes a key that it revokes at the end.

  UPSTREAM=live CONTACT=you@example.org npx hexcast doctor --live

Asks NOAA, with some 350 small requests, for everything that ingestion takes for granted: the keys and lead hours of the last three
runs of each dataset, the lines of its indexes, one message of each grid, the mirrors, the newest frame of each product, and each feed.
Prints a line for each check and what upstream has instead. Exit status 1 where a check failed.`,
    options: {
      live: { type: 'boolean' },
      points: { type: 'string' },
      url: { type: 'string' },
      key: { type: 'string' },
    },
    run: runDoctor,
  },
  {
    name: 'words',
    usage: 'words',
    summary: 'print the narratives of synthetic half days',
    help: `
Each hazard, time and system of units with the narrative that daily[].day and daily[].night carry for it: a list to be read by a person.`,
    async run() {
      const { narrativeLines } = await import('../doctor/narratives.ts')
      console.log(narrativeLines().join('\n'))
      return 0
    },
  },
]
