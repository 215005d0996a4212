import { cellOf, idOfCell, loadCells } from '../../ingest/domain/cell.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { type Instant, runName } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { publishFrame } from '../../ingest/steps/frames/frame.ts'
import { buildTiles } from '../../ingest/steps/grid/build-tiles.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { type Cover, cutCover } from '../../ingest/tile/cover.ts'
import { writeFrame } from '../../ingest/tile/frame-write.ts'
import { publishRun } from '../../sql/queries/runs.ts'
import { makeSlabs } from '../tile/made-slabs.ts'

/** Stores runs and accumulations of a few cells as the steps do: tiles and frames in the object store, rows in the database. */

const CONUS = 'conus' as const
const step = 0.5
const grid = { nx: 140, ny: 60, north: 50, west: -126, dLat: step, dLon: step }

/** Returns the cells around points. */
export function coverAround(points: readonly (readonly [lat: number, lon: number])[]): Cover {
  const { ids } = loadCells(7)
  const cells = new Set<number>()
  for (const [lat, lon] of points) {
    const at = ids.indexOf(idOfCell(cellOf(lat, lon, 7)))
    for (const id of ids.slice(at - 50, at + 50)) cells.add(id)
  }
  return cutCover(
    ids.filter((id) => cells.has(id)),
    7,
  )
}

export interface Stores {
  readonly database: Database
  readonly objects: Objects
  readonly pool: Pool
}

/** A run with the same value at every cell. @param values by variable and hours after the run, canonical units; NaN: missing */
export async function storeRun(
  { database, objects, pool }: Stores,
  cover: Cover,
  dataset: string,
  run: Instant,
  values: Readonly<Record<string, Readonly<Record<number, number>>>>,
  domain: DomainId = CONUS,
  stage: { readonly name: string; readonly number: number } = { name: 'anl', number: 0 },
): Promise<void> {
  const key = `slabs/${dataset}-${domain}-${runName(run)}`
  const slabs = Object.entries(values).flatMap(([variable, byLead]) => {
    const offset = variable === 'temperature' ? 273.15 : 0
    return Object.entries(byLead).map(([lead, value]) => ({
      variable,
      time: run + Number(lead) * 3_600_000,
      quantum: 0.1,
      offset,
      codes: new Int16Array(cover.ids.length).fill(Number.isNaN(value) ? -32768 : Math.round((value - offset) * 10)),
    }))
  })
  await objects.put(key, makeSlabs({ dataset, domain, run, resolution: 7 }, cover, slabs))
  const request = { dataset, domain, run, stage: stage.name, slabs: [key] }
  const { manifestKey } = await buildTiles(pool, objects, objects, request)
  const counts = { wanted: 1, got: 1, missing: 0 }
  const { number } = stage
  const place = { dataset, domain, run: new Date(run) }
  const row = { ...place, stage: number, publishedTo: number, manifestKey, manifest: {}, ...counts }
  await publishRun(database, row, [])
}

/** An hour's accumulation (mm) or the rate of a scan (mm/h), the same everywhere east of 120° W; west of it there is no coverage. */
export async function storeAmount(
  { database, objects }: Stores,
  product: 'mrms-qpe-1h' | 'mrms-qpe-1h-pass1' | 'mrms-precip-rate',
  end: Instant,
  mm: number,
): Promise<void> {
  const subject = {
    product,
    domain: CONUS,
    validTime: end,
    grid,
    unit: 'mm',
    source: `https://qpe/${runName(end)}`,
  } as const
  const read = (take: (rows: Uint8Array) => void) => {
    const row = Buffer.alloc(grid.nx * 2)
    for (let y = 0; y < grid.ny; y++) {
      for (let x = 0; x < grid.nx; x++)
        row.writeUInt16BE(grid.west + x * grid.dLon < -120 ? 0 : 10 + Math.round(mm * 10), x * 2)
      take(row)
    }
  }
  const meaning = (sample: number) => (sample === 0 ? -1 : (sample - 10) / 10)
  const { bytes } = writeFrame(subject, { each: 2, read, meaning, values: 'amount' })
  const key = `frames/v1/${product}/${CONUS}/${runName(end)}`
  await objects.put(key, bytes)
  await publishFrame(database, product, CONUS, end, key, {}, end)
}
