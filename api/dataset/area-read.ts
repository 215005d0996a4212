import { cellOf } from '../../ingest/domain/cell.ts'
import { pause } from '../../ingest/domain/pacer.ts'
import { areaKm2, cellKm2, cellsInside } from '../../ingest/geo/cells-inside.ts'
import { pixelOf } from '../../ingest/tile/frame.ts'
import type { Frame } from '../../ingest/tile/frame-read.ts'
import type { OpenRun } from '../../ingest/tile/read.ts'
import { type UnitSystem, units } from '../present/units.ts'
import type { Area } from './area.ts'
import type { QueryContext } from './context.ts'
import type { RunLookup, WantedValues } from './dataset-read.ts'
import { QueryError } from './error.ts'
import { eachFrame, type StoredFrame, storedFrames, valueOfCode } from './frame-read.ts'
import { quantityIn } from './variable-facts.ts'

export interface Filter {
  readonly variable: string
  readonly op: 'lt' | 'le' | 'eq' | 'ne' | 'ge' | 'gt'
  readonly value: number
}

/** Receives the values of one native cell at one time, in the units of the dataset; NaN for a missing value. @param cell number of the cell */
export type CellVisitor = (time: number, lat: number, lon: number, values: Float64Array, cell: number) => void

/** Maximum number of cells that one call may read, in about ten seconds. Alaska has 287,000 cells. */
const MAX_READS = 300_000
/** Maximum number of pixels of frames that one call may visit. */
const MAX_PIXELS = 40_000_000

/** The runs and frames that a visit has read. */
export interface AreaRead {
  readonly runs: readonly OpenRun[]
  /** Newest run or frame by variable. */
  readonly newest: ReadonlyMap<string, number>
  /** Newest frame by product; empty for runs. */
  readonly products: ReadonlyMap<string, number>
}

/** Visits every native cell of model runs whose centre lies in the area, at every time of the span. Values are in the order of the variables. */
export async function visitRuns(
  context: QueryContext,
  lookup: RunLookup,
  area: Area,
  request: WantedValues,
  resolution: number | undefined,
  visit: CellVisitor,
): Promise<AreaRead> {
  const { resolution: native } = context.deps.values
  const [domain] = area.domains
  const runs = domain ? await lookup.runsIn(domain) : []
  const open = runs.filter((run) => request.variables.some((name) => run.variables.has(name)))
  const newest = new Map<string, number>()
  const plan = planOf(open, request, newest)
  const resolutionToRead = resolution ?? native
  const km2 = area.outlines.reduce((sum, outline) => sum + areaKm2(outline), 0)
  const used = open.filter((_, i) => plan.some(({ sources }) => sources.some((source) => source?.run === i)))
  checkReads(area, km2, resolutionToRead, used.length)
  const values = new Float64Array(request.variables.length)
  let number = 0
  for (const group of cellsInside(area.outlines, resolutionToRead)) {
    context.signal.throwIfAborted()
    for (const { cell, lat, lon } of group) {
      const nativeCell = resolutionToRead === native ? cell : cellOf(lat, lon, native)
      const series: (readonly (Float32Array | undefined)[] | undefined)[] = []
      for (const [i, run] of open.entries()) {
        const point = await run.point(nativeCell)
        series[i] = point && request.variables.map((name) => point.variables.get(name)?.values)
      }
      for (const { time, sources } of plan) {
        let hasValue = false
        for (const [v, source] of sources.entries()) {
          const value = source ? series[source.run]?.[v]?.[source.index] : undefined
          values[v] = value ?? Number.NaN
          hasValue ||= value !== undefined
        }
        if (hasValue) visit(time, lat, lon, values, number)
      }
      number++
      await pause()
    }
  }
  return { runs: used, newest, products: new Map() }
}

interface PlanStep {
  readonly time: number
  /** For each variable: the run that has a value at this time, and the index in its series. */
  readonly sources: readonly ({ readonly run: number; readonly index: number } | undefined)[]
}

/** Returns the first run that has a value, for each time and variable. */
function planOf(
  open: readonly OpenRun[],
  { variables, from, to }: WantedValues,
  newest: Map<string, number>,
): PlanStep[] {
  const steps = new Map<number, { run: number; index: number }[]>()
  for (const [run, { variables: axes, run: reference }] of open.entries())
    for (const [v, name] of variables.entries())
      for (const [index, time] of (axes.get(name)?.times ?? []).entries()) {
        if (time < from || time > to) continue
        const step = steps.get(time) ?? []
        steps.set(time, step)
        if (step[v]) continue
        step[v] = { run, index }
        newest.set(name, Math.max(reference, newest.get(name) ?? reference))
      }
  return [...steps]
    .sort(([a], [b]) => a - b)
    .map(([time, sources]) => ({ time, sources: variables.map((_, v) => sources[v]) }))
}

function checkReads(area: Area, km2: number, resolution: number, runs: number): void {
  const reads = (at: number) => Math.round((km2 / cellKm2(at)) * Math.max(1, runs))
  if (reads(resolution) <= MAX_READS) return
  let fits = resolution
  while (fits > 3 && reads(fits) > MAX_READS) fits--
  throw new QueryError(
    'bad-request',
    `${area.name} has about ${Math.round(km2 / cellKm2(resolution))} cells${runs > 1 ? ` in ${runs} runs` : ''} at resolution ${resolution}: ${reads(resolution)} reads, but at most ${MAX_READS} are allowed.`,
    `use resolution ${fits} (one native cell is then read at the centre of each coarser cell), fewer hours or a smaller area.`,
    { field: 'resolution', allowed: fits, got: resolution },
  )
}

/** Visits every pixel of frames whose centre lies in the area. */
export async function visitFrames(
  context: QueryContext,
  area: Area,
  request: WantedValues,
  visit: CellVisitor,
): Promise<AreaRead> {
  const frames = await storedFrames(context, request, new Set(area.domains))
  const newest = new Map<string, number>()
  const products = new Map<string, number>()
  const times = new Map<number, (StoredFrame | undefined)[]>()
  for (const [v, name] of request.variables.entries())
    for (const stored of frames.get(name) ?? []) {
      const row = times.get(stored.time) ?? request.variables.map(() => undefined)
      row[v] = stored
      times.set(stored.time, row)
      newest.set(name, Math.max(stored.time, newest.get(name) ?? stored.time))
      products.set(stored.product, Math.max(stored.time, products.get(stored.product) ?? stored.time))
    }
  const values = new Float64Array(request.variables.length)
  let pixels = 0
  for (const [time, row] of [...times].sort(([a], [b]) => a - b)) {
    const opened = new Map<StoredFrame, Frame>()
    const present = row.filter((stored) => stored !== undefined)
    await eachFrame(context, present, async (frame, stored) => void opened.set(stored, frame))
    const [base] = opened.values()
    if (!base) continue
    const { grid } = base.head
    const spans = pixelSpans(area, grid)
    pixels += spans.reduce((sum, { left, right }) => sum + right - left + 1, 0) * present.length
    checkPixels(area, pixels)
    const boxes = spans.map(({ y, left, right }) => ({ left, right, top: y, bottom: y }))
    const views = await Promise.all(
      row.map(async (stored) => {
        const frame = stored && opened.get(stored)
        const hasSameGrid = frame && frame.head.grid.nx === grid.nx && frame.head.grid.ny === grid.ny
        return hasSameGrid ? { frame, view: await frame.load(boxes) } : undefined
      }),
    )
    for (const { y, left, right } of spans) {
      const lat = grid.north - y * grid.dLat
      for (let x = left; x <= right; x++) {
        let hasValue = false
        for (const [v, at] of views.entries()) {
          const value = at && valueOfCode(at.frame, at.view.code(x, y))
          values[v] = value ?? Number.NaN
          hasValue ||= value !== undefined
        }
        if (hasValue) visit(time, lat, grid.west + x * grid.dLon, values, y * grid.nx + x)
      }
      await pause()
    }
  }
  return { runs: [], newest, products }
}

function checkPixels(area: Area, pixels: number): void {
  if (pixels <= MAX_PIXELS) return
  throw new QueryError(
    'bad-request',
    `${area.name} has too many pixels in this time span: a call may read at most ${MAX_PIXELS}.`,
    'request fewer hours or a smaller area.',
    { field: 'hours', allowed: MAX_PIXELS },
  )
}

interface PixelSpan {
  readonly y: number
  readonly left: number
  readonly right: number
}

/** Yields the pixels whose centres lie in the area, row by row. A pixel in several outlines occurs once. */
function pixelSpans({ outlines }: Area, grid: Parameters<typeof pixelOf>[0]): PixelSpan[] {
  const rows = new Map<number, [number, number][]>()
  for (const outline of outlines) {
    // The grids of frames lie west of Greenwich.
    const turn = outline.east > 180 ? 360 : 0
    const top = Math.max(0, Math.ceil(pixelOf(grid, outline.north, outline.west).y))
    const bottom = Math.min(grid.ny - 1, Math.floor(pixelOf(grid, outline.south, outline.west).y))
    for (let y = top; y <= bottom; y++) {
      const lat = grid.north - y * grid.dLat
      const lons = outline.crossings(lat)
      for (let i = 0; i + 1 < lons.length; i += 2) {
        const [west = Number.NaN, east = Number.NaN] = lons.slice(i, i + 2)
        const left = Math.max(0, Math.ceil(pixelOf(grid, lat, west - turn).x))
        const right = Math.min(grid.nx - 1, Math.floor(pixelOf(grid, lat, east - turn).x))
        if (left > right) continue
        const row = rows.get(y)
        if (row) row.push([left, right])
        else rows.set(y, [[left, right]])
      }
    }
  }
  return [...rows].flatMap(([y, spans]) => {
    let next = 0
    return spans
      .sort(([a], [b]) => a - b)
      .flatMap(([left, right]) => {
        const from = Math.max(left, next)
        next = Math.max(next, right + 1)
        return from <= right ? [{ y, left: from, right }] : []
      })
  })
}

/**
 * Returns a function that tests whether values pass the filters. The values are in native units and in the order of the
 * variables; the filters are in the units of `system`.
 */
export function passing(
  filters: readonly Filter[],
  variables: readonly string[],
  system: UnitSystem,
): (values: Float64Array) => boolean {
  const tests = filters.map(({ variable, op, value }) => {
    const at = variables.indexOf(variable)
    const quantity = quantityIn(variable)
    return (values: Float64Array) => {
      const shown = units[system].show(quantity, values[at])
      return shown !== null && compare[op](shown, value)
    }
  })
  return (values) => tests.every((test) => test(values))
}

export const compare: Readonly<Record<Filter['op'], (a: number, b: number) => boolean>> = {
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
  ge: (a, b) => a >= b,
  gt: (a, b) => a > b,
}
