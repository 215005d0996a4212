import type { Config } from '../ingest/config.ts'
import { openUpstream, type Upstream } from '../ingest/ports/upstream.ts'

export interface Source {
  readonly upstream: Upstream
  readonly simulated: boolean
  /** In words, for people. */
  readonly said: string
  close(): Promise<void>
}

/** An object that is always there, small to ask for. */
const KNOCK = 'https://noaa-nbm-grib2-pds.s3.amazonaws.com/index.html'

/**
 * Opens what `UPSTREAM` names. `auto` knocks at the real buckets for a few seconds and falls back to the simulator;
 * `live` never falls back; a mirror says itself whether it is a simulator.
 */
export async function openSource(config: Pick<Config, 'upstream' | 'contact'>, coarse: number): Promise<Source> {
  const { upstream: wanted, contact } = config
  if (wanted instanceof URL) {
    const simulated = await saysSimulated(wanted)
    const said = simulated ? `the simulator at ${wanted.href}` : `the mirror at ${wanted.href}`
    const upstream = openUpstream({ mirror: wanted, contact })
    return { upstream, simulated, said, close: () => upstream.close() }
  }
  if (wanted === 'live' || (wanted === 'auto' && (await isThere(KNOCK)))) {
    const upstream = openUpstream({ contact })
    return { upstream, simulated: false, said: "NOAA's own servers", close: () => upstream.close() }
  }
  const { startSimulatorThread } = await import('../infra/simulator/main.ts')
  const simulator = await startSimulatorThread({ coarse })
  const upstream = openUpstream({ mirror: simulator.url, contact })
  const why = wanted === 'auto' ? ', because NOAA could not be reached' : ''
  return {
    upstream,
    simulated: true,
    said: `SIMULATED weather${why}`,
    async close() {
      await upstream.close()
      await simulator.close()
    },
  }
}

async function isThere(url: string): Promise<boolean> {
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(4000) })
    return true
  } catch {
    return false
  }
}

async function saysSimulated(mirror: URL): Promise<boolean> {
  try {
    const reply = await fetch(`${mirror.href.replace(/\/+$/, '')}/_simulator`, { signal: AbortSignal.timeout(4000) })
    return reply.ok && ((await reply.json()) as { simulated?: unknown }).simulated === true
  } catch {
    return false
  }
}
