import type { Config } from '../ingest/config.ts'
import { refs } from '../ingest/datasets/refs.ts'
import { rrfs } from '../ingest/datasets/rrfs.ts'
import { exchange } from '../ingest/ports/upstream/http.ts'
import { openUpstream } from '../ingest/ports/upstream.ts'
import type { UpstreamSource } from '../workers/start-worker.ts'

/** The simulator writes every twelfth point of the real grids, because full grids take minutes to encode. */
export const SIMULATOR_COARSENESS = 12

/** A small object that always exists, for testing whether NOAA's servers answer. */
const PROBE_URL = 'https://noaa-nbm-grib2-pds.s3.amazonaws.com/index.html'

/**
 * Opens the source that `UPSTREAM` names. `auto` tries NOAA's servers for a few seconds and falls back to the
 * simulator, which has RRFS and REFS if `DATASETS` names `rrfs` or `refs`; `live` never falls back. A URL is a mirror, which may be a simulator.
 */
export async function openSource(
  config: Pick<Config, 'upstream' | 'contact' | 'bucketMirrors' | 'datasets'>,
  coarse: number,
): Promise<UpstreamSource> {
  const { upstream: source, contact, bucketMirrors, datasets } = config
  if (source instanceof URL) {
    const simulated = await isSimulator(source)
    const description = simulated ? `the simulator at ${source.href}` : `the mirror at ${source.href}`
    const upstream = openUpstream({ mirror: source, contact, bucketMirrors })
    return { upstream, simulated, description, close: () => upstream.close() }
  }
  if (source === 'live' || (source === 'auto' && (await isReachable(PROBE_URL)))) {
    const upstream = openUpstream({ contact, bucketMirrors })
    const warning = contact ? '' : ' (CONTACT is not set: some hosts refuse requests without a contact address)'
    return { upstream, simulated: false, description: `NOAA's own servers${warning}`, close: () => upstream.close() }
  }
  const { startSimulatorThread } = await import('../infra/simulator/main.ts')
  const simulator = await startSimulatorThread({
    coarse,
    withRrfs: [rrfs, refs].some(({ id }) => datasets.includes(id)),
  })
  const upstream = openUpstream({ mirror: simulator.url, contact, bucketMirrors })
  const reason = source === 'auto' ? ', because NOAA could not be reached' : ''
  return {
    upstream,
    simulated: true,
    description: `SIMULATED weather${reason}`,
    async close() {
      await upstream.close()
      await simulator.close()
    },
  }
}

async function isReachable(url: string): Promise<boolean> {
  try {
    await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(4000) })
    return true
  } catch {
    return false
  }
}

async function isSimulator(mirror: URL): Promise<boolean> {
  const url = `${mirror.href.replace(/(?<!\/)\/+$/, '')}/_simulator`
  try {
    const { status, bytes } = await exchange('GET', url, {}, { idleMs: 4000, maxBytes: 1000 })
    return status === 200 && (JSON.parse(Buffer.from(bytes).toString()) as { simulated?: unknown }).simulated === true
  } catch {
    return false
  }
}
