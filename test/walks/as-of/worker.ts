/**
 * Ingests what upstream has, like the workers, in a process that may be killed. Each line of stdin is a moment, and is
 * answered by "done" on stdout.
 */
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { loadConfig } from '../../../ingest/config.ts'
import type { GridDataset, RadarSiteDataset } from '../../../ingest/domain/dataset/dataset.ts'
import { isFault } from '../../../ingest/domain/fault.ts'
import { openDatabase } from '../../../ingest/ports/database/open.ts'
import { openObjects } from '../../../ingest/ports/objects/open.ts'
import { openUpstream } from '../../../ingest/ports/upstream.ts'
import { sweepFeed } from '../../../ingest/steps/feeds/sweep.ts'
import { frameSources } from '../../../ingest/steps/frames/index.ts'
import { retireFrames } from '../../../ingest/steps/frames/retire.ts'
import { sweepFrames } from '../../../ingest/steps/frames/sweep.ts'
import { newRuns } from '../../../ingest/steps/grid/new-runs.ts'
import { retireRuns } from '../../../ingest/steps/grid/retire.ts'
import { takeRun } from '../../../ingest/steps/grid/take-run.ts'
import { openPool } from '../../../ingest/steps/pool.ts'

/** A moment, as it is sent to the process. */
export interface Moment {
  readonly number: number
  /** Difference of the walk's clock from the real clock, ms. */
  readonly offset: number
}

const HISTORY_SECONDS = 48 * 3600
const FRAMES = ['mrms-precip-rate', 'mrms-precip-flag', 'mrms-reflectivity', 'nexrad-l3', 'glm']
const RADARS = ['FTG', 'TLX', 'FFC']

const [folder, resolution, mirror] = process.argv.slice(2) as [string, string, string]
const config = loadConfig({ DATA_DIR: folder, H3_RESOLUTION: resolution })
let offset = 0
const clock = () => Date.now() + offset
const database = await openDatabase({ ...config, databasePool: 1 })
const objects = await openObjects(config)
const upstream = openUpstream({ mirror, sleep: async () => {} })
const pool = openPool({ threads: 1 })
const ports = {
  ...{ upstream, objects, slabs: objects, database, pool },
  resolution: config.h3Resolution,
  cacheDir: join(folder, 'grids'),
}

async function takeRuns(): Promise<void> {
  for (const id of ['rtma', 'hrrr']) {
    const dataset = gridDatasets.find((candidate) => candidate.id === id)!
    const newest = (await newRuns(ports, dataset, clock())).filter(({ domains }) => domains.includes('conus'))
    // The newest complete run: upstream has only parts of newer runs.
    for (const { run } of newest.sort((candidate, candidate2) => candidate2.run - candidate.run))
      if (await isTaken(dataset, run)) break
    await retireRuns(ports, dataset, clock(), HISTORY_SECONDS)
  }
}

async function isTaken(dataset: GridDataset, run: number): Promise<boolean> {
  try {
    await takeRun(ports, dataset, { domains: ['conus'], run }, clock)
    return true
  } catch (error) {
    if (!isFault(error, 'NotYet')) throw error
    return false
  }
}

async function takeFrames(): Promise<void> {
  const frames = frameSources
    .filter(({ dataset }) => FRAMES.includes(dataset.id))
    .map((source) => {
      const { dataset } = source
      const limited =
        dataset.id === 'nexrad-l3' ? { ...(dataset as RadarSiteDataset), sites: { conus: RADARS } } : dataset
      return { ...source, dataset: { ...limited, domains: limited.domains.filter(({ id }) => id === 'conus') } }
    })
  await sweepFrames(ports, frames, clock())
  await retireFrames(
    ports,
    frames.map(({ dataset }) => dataset),
    clock(),
    HISTORY_SECONDS,
  )
}

async function takeFeeds(moment: number): Promise<void> {
  const due = ['nws-alerts', 'metar', ...(moment % 2 === 0 ? ['spc-outlooks', 'airnow', 'nws-texts'] : [])]
  for (const id of due)
    await sweepFeed({ database, upstream, objects, clock }, id).catch((error) => {
      if (!isFault(error)) throw error
    })
}

console.log('ready')
for await (const line of createInterface(process.stdin)) {
  const moment = JSON.parse(line) as Moment
  offset = moment.offset
  await takeFeeds(moment.number)
  await takeRuns()
  await takeFrames()
  console.log('done')
}
