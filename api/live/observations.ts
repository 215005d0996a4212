import type { Instant } from '../../ingest/domain/time.ts'
import {
  chooseStation,
  FRESH_REPORT_MS,
  OBSERVATION_KEEP_MS,
  type Observation,
  STATION_REACH_KM,
  USABLE_REPORT_MS,
} from '../../ingest/domain/weather/observation.ts'
import { distanceKm, type PointTree, pointTree } from '../../ingest/geo/sphere.ts'
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
import { watchFeed } from './feed-watch.ts'
import type { LiveDeps, LiveSource } from './source.ts'

const DATASET = 'metar'
const STATIONS = 'metar/stations'
/** Candidates in the search for a reporting station. */
const MAX_CANDIDATES = 400

export interface Observations extends LiveSource {
  at(point: Pick<PointAt, 'lat' | 'lon' | 'now'>): Promise<ObservationsAtPoint>
  /** By the id of reports, or the FAA or IATA code, in any case; undefined: unknown. */
  station(code: string): ObservingStation | undefined
  /** The newest report of a station, however old. */
  newest(id: string): Observation | undefined
  /** Stations with a report not older than `maxAgeMs`, nearest first. */
  near(lat: number, lon: number, km: number, count: number, now: Instant, maxAgeMs: number): StationReport[]
  /** Every station that has a report, by id. */
  reporting(): readonly StationReport[]
  /** Warnings of answers about the feed. */
  warnings(section: string, now: Instant): readonly MetaWarning[]
  /** Reads new reports now. */
  read(): Promise<void>
}

/** The newest report of every station in memory (3,000); older ones are read from the database. */
export async function openObservations(deps: LiveDeps): Promise<Observations> {
  const { database, events, clock, current } = deps
  const newest = new Map<string, Observation>()
  let sites = new Map<string, StationRow>()
  let codes = new Map<string, string>()
  let order: Observation[] = []
  let tree: PointTree = pointTree([], [])
  let version = 0
  let stationVersion = ''

  const load = async (tx: Queries, next: number): Promise<() => void> => {
    const fresh = version === 0 || next < version ? await newestObservations(tx) : await observationsSince(tx, version)
    return () => {
      if (next < version) newest.clear()
      for (const report of fresh) {
        const known = newest.get(report.station)
        if (!known || report.observedAt >= known.observedAt) newest.set(report.station, report)
      }
      version = next
      const oldest = clock() - OBSERVATION_KEEP_MS
      for (const [id, report] of newest) if (report.observedAt < oldest) newest.delete(id)
      order = [...newest.values()].sort((a, b) => (a.station < b.station ? -1 : 1))
      tree = pointTree(
        order.map(({ lat }) => lat),
        order.map(({ lon }) => lon),
      )
    }
  }
  const loadStations = async (tx: Queries): Promise<() => void> => {
    const rows = await stationRows(tx)
    return () => {
      sites = new Map(rows.map((row) => [row.id, row]))
      codes = new Map()
      // A code that is itself an id wins; of two stations with one code the one that reports METARs.
      for (const metar of [false, true])
        for (const row of rows)
          if (row.metar === metar)
            for (const code of [row.iata, row.faa]) if (code) codes.set(code.toUpperCase(), row.id)
    }
  }
  const watch = await watchFeed({
    database,
    events,
    clock,
    feed: DATASET,
    title: 'the METAR cache',
    load: (tx, state) => load(tx, state?.version ?? 0),
    states: deps.states,
    changed: () => current.invalidateAll(),
    report: deps.report('METARs could not be read'),
  })
  const table = await watchFeed({
    database,
    events,
    clock,
    feed: STATIONS,
    title: 'the table of stations',
    async load(tx, state) {
      const mark = `${state?.version ?? 0}`
      if (mark === stationVersion) return () => undefined
      const replace = await loadStations(tx)
      return () => {
        stationVersion = mark
        replace()
      }
    },
    states: deps.states,
    report: deps.report('the table of stations could not be read'),
  })

  const describe = (report: Observation): ObservingStation => {
    const site = sites.get(report.station)
    return {
      id: report.station,
      name: site?.name ?? report.station,
      state: site?.state ?? null,
      country: site?.country ?? null,
      lat: report.lat,
      lon: report.lon,
      elevation: site?.elevation_m ?? report.elevation,
    }
  }
  /** Whether the table has a station that should report within reach of a point. */
  const listedNear = (lat: number, lon: number): boolean => {
    for (const site of sites.values())
      if (
        site.metar &&
        site.lat !== null &&
        site.lon !== null &&
        Math.abs(site.lat - lat) < 2 &&
        distanceKm(lat, lon, site.lat, site.lon) <= STATION_REACH_KM
      )
        return true
    return false
  }

  const at: Observations['at'] = async ({ lat, lon, now }) => {
    // A feed that was never read has no data yet: not a failure, and no stations.
    if (!watch.state?.confirmed_at && !watch.failed && newest.size === 0) {
      const warning: MetaWarning = { code: 'not_held', section: 'metar', detail: 'no METAR has been read yet' }
      return { warnings: [warning], freshness: [], degraded: false }
    }
    const warnings: MetaWarning[] = [...watch.warnings('metar', now)]
    const found = tree.near(lat, lon, MAX_CANDIDATES, STATION_REACH_KM)
    const choice = chooseStation(
      found.map(({ index, km }) => ({ km, age: Math.max(0, now - order[index]!.observedAt), index })),
    )
    if (!choice) {
      const reached = found.length > 0 || listedNear(lat, lon)
      warnings.push(
        reached
          ? {
              code: 'stale_source',
              section: 'metar',
              product_id: DATASET,
              detail: 'no station within 150 km has reported in the last three hours',
            }
          : {
              code: 'no_coverage',
              section: 'metar',
              product_id: DATASET,
              detail: 'no station that reports METARs is within 150 km',
            },
      )
      return { warnings, freshness: [], degraded: warnings.some(({ code }) => code !== 'no_coverage') }
    }
    const report = order[choice.station.index]!
    if (choice.stale) {
      const minutes = Math.round((now - report.observedAt) / 60_000)
      warnings.push({
        code: 'stale_source',
        section: 'metar',
        product_id: DATASET,
        detail: `the report of ${report.station} is ${minutes} minutes old, and no nearer station has a newer one`,
      })
    }
    return {
      nearest: { station: describe(report), report, km: choice.station.km },
      warnings,
      freshness: [
        { source: DATASET, product_id: DATASET, referenceTime: report.observedAt, latestValid: report.observedAt },
      ],
      degraded: warnings.length > 0,
      nextChange: report.observedAt + (choice.stale ? USABLE_REPORT_MS : FRESH_REPORT_MS),
    }
  }

  return {
    suppliers: { observations: at },
    at,
    station(code) {
      const id = code.toUpperCase()
      const known = newest.get(id) ?? newest.get(codes.get(id) ?? '')
      if (known) return describe(known)
      const site = sites.get(id) ?? sites.get(codes.get(id) ?? '')
      if (!site || site.lat === null || site.lon === null) return undefined
      const { name, state, country, lat, lon, elevation_m } = site
      return { id: site.id, name, state, country, lat, lon, elevation: elevation_m }
    },
    newest: (id) => newest.get(id),
    near(lat, lon, km, count, now, maxAgeMs) {
      return tree
        .near(lat, lon, count, km, (index) => now - order[index]!.observedAt <= maxAgeMs)
        .map(({ index, km: away }) => ({ station: describe(order[index]!), report: order[index]!, km: away }))
    },
    reporting: () => order.map((report) => ({ station: describe(report), report })),
    warnings: watch.warnings,
    read: async () => {
      await table.read()
      await watch.read()
    },
    ages: (): readonly FeedAge[] => {
      const confirmed = watch.state?.updated?.getTime()
      return confirmed === undefined ? [] : [{ dataset: DATASET, domain: 'conus', at: confirmed }]
    },
    async close() {
      await watch.close()
      await table.close()
    },
  }
}
