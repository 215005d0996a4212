import { cellOf } from '../../ingest/domain/cell.ts'
import type { DomainId } from '../../ingest/domain/dataset.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { type OpenRun, openRun } from '../../ingest/tile/read.ts'
import { heldRuns } from '../../sql/queries/runs.ts'
import type { UnitSystem } from '../present/units.ts'
import { type Units, units } from '../present/units.ts'
import { quantityOf, valuesAt } from '../values.ts'
import type { ToolContext } from './context.ts'
import { type Family, isAnalysis } from './dataset.ts'

const HOUR = 3_600_000

export interface Wanted {
  readonly family: Family
  readonly variables: readonly string[]
  readonly from: number
  readonly to: number
  readonly units: UnitSystem
  /** Reference time; absent: the run that is served. */
  readonly run?: number
}

/** Values of one point by variable and time, in the asked units; null where the source has none. */
export interface PointTable {
  readonly times: readonly number[]
  readonly values: ReadonlyMap<string, ReadonlyMap<number, number | null>>
  readonly run: number | undefined
  readonly runs: readonly OpenRun[]
}

/** Reads one point of a dataset. Undefined: the dataset does not reach the place. @throws Fault Refused, Corrupt */
export async function readPoint(
  context: ToolContext,
  lat: number,
  lon: number,
  domain: DomainId,
  wanted: Wanted,
): Promise<PointTable | undefined> {
  if (wanted.family.id === 'blend') return readBlend(context, lat, lon, wanted)
  const cell = cellOf(lat, lon, context.parts.values.resolution)
  const system = units[wanted.units]
  const values = new Map<string, Map<number, number | null>>(wanted.variables.map((name) => [name, new Map()]))
  const times = new Set<number>()
  const runs = await runsOf(context, domain, wanted)
  let reached = false
  for (const open of runs) {
    const series = await open.point(cell)
    if (!series) continue
    reached = true
    for (const name of wanted.variables) {
      const held = series.variables.get(name)
      if (!held) continue
      const into = values.get(name) as Map<number, number | null>
      const quantity = quantityOf(name)
      for (let i = 0; i < held.times.length; i++) {
        const time = held.times[i]
        if (time < wanted.from || time > wanted.to || into.has(time)) continue
        into.set(time, system.show(quantity, held.values[i]))
        times.add(time)
      }
    }
  }
  if (runs.length > 0 && !reached) return undefined
  return { times: [...times].sort((a, b) => a - b), values, run: runs[0]?.run, runs }
}

async function readBlend(
  context: ToolContext,
  lat: number,
  lon: number,
  { variables, from, to, units: system }: Wanted,
): Promise<PointTable> {
  const hours = Math.min(336, Math.max(1, Math.ceil((to - context.now) / HOUR) + 1))
  const found = await valuesAt(
    context.parts.values,
    lat,
    lon,
    { datasetId: 'blend', variables, units: units[system] as Units, now: context.now },
    hours,
  )
  const times = found.times.filter((time) => time >= from && time <= to)
  const values = new Map(
    variables.map((name) => [
      name,
      new Map(found.times.map((time, i) => [time, found.data[name]?.[i] ?? null] as const)),
    ]),
  )
  return { times, values, run: undefined, runs: [] }
}

/** The runs that answer, the one that counts first at the front: newest first; of analyses every hour of the span. */
async function runsOf({ parts }: ToolContext, domain: DomainId, { family, run, from, to }: Wanted): Promise<OpenRun[]> {
  const grids = family.members.filter(({ kind }) => kind === 'grid')
  const open: OpenRun[] = []
  if (run === undefined && !isAnalysis(family)) {
    for (const { id } of grids) {
      const served = parts.values.current.served(id, domain)
      if (served) open.push(served.opened ?? (await served.open()))
    }
    // The product that bears the family's own name counts first, then whatever reaches further.
    return open.sort((a, b) => Number(b.dataset === family.id) - Number(a.dataset === family.id) || b.run - a.run)
  }
  for (const { id } of grids) {
    const served = parts.values.current.served(id, domain)
    if (run !== undefined && served?.run === run) {
      open.push(served.opened ?? (await served.open()))
      continue
    }
    for (const row of await heldRuns(parts.database, id)) {
      const at = row.run.getTime()
      const fits = run === undefined ? at >= from && at <= to : at === run
      if (row.domain !== domain || row.state !== 'published' || !row.manifest_key || !fits) continue
      try {
        open.push(await openRun(parts.objects, row.manifest_key))
      } catch (error) {
        // Retired between the look and the read: as if it had not been held.
        if (!isFault(error, 'Missing')) throw error
      }
    }
  }
  return open.sort((a, b) => b.run - a.run)
}
