import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApi } from '../../api/main.ts'
import { startMirror } from '../../infra/simulator/mirror.ts'
import { radarSource } from '../../infra/simulator/radar.ts'
import { frameDatasets } from '../../ingest/catalog.ts'
import { loadConfig } from '../../ingest/config.ts'
import { openPorts } from '../../ingest/ports/open.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { sweepFrames } from '../../ingest/steps/frames/sweep.ts'
import { openPool } from '../../ingest/steps/pool.ts'

/** The whole interface over the simulator's scans of the last half hour, taken as a worker takes them. */
export async function radarServer(): Promise<{ base: string; close(): Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-radar-'))
  const config = loadConfig({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' })
  const deps = await openPorts(config, 'drill')
  let now = Date.now()
  const mirror = await startMirror({ sources: [radarSource(10)], now: () => now })
  const upstream = openUpstream({ mirror: mirror.url })
  const pool = openPool({ threads: 1 })
  const wanted = frameDatasets.filter(({ id }) => ['mrms-precip-rate', 'mrms-reflectivity-surface'].includes(id))
  for (const minutes of [30, 20, 10, 0]) {
    now = Date.now() - minutes * 60_000
    await sweepFrames({ ...deps, upstream, pool }, wanted, now)
  }
  await pool.close()
  await upstream.close()
  await mirror.close()
  const api = await startApi(config, deps)
  return {
    base: `http://127.0.0.1:${api.port}`,
    async close() {
      await api.close()
      await deps.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
