import { setImmediate as yieldToEvents } from 'node:timers/promises'
import { DAY, dateText } from '../../ingest/domain/time.ts'
import { packSums, unpackSlot } from '../../ingest/domain/verification/packed-sums.ts'
import { LAYOUT, STATISTICS, sumsLength, type VerifiedVariable } from '../../ingest/domain/verification/statistics.ts'
import type { Queries } from '../session.ts'

export type AreaKind = 'station' | 'state' | 'office' | 'all'

export interface VerificationRow {
  readonly area: string
  readonly kind: AreaKind
  readonly variable: VerifiedVariable
  readonly day: string
  /** Array of slots × statistics; slots of sources that were added later are absent. */
  readonly sums: ArrayLike<number>
}

/** Number of areas in a stored row. Fewer areas compress worse; more areas make reading a station slower. */
const PART = 400
/** Number of days that a statement reads, at most some 30 MB. */
const WINDOW_DAYS = 30

/**
 * Stores whole days: `rows` must contain all areas of a kind, variable and day. Sums compress best if neighbouring
 * stations follow each other.
 */
export async function putVerification(tx: Queries, rows: readonly VerificationRow[]): Promise<void> {
  const days = Map.groupBy(rows, ({ kind, variable, day }) => `${kind} ${variable} ${day}`)
  for (const list of days.values()) {
    const [first] = list
    if (!first) continue
    const { kind, variable, day } = first
    await tx.query('delete from verification_part where kind = $1 and variable = $2 and day = $3', [
      kind,
      variable,
      day,
    ])
    for (let part = 0; part * PART < list.length; part++) {
      const areas = list.slice(part * PART, (part + 1) * PART)
      const { bytes, ends } = packSums(
        variable,
        areas.map(({ sums }) => sums),
      )
      await tx.query(
        `insert into verification_part (kind, variable, day, part, layout, areas, ends, sums)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [kind, variable, day, part, LAYOUT, areas.map(({ area }) => area), ends, bytes],
      )
      // Packing a part takes some milliseconds.
      await yieldToEvents()
    }
  }
}

export interface AreaPeriod {
  readonly kind: AreaKind
  readonly areas: readonly string[]
  readonly variable: VerifiedVariable
  /** First and last day. */
  readonly from: string
  readonly to: string
}

/** Divides a period into windows of at most `WINDOW_DAYS` and yields the first and last day of each. */
function* windows(from: string, to: string): Generator<readonly [from: string, to: string]> {
  const [first, last] = [Date.parse(from) / DAY, Date.parse(to) / DAY]
  for (let day = first; day <= last; day += WINDOW_DAYS)
    yield [dateText(day), dateText(Math.min(last, day + WINDOW_DAYS - 1))]
}

/** Returns the total sums of some areas by day. */
export async function sumsByDay(
  db: Queries,
  { kind, areas, variable, from, to }: AreaPeriod,
): Promise<{ day: string; sums: Float64Array }[]> {
  const selected = new Set(areas)
  const width = STATISTICS[variable].length
  const days = new Map<string, Float64Array>()
  for (const [first, last] of windows(from, to)) {
    const rows = await db.query<{ day: string; areas: string[]; ends: number[]; sums: Uint8Array }>(
      `select day, areas, ends, sums from verification_part p
       where kind = $1 and variable = $3 and day between $4 and $5 and layout = $6
         and exists (select from unnest(p.areas) as area where area = any($2))
       order by day, part`,
      [kind, areas, variable, first, last, LAYOUT],
    )
    for (const row of rows) {
      const places = row.areas.flatMap((area, i) => (selected.has(area) ? [i] : []))
      const total = days.get(row.day) ?? new Float64Array(sumsLength(variable))
      days.set(row.day, total)
      for (const [slot, end] of row.ends.entries()) {
        const values = unpackSlot(variable, row.sums.subarray(row.ends[slot - 1] ?? 0, end), row.areas.length, places)
        for (let i = 0; i < values.length; i++) total[slot * width + (i % width)]! += values[i]!
      }
      await yieldToEvents()
    }
  }
  return [...days].map(([day, sums]) => ({ day, sums }))
}

export interface StationSums {
  readonly id: string
  readonly name: string
  readonly lat: number
  readonly lon: number
  readonly state: string
  readonly office: string | null
  /** The statistics of the slot. */
  readonly sums: Float64Array
}

/**
 * Returns the sums of one slot over a period at the stations of an area, ordered by id. Stations without sums are
 * absent.
 * @param within the area; all stations if absent
 * @param slot index of the slot among the slots of the variable
 */
export async function stationSums(
  db: Queries,
  {
    variable,
    from,
    to,
    within,
  }: Pick<AreaPeriod, 'variable' | 'from' | 'to'> & { within?: Pick<AreaPeriod, 'kind' | 'areas'> | undefined },
  slot: number,
): Promise<StationSums[]> {
  const column = { station: 'id', state: 'state', office: 'office', all: undefined }[within?.kind ?? 'all']
  const stations = await db.query<Omit<StationSums, 'sums'> & object>(
    `select id, name, ST_Y(place) as lat, ST_X(place) as lon, state, office from verified_station
     ${column ? `where ${column} = any($1)` : ''} order by id`,
    column && within ? [within.areas] : [],
  )
  const width = STATISTICS[variable].length
  const stationIds = new Set(stations.map(({ id }) => id))
  const totals = new Map<string, Float64Array>()
  for (const [first, last] of windows(from, to)) {
    const rows = await db.query<{ areas: string[]; piece: Uint8Array }>(
      `select areas, substring(sums from coalesce(ends[$5::int], 0) + 1 for ends[$5::int + 1] - coalesce(ends[$5::int], 0)) as piece
       from verification_part
       where kind = 'station' and variable = $1 and day between $2 and $3 and layout = $4 and cardinality(ends) > $5::int`,
      [variable, first, last, LAYOUT, slot],
    )
    for (const { areas, piece } of rows) {
      const selected = [...areas.entries()].filter(([, area]) => stationIds.has(area))
      const places = selected.map(([place]) => place)
      const values = unpackSlot(variable, piece, areas.length, places)
      for (const [p, [, area]] of selected.entries()) {
        const total = totals.get(area) ?? new Float64Array(width)
        totals.set(area, total)
        for (let i = 0; i < width; i++) total[i]! += values[p * width + i]!
      }
    }
  }
  return stations.flatMap((station) => {
    const sums = totals.get(station.id)
    return sums ? [{ ...station, sums }] : []
  })
}

/** A station that was compared at least once. */
export type ScoredStation = Omit<StationSums, 'sums'>

/** Most stations of a site with scores; the METARs of the 50 states come from 2,600. */
const MAX_STATIONS = 10_000

/** Returns the stations that have ever been compared, ordered by id; at most 10,000. */
export async function scoredStations(db: Queries): Promise<ScoredStation[]> {
  return db.query<ScoredStation & object>(
    `select id, name, ST_Y(place) as lat, ST_X(place) as lon, state, office from verified_station
     order by id limit $1`,
    [MAX_STATIONS],
  )
}

/**
 * Returns the sums of all slots over a period at each station, by id: slots × statistics. It reads each stored row once,
 * which is what a site of all stations needs, and takes 8 bytes for each number: 27 MB for the widest variable at 2,000
 * stations.
 */
export async function sumsOfStations(
  db: Queries,
  { variable, from, to }: Pick<AreaPeriod, 'variable' | 'from' | 'to'>,
  ids: ReadonlySet<string>,
): Promise<Map<string, Float64Array>> {
  const width = STATISTICS[variable].length
  const totals = new Map<string, Float64Array>()
  for (const [first, last] of windows(from, to)) {
    const parts = await db.query<{ day: string; part: number }>(
      `select day, part from verification_part
       where kind = 'station' and variable = $1 and day between $2 and $3 and layout = $4 order by day, part`,
      [variable, first, last, LAYOUT],
    )
    for (const { day, part } of parts) {
      const [row] = await db.query<{ areas: string[]; ends: number[]; sums: Uint8Array }>(
        `select areas, ends, sums from verification_part
         where kind = 'station' and variable = $1 and day = $2 and part = $3 and layout = $4`,
        [variable, day, part, LAYOUT],
      )
      if (!row) continue
      const chosen = [...row.areas.entries()].filter(([, area]) => ids.has(area))
      const places = chosen.map(([place]) => place)
      for (const [slot, end] of row.ends.entries()) {
        const values = unpackSlot(variable, row.sums.subarray(row.ends[slot - 1] ?? 0, end), row.areas.length, places)
        for (const [p, [, area]] of chosen.entries()) {
          const total = totals.get(area) ?? new Float64Array(sumsLength(variable))
          totals.set(area, total)
          for (let i = 0; i < width; i++)
            total[slot * width + i] = (total[slot * width + i] ?? 0) + (values[p * width + i] ?? 0)
        }
      }
      await yieldToEvents()
    }
  }
  return totals
}

/** Returns the first day whose sums are stored in one row for each area, as in earlier versions of Hexcast. */
export async function firstUnpackedDay(db: Queries): Promise<string | undefined> {
  const [row] = await db.query<{ day: string | null }>('select min(day) as day from verification')
  return row?.day ?? undefined
}

/** Deletes the sums of a day from the rows of earlier versions and returns them, with stations from west to east. */
export async function removeUnpackedDay(tx: Queries, day: string): Promise<VerificationRow[]> {
  const rows = await tx.query<VerificationRow & object>(
    `select v.kind, v.area, v.variable, v.day, v.sums from verification v
     left join verified_station s on v.kind = 'station' and s.id = v.area
     where v.day = $1 and v.layout = $2 order by ST_X(s.place), v.area for update of v`,
    [day, LAYOUT],
  )
  await tx.query('delete from verification where day = $1', [day])
  return rows
}
