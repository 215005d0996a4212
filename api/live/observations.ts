import { datasetOf } from '../../ingest/catalog.ts'
import { type Instant, MINUTE } from '../../ingest/domain/time.ts'
import {
  chooseStation,
  FRESH_REPORT_MS,
  OBSERVATION_KEEP_MS,
  type Observation,
  STATION_REACH_KM,
  USABLE_REPORT_MS,
} from '../../ingest/domain/weather/observation.ts'
import { distanceKm, type Near, type PointTree, pointTree } from '../../ingest/geo/sphere.ts'
import { newestObservations, observationsSince, type StationRow, stationRows } from '../../sql/queries/observations.ts'
import type { Queries } from '../../sql/session.ts'
import type {
  FeedAge,
  MetaWarning,
  ObservationsAtPoint,
  ObservingStation,
  PointAt,
  StationReport,
} from '../contract.ts'
import { type FeedWatch, watchFeed } from './feed-watch.ts'
import type { LiveDeps, LiveSource } from './source.ts'

const DATASET = datasetOf('station_reports').id
/** Feed of the table of stations. */
const STATIONS = `${DATASET}/stations`
const SECTION = 'metar'
/** Number of candidates in the search for a reporting station. */
const MAX_CANDIDATES = 400

export interface Observations extends LiveSource {
  at(point: Pick<PointAt, 'lat' | 'lon' | 'now'>): Promise<ObservationsAtPoint>
  /** A station by the id in its reports, or by its FAA or IATA code, in upper or lower case; undefined if it is unknown. */
  station(code: string): ObservingStation | undefined
  /** The newest report of a station, of any age. */
  newest(id: string): Observation | undefined
  /** Stations whose newest report is at most `maxAgeMs` old, nearest first. */
  near(lat: number, lon: number, km: number, count: number, now: Instant, maxAgeMs: number): StationReport[]
  /** Every station that has a report, by id. */
  reporting(): readonly StationReport[]
  /** Warnings that answers carry about the feed. */
  warnings(section: string, now: Instant): readonly MetaWarning[]
  /** Reads new reports now. */
  read(): Promise<void>
}

/** Keeps the newest report of every station (3,000) in memory; older reports are read from the database. */
export async function openObservations(deps: LiveDeps): Promise<Observations> {
  const { database, events, clock, current } = deps
  const reports = new Reports()
  let stations = new StationNames([])
  let version = 0
  let stationVersion = ''

  const loadReports = async (tx: Queries, next: number): Promise<() => void> => {
    const isReset = next < version
    const rows = version === 0 || isReset ? await newestObservations(tx) : await observationsSince(tx, version)
    return () => {
      if (isReset) reports.clear()
      reports.put(rows, clock() - OBSERVATION_KEEP_MS)
      version = next
    }
  }
  const watch = await watchFeed({
    database,
    events,
    clock,
    feed: DATASET,
    title: 'the METAR cache',
    load: (tx, state) => loadReports(tx, state?.version ?? 0),
    states: deps.states,
    changed: () => current.invalidate('observations'),
    report: deps.report('METARs could not be read'),
  })
  const table = await watchFeed({
    database,
    events,
    clock,
    feed: STATIONS,
    title: 'the table of stations',
    async load(tx, state) {
      const next = `${state?.version ?? 0}`
      if (next === stationVersion) return () => undefined
      const rows = await stationRows(tx)
      return () => {
        stationVersion = next
        stations = new StationNames(rows)
      }
    },
    states: deps.states,
    report: deps.report('the table of stations could not be read'),
  })
  const withStation = (report: Observation): StationReport => ({ station: stations.describe(report), report })
  const at: Observations['at'] = async (point) => observationsAt(reports, stations, watch, point)

  return {
    suppliers: { observations: at },
    at,
    station(code) {
      const id = code.toUpperCase()
      const report = reports.newest(id) ?? reports.newest(stations.idOf(id) ?? '')
      return report ? stations.describe(report) : stations.find(id)
    },
    newest: (id) => reports.newest(id),
    near: (lat, lon, km, count, now, maxAgeMs) =>
      reports
        .near(lat, lon, count, km, ({ observedAt }) => now - observedAt <= maxAgeMs)
        .map(({ report, km: distance }) => ({ ...withStation(report), km: distance })),
    reporting: () => reports.all().map(withStation),
    warnings: watch.warnings,
    read: async () => {
      await table.read()
      await watch.read()
    },
    ages: (): readonly FeedAge[] => {
      const updatedAt = watch.state?.updated?.getTime()
      return updatedAt === undefined ? [] : [{ dataset: DATASET, domain: 'conus', at: updatedAt }]
    },
    async close() {
      await watch.close()
      await table.close()
    },
  }
}

/** The newest report of every station. */
class Reports {
  readonly #newest = new Map<string, Observation>()
  /** The reports in the order of station ids. The tree refers to them by index. */
  #ordered: readonly Observation[] = []
  #tree: PointTree = pointTree([], [])

  newest(id: string): Observation | undefined {
    return this.#newest.get(id)
  }

  all(): readonly Observation[] {
    return this.#ordered
  }

  clear(): void {
    this.#newest.clear()
  }

  /** Adds reports, and removes all that were observed before `oldest`. */
  put(rows: readonly Observation[], oldest: Instant): void {
    for (const report of rows) {
      const before = this.#newest.get(report.station)
      if (!before || report.observedAt >= before.observedAt) this.#newest.set(report.station, report)
    }
    for (const [id, report] of this.#newest) if (report.observedAt < oldest) this.#newest.delete(id)
    this.#ordered = [...this.#newest.values()].sort((a, b) => (a.station < b.station ? -1 : 1))
    this.#tree = pointTree(
      this.#ordered.map(({ lat }) => lat),
      this.#ordered.map(({ lon }) => lon),
    )
  }

  /** Reports within `km` of a point that `accept` allows, nearest first. */
  near(
    lat: number,
    lon: number,
    count: number,
    km: number,
    accept?: (report: Observation) => boolean,
  ): { readonly report: Observation; readonly km: number }[] {
    const reportOf = ({ index, km: distance }: Near) => {
      const report = this.#ordered[index]
      return report ? [{ report, km: distance }] : []
    }
    const isAccepted = (index: number) => {
      const report = this.#ordered[index]
      return report !== undefined && (!accept || accept(report))
    }
    return this.#tree.near(lat, lon, count, km, accept && isAccepted).flatMap(reportOf)
  }
}

/** The table of stations: names and codes. */
class StationNames {
  readonly #rows: ReadonlyMap<string, StationRow>
  readonly #idsByCode = new Map<string, string>()

  constructor(rows: readonly StationRow[]) {
    this.#rows = new Map(rows.map((row) => [row.id, row]))
    // If two stations have the same code, the code belongs to the station that reports METARs.
    for (const isMetarStation of [false, true])
      for (const row of rows)
        if (row.metar === isMetarStation)
          for (const code of [row.iata, row.faa]) if (code) this.#idsByCode.set(code.toUpperCase(), row.id)
  }

  /** The id of the station with an FAA or IATA code. */
  idOf(code: string): string | undefined {
    return this.#idsByCode.get(code)
  }

  /** Returns a station with a position, by its id, or by its FAA or IATA code. */
  find(code: string): ObservingStation | undefined {
    const row = this.#rows.get(code) ?? this.#rows.get(this.idOf(code) ?? '')
    if (!row || row.lat === null || row.lon === null) return undefined
    const { id, name, state, country, lat, lon, elevation_m: elevation } = row
    return { id, name, state, country, lat, lon, elevation }
  }

  /** Returns the station of a report, at the position in the report. */
  describe({ station: id, lat, lon, elevation }: Observation): ObservingStation {
    const row = this.#rows.get(id)
    return {
      id,
      name: row?.name ?? id,
      state: row?.state ?? null,
      country: row?.country ?? null,
      lat,
      lon,
      elevation: row?.elevation_m ?? elevation,
    }
  }

  /** Returns true if a station that should report METARs is within reach of a point. */
  hasReportingStationNear(lat: number, lon: number): boolean {
    for (const row of this.#rows.values())
      if (
        row.metar &&
        row.lat !== null &&
        row.lon !== null &&
        Math.abs(row.lat - lat) < 2 &&
        distanceKm(lat, lon, row.lat, row.lon) <= STATION_REACH_KM
      )
        return true
    return false
  }
}

function observationsAt(
  reports: Reports,
  stations: StationNames,
  watch: FeedWatch,
  { lat, lon, now }: Pick<PointAt, 'lat' | 'lon' | 'now'>,
): ObservationsAtPoint {
  // A feed that was never read has no data yet. This is not a failure, but there are no stations.
  if (!watch.state?.confirmed_at && !watch.failed && reports.all().length === 0) {
    const warning: MetaWarning = { code: 'not_held', section: SECTION, detail: 'no METAR has been read yet' }
    return { warnings: [warning], freshness: [], degraded: false }
  }
  const warnings: MetaWarning[] = [...watch.warnings(SECTION, now)]
  const about = { section: SECTION, product_id: DATASET }
  const near = reports.near(lat, lon, MAX_CANDIDATES, STATION_REACH_KM)
  const choice = chooseStation(
    near.map(({ report, km }) => ({ report, km, age: Math.max(0, now - report.observedAt) })),
  )
  if (!choice) {
    if (near.length > 0 || stations.hasReportingStationNear(lat, lon)) {
      const detail = 'no station within 150 km has reported in the last three hours'
      warnings.push({ ...about, code: 'stale_source', detail })
    } else {
      const detail = 'no station that reports METARs is within 150 km'
      warnings.push({ ...about, code: 'no_coverage', detail })
    }
    return { warnings, freshness: [], degraded: warnings.some(({ code }) => code !== 'no_coverage') }
  }
  const { report, km } = choice.station
  const { observedAt } = report
  if (choice.stale) {
    const minutes = Math.round((now - observedAt) / MINUTE)
    const detail = `the report of ${report.station} is ${minutes} minutes old, and no nearer station has a newer report`
    warnings.push({ ...about, code: 'stale_source', detail })
  }
  return {
    nearest: { station: stations.describe(report), report, km },
    warnings,
    freshness: [{ source: DATASET, product_id: DATASET, referenceTime: observedAt, latestValid: observedAt }],
    degraded: warnings.length > 0,
    nextChange: observedAt + (choice.stale ? USABLE_REPORT_MS : FRESH_REPORT_MS),
  }
}
