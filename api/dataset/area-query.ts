import type { DomainId } from '../../ingest/domain/domain.ts'
import { isoSeconds } from '../../ingest/domain/time.ts'
import type { TableCell, TableColumn } from '../present/table.ts'
import { units } from '../present/units.ts'
import { type Area, areasOf } from './area.ts'
import { type AreaRead, passing, visitFrames, visitRuns } from './area-read.ts'
import type { QueryContext } from './context.ts'
import { radarFamily, requiredModels } from './dataset.ts'
import type { DatasetQuery } from './dataset-query.ts'
import { lookUpRuns, type WantedValues } from './dataset-read.ts'
import { QueryError } from './error.ts'
import type { QueryAnswer } from './point-query.ts'
import { needsNumbers, type Sample } from './sample.ts'
import { areaStations } from './station-read.ts'
import { newSamples, statisticCells, statisticColumns } from './statistics.ts'
import { quantityIn } from './variable-facts.ts'

/** Maximum number of values for a percentile. */
const MAX_NUMBERS = 4_000_000

/** Number of values of cells that count as one request. */
const CELLS_PER_REQUEST = 500_000

interface Group {
  readonly keys: readonly TableCell[]
  readonly samples: readonly Sample[]
  cells: number
  total: number
}

/** Returns true if a query is about areas rather than points. */
export const isAreaQuery = ({ areas, polygon, aggregate }: DatasetQuery): boolean =>
  areas !== undefined || polygon !== undefined || aggregate?.over === 'area'

/**
 * Computes statistics over areas, from the native cells or the stations that lie in them.
 * @throws QueryError
 */
export async function queryAreas(
  context: QueryContext,
  query: DatasetQuery,
  request: WantedValues,
): Promise<QueryAnswer> {
  const over = checkQuery(query, request)
  const areas = areasOf(query)
  const filters = query.filters ?? []
  const passes = passing(filters, request.variables, query.units)
  const lookup = request.family.storage === 'runs' ? await lookUpRuns(context, request) : undefined
  const groups = new Map<string, Group>()
  const reads: AreaRead[] = []
  const empty: Area[] = []
  let count = 0
  const groupOf = (keys: readonly TableCell[]) => {
    const key = keys.join('|')
    let group = groups.get(key)
    if (!group) groups.set(key, (group = { keys, samples: newSamples(query), cells: 0, total: 0 }))
    return group
  }
  for (const area of areas) {
    const before = count
    const overall = over === 'space' ? undefined : groupOf(over === 'all' ? [] : [area.name])
    const allCells = new CellSet()
    const passingCells = new CellSet()
    const keepsNumbers = needsNumbers(query.aggregate?.functions ?? [])
    const visit = (time: number, lat: number, lon: number, values: Float64Array, cell: number) => {
      if (++count > MAX_NUMBERS && keepsNumbers) throw tooManyNumbers(area)
      const group = overall ?? groupOf([area.name, isoSeconds(time)])
      if (!overall) group.total++
      else if (allCells.add(cell)) overall.total++
      if (!passes(values)) return
      if (!overall) group.cells++
      else if (passingCells.add(cell)) overall.cells++
      for (const [v, sample] of group.samples.entries()) {
        const value = values[v] ?? Number.NaN
        if (!Number.isNaN(value)) sample.add(value, time, lat, lon)
      }
    }
    reads.push(
      lookup
        ? await visitRuns(context, lookup, area, request, query.resolution, visit)
        : request.family.storage === 'frames'
          ? await visitFrames(context, area, request, visit)
          : await areaStations(context, area, request, visit),
    )
    if (count === before) empty.push(area)
    await context.progress(reads.length, areas.length, 'areas read')
  }
  if (count > CELLS_PER_REQUEST) await context.count(Math.ceil(count / CELLS_PER_REQUEST) - 1)
  const convert = (variable: string, name: string, value: number) => {
    const quantity = quantityIn(variable)
    if (name !== 'stddev') return units[query.units].show(quantity, value)
    const { scale, decimals } = units[query.units].conversions[quantity]
    return Number((value * scale).toFixed(decimals + 1))
  }
  const domains = new Set<DomainId>(areas.flatMap((area) => area.domains))
  return {
    columns: [
      ...(over === 'all' ? [] : [text('area')]),
      ...(over === 'space' ? [text('valid_time')] : []),
      integer('cells'),
      ...(filters.length > 0 ? [integer('cells_unfiltered')] : []),
      ...statisticColumns(query),
    ],
    rows: [...groups.values()]
      .sort(over === 'space' ? (a, b) => areaTime(a, areas) - areaTime(b, areas) : () => 0)
      .map(({ keys, samples, cells, total }) => [
        ...keys,
        cells,
        ...(filters.length > 0 ? [total] : []),
        ...statisticCells(query, samples, convert),
      ]),
    pins: lookup?.pins(domains) ?? { at: request.pins?.at ?? context.now, runs: [] },
    runs: reads.flatMap(({ runs }) => runs),
    newest: newestOf(reads.map(({ newest }) => newest)),
    products: newestOf(reads.map(({ products }) => products)),
    points: [],
    statusOf: () => 'ok',
    read: count,
    warnings: empty.map(({ name }) => ({
      code: 'source_missing',
      section: 'areas',
      detail: `${request.family.id} has no data for ${name} from ${isoSeconds(request.from)} to ${isoSeconds(request.to)}`,
    })),
  }
}

const tooManyNumbers = ({ name }: Area) =>
  new QueryError(
    'bad-request',
    `${name} has more than ${MAX_NUMBERS} values in this time span, which is too many for a median or percentiles.`,
    'request fewer hours, or min, max and mean.',
    { field: 'aggregate.functions', allowed: MAX_NUMBERS },
  )

/** Sort key of the rows over space: by area in the order of the request, then by time. */
const areaTime = ({ keys }: Group, areas: readonly Area[]) =>
  areas.findIndex(({ name }) => name === keys[0]) * 1e14 + Date.parse(String(keys[1]))

const text = (name: string): TableColumn => ({ name, type: 'string', unit: null })
const integer = (name: string): TableColumn => ({ name, type: 'integer', unit: null })

function newestOf(maps: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const all = new Map<string, number>()
  for (const map of maps) for (const [name, time] of map) all.set(name, Math.max(time, all.get(name) ?? time))
  return all
}

/** A set of cell numbers, with one bit for each cell. */
class CellSet {
  #bits = new Uint8Array(1024)

  /** Adds a cell. @returns false if the set already had it */
  add(cell: number): boolean {
    const at = cell >>> 3
    if (at >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(at + 1, this.#bits.length * 2))
      grown.set(this.#bits)
      this.#bits = grown
    }
    const bit = 1 << (cell & 7)
    const byte = this.#bits[at] ?? 0
    if (byte & bit) return false
    this.#bits[at] = byte | bit
    return true
  }
}

/** @returns the groups of the statistics @throws QueryError bad-request */
function checkQuery(query: DatasetQuery, { family }: WantedValues): 'area' | 'space' | 'all' {
  const selections = [
    (query.location !== undefined || query.lat !== undefined || query.lon !== undefined) && 'a place',
    query.points && 'points',
    query.stations && 'stations',
    query.areas && 'areas',
    query.polygon && 'polygon',
    query.bbox && 'bbox',
  ].filter(Boolean)
  const [selection] = selections
  if (selections.length !== 1 || selection === 'a place' || selection === 'points' || selection === 'stations')
    throw new QueryError(
      'bad-request',
      `Statistics over an area need exactly one of areas, polygon and bbox, but got ${selections.join(' and ') || 'none'}.`,
      'call again with one of them.',
      { field: 'areas' },
    )
  if (!query.aggregate)
    throw new QueryError(
      'bad-request',
      `${selection} needs aggregate: the cells of an area are not listed one by one.`,
      'add aggregate, such as {"over":"area","functions":["max","argmax"]}.',
      { field: 'aggregate' },
    )
  const { over = 'area', functions } = query.aggregate
  if (over === 'time' || over === 'day')
    throw new QueryError(
      'bad-request',
      `\`aggregate.over\` must be area, space or all for ${selection}, but was ${over}.`,
      'use area for one row for each area, space for one row for each area and time, all for one row.',
      { field: 'aggregate.over', allowed: ['area', 'space', 'all'], got: over },
    )
  if (functions.includes('sum'))
    throw new QueryError(
      'bad-request',
      'sum over the cells of an area is not an amount of rain: use mean, max or a percentile.',
      'use mean, or request the sum over time at points.',
      { field: 'aggregate.functions', got: 'sum' },
    )
  if (family.storage === 'blend' || family.storage === 'normals')
    throw new QueryError(
      'bad-request',
      `${family.id} has no native cells: its values are made for one place at a time.`,
      'query nbm, hrrr, gfs, rtma, urma or mrms over areas.',
      { field: 'dataset_id', got: query.dataset_id, suggestions: [...requiredModels.slice(0, 2), radarFamily] },
    )
  return over
}
