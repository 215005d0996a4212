import type { DomainId } from '../../ingest/domain/domain.ts'
import { isoSeconds } from '../../ingest/domain/time.ts'
import type { TableCell, TableColumn } from '../present/table.ts'
import { units } from '../present/units.ts'
import { type Area, areasOf } from './area.ts'
import { type AreaRead, passing, visitFrames, visitRuns } from './area-read.ts'
import type { QueryContext } from './context.ts'
import type { DatasetQuery } from './dataset-query.ts'
import { lookUpRuns, type WantedValues } from './dataset-read.ts'
import { QueryError } from './error.ts'
import type { QueryAnswer } from './point-query.ts'
import { needsNumbers, type Sample } from './sample.ts'
import { areaStations } from './station-read.ts'
import { newSamples, statisticCells, statisticColumns } from './statistics.ts'
import { quantityIn } from './variable-facts.ts'

/** Numbers that percentiles may be taken of. */
const MAX_NUMBERS = 4_000_000

/** Cells and times that count as one request. */
const CELLS_PER_REQUEST = 500_000

interface Group {
  readonly keys: readonly TableCell[]
  readonly samples: readonly Sample[]
  cells: number
  total: number
}

/** Whether a query is about areas rather than points. */
export const isAreaQuery = ({ areas, polygon, aggregate }: DatasetQuery): boolean =>
  areas !== undefined || polygon !== undefined || aggregate?.over === 'area'

/**
 * Statistics over areas, on the native cells (of stations: on the stations) that lie in them.
 * @throws QueryError
 */
export async function queryAreas(
  context: QueryContext,
  asked: DatasetQuery,
  wanted: WantedValues,
): Promise<QueryAnswer> {
  const over = checkAsked(asked, wanted)
  const areas = areasOf(asked)
  const filters = asked.filters ?? []
  const passes = passing(filters, wanted.variables, asked.units)
  const lookup = wanted.family.storage === 'runs' ? await lookUpRuns(context, wanted) : undefined
  const groups = new Map<string, Group>()
  const reads: AreaRead[] = []
  const empty: Area[] = []
  let count = 0
  const groupOf = (keys: readonly TableCell[]) => {
    const key = keys.join('|')
    let group = groups.get(key)
    if (!group) groups.set(key, (group = { keys, samples: newSamples(asked), cells: 0, total: 0 }))
    return group
  }
  for (const area of areas) {
    const before = count
    const whole = over === 'space' ? undefined : groupOf(over === 'all' ? [] : [area.name])
    const [all, passed] = [new CellSet(), new CellSet()]
    const keepsNumbers = needsNumbers(asked.aggregate?.functions ?? [])
    const visit = (time: number, lat: number, lon: number, values: Float64Array, cell: number) => {
      if (++count > MAX_NUMBERS && keepsNumbers) throw tooManyNumbers(area)
      const group = whole ?? groupOf([area.name, isoSeconds(time)])
      if (!whole) group.total++
      else if (all.add(cell)) whole.total++
      if (!passes(values)) return
      if (!whole) group.cells++
      else if (passed.add(cell)) whole.cells++
      for (const [v, sample] of group.samples.entries())
        if (!Number.isNaN(values[v])) sample.add(values[v], time, lat, lon)
    }
    reads.push(
      lookup
        ? await visitRuns(context, lookup, area, wanted, asked.resolution, visit)
        : wanted.family.storage === 'frames'
          ? await visitFrames(context, area, wanted, visit)
          : await areaStations(context, area, wanted, visit),
    )
    if (count === before) empty.push(area)
    await context.progress(reads.length, areas.length, 'areas read')
  }
  if (count > CELLS_PER_REQUEST) await context.count(Math.ceil(count / CELLS_PER_REQUEST) - 1)
  const convert = (variable: string, name: string, value: number) => {
    const quantity = quantityIn(variable)
    if (name !== 'stddev') return units[asked.units].show(quantity, value)
    const { scale, decimals } = units[asked.units].of[quantity]
    return Number((value * scale).toFixed(decimals + 1))
  }
  const domains = new Set<DomainId>(areas.flatMap((area) => area.domains))
  return {
    columns: [
      ...(over === 'all' ? [] : [text('area')]),
      ...(over === 'space' ? [text('valid_time')] : []),
      integer('cells'),
      ...(filters.length > 0 ? [integer('cells_unfiltered')] : []),
      ...statisticColumns(asked),
    ],
    rows: [...groups.values()]
      .sort(over === 'space' ? (a, b) => areaTime(a, areas) - areaTime(b, areas) : () => 0)
      .map(({ keys, samples, cells, total }) => [
        ...keys,
        cells,
        ...(filters.length > 0 ? [total] : []),
        ...statisticCells(asked, samples, convert),
      ]),
    pins: lookup?.pins(domains) ?? { at: wanted.pins?.at ?? context.now, runs: [] },
    runs: reads.flatMap(({ runs }) => runs),
    newest: newestOf(reads.map(({ newest }) => newest)),
    products: newestOf(reads.map(({ products }) => products)),
    points: [],
    statusOf: () => 'ok',
    read: count,
    warnings: empty.map(({ name }) => ({
      code: 'source_missing',
      section: 'areas',
      detail: `${wanted.family.id} gives nothing for ${name} from ${isoSeconds(wanted.from)} to ${isoSeconds(wanted.to)}`,
    })),
  }
}

const tooManyNumbers = ({ name }: Area) =>
  new QueryError(
    'bad-request',
    `${name} has more than ${MAX_NUMBERS} values in this time, too many for a median or percentiles.`,
    'ask for fewer hours, or for min, max and mean.',
    { field: 'aggregate.functions', allowed: MAX_NUMBERS },
  )

/** Order of the rows over space: areas as asked for, then time. */
const areaTime = ({ keys }: Group, areas: readonly Area[]) =>
  areas.findIndex(({ name }) => name === keys[0]) * 1e14 + Date.parse(String(keys[1]))

const text = (name: string): TableColumn => ({ name, type: 'string', unit: null })
const integer = (name: string): TableColumn => ({ name, type: 'integer', unit: null })

function newestOf(maps: readonly ReadonlyMap<string, number>[]): Map<string, number> {
  const all = new Map<string, number>()
  for (const map of maps) for (const [name, time] of map) all.set(name, Math.max(time, all.get(name) ?? time))
  return all
}

/** Cells by their number, one bit each. */
class CellSet {
  #bits = new Uint8Array(1024)

  /** Whether it was not there before. */
  add(cell: number): boolean {
    const at = cell >>> 3
    if (at >= this.#bits.length) {
      const grown = new Uint8Array(Math.max(at + 1, this.#bits.length * 2))
      grown.set(this.#bits)
      this.#bits = grown
    }
    const bit = 1 << (cell & 7)
    if (this.#bits[at] & bit) return false
    this.#bits[at] |= bit
    return true
  }
}

function checkAsked(asked: DatasetQuery, { family }: WantedValues): 'area' | 'space' | 'all' {
  const given = [
    (asked.location !== undefined || asked.lat !== undefined || asked.lon !== undefined) && 'a place',
    asked.points && 'points',
    asked.stations && 'stations',
    asked.areas && 'areas',
    asked.polygon && 'polygon',
    asked.bbox && 'bbox',
  ].filter(Boolean)
  if (given.length !== 1 || given[0] === 'a place' || given[0] === 'points' || given[0] === 'stations')
    throw new QueryError(
      'bad-request',
      `Wanted exactly one of areas, polygon and bbox for statistics over an area; got ${given.join(' and ') || 'none'}.`,
      'call again with one of them.',
      { field: 'areas' },
    )
  if (!asked.aggregate)
    throw new QueryError(
      'bad-request',
      `${given[0]} needs aggregate: the cells of an area are not listed one by one.`,
      'add aggregate, such as {"over":"area","functions":["max","argmax"]}.',
      { field: 'aggregate' },
    )
  const { over = 'area', functions } = asked.aggregate
  if (over === 'time' || over === 'day')
    throw new QueryError(
      'bad-request',
      `aggregate.over: wanted area, space or all for ${given[0]}, got ${over}.`,
      'use area for one row an area, space for one row an area and time, all for one row.',
      { field: 'aggregate.over', allowed: ['area', 'space', 'all'], got: over },
    )
  if (functions.includes('sum'))
    throw new QueryError(
      'bad-request',
      'sum of the cells of an area is no amount of rain: wanted mean, max or a percentile.',
      'use mean, or ask for the sum over time at points.',
      { field: 'aggregate.functions', got: 'sum' },
    )
  if (family.storage === 'blend' || family.storage === 'normals')
    throw new QueryError(
      'bad-request',
      `${family.id} has no native cells: it is made for one place at a time.`,
      'ask nbm, hrrr, gfs, rtma, urma or mrms over areas.',
      { field: 'dataset_id', got: asked.dataset_id, suggestions: ['nbm', 'hrrr', 'mrms'] },
    )
  return over
}
