import type { DomainId } from '../../ingest/domain/domain.ts'
import { pause } from '../../ingest/domain/pacer.ts'
import { HOUR, isoSeconds } from '../../ingest/domain/time.ts'
import type { OpenRun } from '../../ingest/tile/read.ts'
import type { MetaWarning } from '../contract.ts'
import type { TableCell, TableColumn } from '../present/table.ts'
import type { QueryContext } from './context.ts'
import { countValues } from './count-values.ts'
import { BLEND, type Family, requiredModels } from './dataset.ts'
import type { DatasetQuery } from './dataset-query.ts'
import { openReader, type Pins, type PointTable, type WantedValues } from './dataset-read.ts'
import { QueryError } from './error.ts'
import { type FrameTables, readFrames } from './frame-read.ts'
import { aggregatedRows, plainRows } from './rows.ts'
import { readStations, stationPoints } from './station-read.ts'
import { pointsOf, type QueryPoint } from './where.ts'

/** The answer to a query, before it is divided into pages. */
export interface QueryAnswer {
  readonly columns: readonly TableColumn[]
  readonly rows: readonly (readonly TableCell[])[]
  readonly points: readonly QueryPoint[]
  statusOf(point: QueryPoint): 'ok' | 'out_of_domain' | 'no_data' | 'not_found' | 'ambiguous'
  /** Runs from which values were read. */
  readonly runs: readonly OpenRun[]
  /** Newest run or frame by variable. */
  readonly newest: ReadonlyMap<string, number>
  /** Newest frame by product; empty for runs. */
  readonly products: ReadonlyMap<string, number>
  readonly pins: Pins
  /** Number of rows before the filters. */
  readonly read: number
  readonly warnings: readonly MetaWarning[]
}

/** Reads values at places, points, cells of a box, or stations. @throws QueryError */
export async function queryPoints(
  context: QueryContext,
  query: DatasetQuery,
  request: WantedValues,
  pinned: Pins | undefined,
): Promise<QueryAnswer> {
  const { family, from, to } = request
  const isStations = family.storage === 'stations'
  const points = await (isStations ? stationPoints(context, family, query, query.variables) : pointsOf(query))
  const inside = points.filter(({ spot, station_id }) => spot ?? station_id)
  const [first] = inside
  if (!first)
    throw new QueryError(
      'outside-coverage',
      'All points lie outside the coverage, which is the 50 US states and DC.',
      'do not retry; request points inside the coverage.',
      { field: 'points' },
    )
  const domains = new Set(family.members.flatMap(({ domains }) => domains.map(({ id }) => id)))
  const covered = isStations ? inside : inside.filter(({ spot }) => spot && domains.has(spot.resolved.domain))
  if (covered.length === 0)
    throw new QueryError(
      'outside-coverage',
      `${family.id} does not reach ${inside.length === 1 ? first.name : 'any of these points'}: it covers ${domainsOf(family)}.`,
      `do not retry; ${everywhere.join(' and ')} reach all 50 states and DC.`,
      { field: 'dataset_id', got: query.dataset_id, suggestions: everywhere },
    )
  if (family.storage !== 'frames') {
    const [count, hours, names] = [covered.length, Math.floor((to - from) / HOUR) + 1, query.variables.length]
    await countValues(context, count * hours * names, `${count} points × ${hours} hours × ${names} variables`)
  }
  const { tables, products, pins } = await readTables(context, covered, request)
  const { columns, rows } = await (query.aggregate ? aggregatedRows : plainRows)(query, points, tables)
  const empty = inside.filter(({ index }) => !tables.get(index)?.times.length)
  return {
    columns,
    rows,
    points,
    statusOf({ index, spot, station_id, status }) {
      if (status === 'not_found' || status === 'ambiguous') return status
      const table = tables.get(index)
      return !(spot ?? station_id) || !table ? 'out_of_domain' : table.times.length > 0 ? 'ok' : 'no_data'
    },
    runs: [...new Set([...tables.values()].flatMap((table) => table.runs))],
    newest: newestByVariable(tables),
    products,
    pins: pinned ?? pins ?? { at: context.now, runs: [] },
    read: [...tables.values()].reduce((sum, table) => sum + table.times.length, 0),
    warnings: [
      ...(empty.length > 0 ? [sourceMissing('points', missingText(family, empty, from, to))] : []),
      ...(family.storage === 'frames' && empty.length < inside.length ? framesMissing(query, tables) : []),
    ],
  }
}

/** Datasets that reach every place in the coverage. */
const everywhere = [BLEND, ...requiredModels.slice(0, 1)]

const sourceMissing = (section: string, detail: string): MetaWarning => ({ code: 'source_missing', section, detail })

/**
 * Returns a warning about variables that have no stored frame in the span. Their nulls do not mean missing coverage.
 */
function framesMissing({ variables }: DatasetQuery, tables: ReadonlyMap<number, PointTable>): MetaWarning[] {
  const newest = newestByVariable(tables)
  const absent = variables.filter((name) => !newest.has(name))
  return absent.length > 0 ? [sourceMissing('points', `no frame of ${absent.join(', ')} is stored for this time`)] : []
}

async function readTables(
  context: QueryContext,
  points: readonly QueryPoint[],
  request: WantedValues,
): Promise<FrameTables & { readonly pins?: Pins }> {
  const { storage } = request.family
  if (storage === 'stations') return { tables: await readStations(context, points, request), products: new Map() }
  if (storage === 'frames') return readFrames(context, points, request)
  const reader = await openReader(context, request)
  const tables = new Map<number, PointTable>()
  const used = new Set<DomainId>()
  for (const [i, { index, lat, lon, spot }] of points.entries()) {
    context.signal.throwIfAborted()
    if (!spot || lat === null || lon === null) continue
    const { domain } = spot.resolved
    await pause()
    const table = await reader.point(lat, lon, domain)
    if (table) tables.set(index, table)
    used.add(domain)
    if ((i + 1) % 10 === 0) await context.progress(i + 1, points.length, 'points read')
  }
  return { tables, products: new Map(), pins: reader.pins(used) }
}

/** Returns the newest run or frame from which values were read, by variable. */
function newestByVariable(tables: ReadonlyMap<number, PointTable>): Map<string, number> {
  const newest = new Map<string, number>()
  for (const { runByVariable } of tables.values())
    for (const [name, run] of runByVariable) newest.set(name, Math.max(run, newest.get(name) ?? run))
  return newest
}

const domainsOf = ({ members }: Family) =>
  [
    ...new Set(
      members.flatMap(({ domains }) => domains.map(({ id }) => (id === 'conus' ? 'the lower 48 states' : id))),
    ),
  ].join(', ')

function missingText(family: Family, points: readonly QueryPoint[], from: number, to: number): string {
  const names = points.slice(0, 3).map(({ label, name }) => label ?? name)
  return `${family.id} has no data for ${names.join('; ')}${points.length > 3 ? ` and ${points.length - 3} more` : ''} from ${isoSeconds(from)} to ${isoSeconds(to)}`
}
