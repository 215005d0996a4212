import type { DomainId } from '../../ingest/domain/domain.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { pause } from '../../ingest/domain/pacer.ts'
import { pixelOf } from '../../ingest/tile/frame.ts'
import { type Frame, openFrame, stateOfCode } from '../../ingest/tile/frame-read.ts'
import { type RunRow, storedRuns } from '../../sql/queries/runs.ts'
import { units } from '../present/units.ts'
import type { QueryContext } from './context.ts'
import { countValues } from './count-values.ts'
import { frameProducts } from './dataset.ts'
import type { PointTable, WantedValues } from './dataset-read.ts'
import { QueryError } from './error.ts'
import { quantityIn } from './variable-facts.ts'
import type { QueryPoint } from './where.ts'

/** A stored frame of a variable. */
export interface StoredFrame {
  readonly product: string
  readonly domain: DomainId
  readonly time: number
  readonly key: string
}

/**
 * Maximum number of frames that one call may open: some hours of scans every two minutes, or several days of hourly
 * totals.
 */
const MAX_FRAMES = 240
/** Number of frames that are read concurrently. */
const CONCURRENT_READS = 4

/**
 * Returns the stored frames of variables within a span, ascending. If two products have a frame of the same time, the
 * better product is used.
 */
export async function storedFrames(
  { deps }: Pick<QueryContext, 'deps'>,
  { family, variables, from, to, pins }: Pick<WantedValues, 'family' | 'variables' | 'from' | 'to' | 'pins'>,
  domains: ReadonlySet<DomainId>,
): Promise<Map<string, StoredFrame[]>> {
  const products = new Map(variables.map((name) => [name, frameProducts(family, name)]))
  const ids = [...new Set([...products.values()].flat().map(({ id }) => id))]
  const rows = new Map(ids.map((id): [string, RunRow[]] => [id, []]))
  for (const row of ids.length > 0 ? await storedRuns(deps.database, ids) : []) rows.get(row.dataset)?.push(row)
  const framesByVariable = new Map<string, StoredFrame[]>()
  let count = 0
  for (const name of variables) {
    const byTime = new Map<string, StoredFrame>()
    for (const { id } of products.get(name) ?? []) {
      for (const { domain, run, state, manifest_key, published_at } of rows.get(id) ?? []) {
        const time = run.getTime()
        const isLater = pins && published_at && published_at.getTime() > pins.at
        if (state !== 'published' || !manifest_key || isLater || time < from || time > to) continue
        if (!domains.has(domain as DomainId) || byTime.has(`${domain} ${time}`)) continue
        byTime.set(`${domain} ${time}`, { product: id, domain: domain as DomainId, time, key: manifest_key })
      }
    }
    const frames = [...byTime.values()].sort((a, b) => a.time - b.time)
    count += frames.length
    framesByVariable.set(name, frames)
  }
  if (count > MAX_FRAMES)
    throw new QueryError(
      'bad-request',
      `${count} frames of ${family.id} lie in this time span, but a call may read at most ${MAX_FRAMES}.`,
      'request fewer hours or variables.',
      { field: 'hours', allowed: MAX_FRAMES, got: count },
    )
  return framesByVariable
}

/**
 * Calls `read` for each frame, for several frames concurrently. A frame that is removed before it can be opened is
 * skipped.
 */
export async function eachFrame(
  context: Pick<QueryContext, 'deps' | 'signal'>,
  frames: readonly StoredFrame[],
  read: (frame: Frame, stored: StoredFrame) => Promise<void>,
): Promise<void> {
  for (let i = 0; i < frames.length; i += CONCURRENT_READS) {
    context.signal.throwIfAborted()
    await Promise.all(
      frames.slice(i, i + CONCURRENT_READS).map(async (stored) => {
        try {
          await read(await openFrame(context.deps.objects, stored.key), stored)
        } catch (error) {
          if (!isFault(error, 'Missing')) throw error
        }
      }),
    )
  }
}

/** Returns the value of a code in the unit of the product: 0 if radar sees nothing, undefined without coverage. */
export function valueOfCode(frame: Frame, code: number): number | undefined {
  const state = stateOfCode(code)
  return state === 'no_coverage' ? undefined : state === 'dry' ? 0 : frame.value(code)
}

export interface FrameTables {
  readonly tables: Map<number, PointTable>
  /** Newest frame by product. */
  readonly products: ReadonlyMap<string, number>
}

/** Values at points by variable and time, in the requested units. */
export async function readFrames(
  context: QueryContext,
  points: readonly QueryPoint[],
  request: WantedValues,
): Promise<FrameTables> {
  const placedPoints = points.flatMap(({ index, lat, lon, spot }) =>
    spot && lat !== null && lon !== null ? [{ index, lat, lon, domain: spot.resolved.domain }] : [],
  )
  const frames = await storedFrames(context, request, new Set(placedPoints.map(({ domain }) => domain)))
  // The frames are counted, because an hour may have up to thirty frames and the number of hours does not determine
  // their number.
  const count = [...frames.values()].reduce((sum, list) => sum + list.length, 0)
  await countValues(context, placedPoints.length * count, `${placedPoints.length} points × ${count} frames`)
  const system = units[request.units]
  const products = new Map<string, number>()
  const newest = new Map<string, number>()
  const values = new Map(
    placedPoints.map(({ index }) => [
      index,
      new Map(request.variables.map((name) => [name, new Map<number, number | null>()])),
    ]),
  )
  for (const [name, list] of frames) {
    const quantity = quantityIn(name)
    await eachFrame(context, list, async (frame, { product, domain, time }) => {
      const pixels = placedPoints
        .filter((point) => point.domain === domain)
        .map(({ index, lat, lon }) => {
          const { x, y } = pixelOf(frame.head.grid, lat, lon)
          return { index, x: Math.round(x), y: Math.round(y) }
        })
      await pause()
      const view = await frame.load(pixels.map(({ x, y }) => ({ left: x, right: x, top: y, bottom: y })))
      for (const { index, x, y } of pixels)
        values
          .get(index)
          ?.get(name)
          ?.set(time, system.show(quantity, valueOfCode(frame, view.code(x, y))))
      products.set(product, Math.max(time, products.get(product) ?? time))
      newest.set(name, Math.max(time, newest.get(name) ?? time))
    })
  }
  const tables = new Map<number, PointTable>()
  for (const { index } of placedPoints) {
    const own = values.get(index)
    if (!own) continue
    const times = [...new Set([...own.values()].flatMap((byTime) => [...byTime.keys()]))].sort((a, b) => a - b)
    tables.set(index, { times, values: own, run: undefined, runs: [], runByVariable: newest })
  }
  return { tables, products }
}
