import { join } from 'node:path'
import { startSimulatorThread } from '../../infra/simulator/main.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import { openFolder } from '../../ingest/ports/objects/folder.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openUpstream } from '../../ingest/ports/upstream.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import { newestRun, planRun } from '../../ingest/steps/grid/plan.ts'
import type { Receipt } from '../../ingest/steps/grid/receipt.ts'
import { sampleFile } from '../../ingest/steps/grid/sample.ts'
import { openPool } from '../../ingest/steps/pool.ts'

export interface WantedRuns {
  readonly dataset: string
  /** Largest lead that is used. */
  readonly maxLead: number
  /** Default: all domains of the dataset. */
  readonly domains?: readonly DomainId[]
}

/**
 * Builds tiles from the runs that the simulated upstream has at an instant, by the real steps: listing, index, ranges, GRIB2, slabs, tiles.
 */
export async function makeTiles(options: {
  readonly now: Instant
  readonly folder: string
  /** The simulator keeps every n-th point of the real grids. */
  readonly coarse: number
  readonly resolution: number
  readonly runs: readonly WantedRuns[]
  readonly report?: (line: string) => void
}): Promise<Objects> {
  const { now, folder, coarse, resolution, runs } = options
  const objects = await openFolder(join(folder, 'objects'))
  const simulator = await startSimulatorThread({ coarse, clockOffset: now - Date.now() })
  const upstream = openUpstream({ mirror: simulator.url })
  const pool = openPool({ threads: 2 })
  const ports = { upstream, slabs: objects, pool, resolution, cacheDir: join(folder, 'grids') }
  try {
    for (const { dataset: id, maxLead, domains } of runs) {
      const dataset = gridDatasets.find((candidate) => candidate.id === id)!
      for (const { id: domain } of dataset.domains) {
        if (domains && !domains.includes(domain)) continue
        try {
          const { run } = await newestRun(upstream, dataset, domain, now)
          const last = dataset.stages(run, domain).length - 1
          const plan = await planRun(upstream, dataset, run, domain, last, now, { partial: true })
          const queue = plan.files.filter(({ leadHours }) => leadHours <= maxLead)
          const receipts: Receipt[] = []
          const lane = async () => {
            for (let file = queue.shift(); file; file = queue.shift()) {
              receipts.push(...(await sampleFile(ports, dataset, run, file, [domain])))
            }
          }
          await Promise.all([lane(), lane(), lane()])
          const slabs = receipts
            .filter(({ slabs }) => slabs.length > 0)
            .sort((a, b) => a.leadHours - b.leadHours)
            .map(({ slabKey }) => slabKey)
          await buildTiles(pool, objects, objects, { dataset: id, domain, run, stage: plan.stage.name, slabs })
          options.report?.(`${id}/${domain}: ${receipts.length} files`)
        } catch (error) {
          if (!isFault(error, 'Gone') && !isFault(error, 'NotYet')) throw error
        }
      }
    }
  } finally {
    await pool.close()
    await upstream.close()
    await simulator.close()
  }
  return objects
}
