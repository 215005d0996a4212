import { LRUCache } from 'lru-cache'
import type { ServedRun } from '../../api/contract.ts'
import type { Current } from '../../api/live/served-runs.ts'
import {
  fallenInHour,
  precipProbability,
  probabilityBelow,
  spreads,
  surfaceHeight,
  weatherAt,
} from '../../infra/simulator/atmosphere.ts'
import { memberTimes } from '../../infra/simulator/refs.ts'
import { gridDatasets } from '../../ingest/catalog.ts'
import { cellOf, centreOf } from '../../ingest/domain/cell.ts'
import type { GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { PAST_AMOUNT, PAST_HOURS, PAST_HOURS_COUNT } from '../../ingest/domain/dataset/past-hours.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { CellVariables, OpenRun, PointSeries, Series, TileRow } from '../../ingest/tile/read.ts'

type Air = ReturnType<typeof weatherAt>
type Fallen = ReturnType<typeof fallenInHour>

/** The atmosphere and the runs at the cells that were asked last: a test asks for the same place in several forms. */
const atmospheres = new LRUCache<string, ReturnType<typeof makeAtmosphere>>({ max: 16 })
const points = new LRUCache<string, PointSeries>({ max: 200 })

function atmosphereAt(cell: string) {
  let known = atmospheres.get(cell)
  if (!known) atmospheres.set(cell, (known = makeAtmosphere(cell)))
  return known
}

function makeAtmosphere(cell: string) {
  const [lat, lon] = centreOf(cell)
  const air = new Map<Instant, Air>()
  const fallen = new Map<Instant, Fallen>()
  return {
    air(valid: Instant): Air {
      let value = air.get(valid)
      if (!value) air.set(valid, (value = weatherAt(lat, lon, valid)))
      return value
    },
    fallen(end: Instant): Fallen {
      let value = fallen.get(end)
      if (!value) fallen.set(end, (value = fallenInHour(lat, lon, end)))
      return value
    },
  }
}

/** Variables that are computed when they are read first. */
class AnalyticVariables implements CellVariables {
  readonly #makers = new Map<string, () => Series>()
  readonly #computed = new Map<string, Series>()

  put(name: string, make: () => Series): void {
    this.#makers.set(name, make)
  }
  get(name: string): Series | undefined {
    const computed = this.#computed.get(name)
    const make = this.#makers.get(name)
    if (computed || !make) return computed
    const series = make()
    this.#computed.set(name, series)
    return series
  }
  keys() {
    return this.#makers.keys()
  }
}

/** Computes all variables. */
function allOf(variables: CellVariables | undefined): ReadonlyMap<string, Series> {
  return new Map([...(variables?.keys() ?? [])].flatMap((name) => [[name, variables?.get(name) as Series]]))
}

/** Values of a run without losses from storage: the simulated atmosphere at the centre of the cell. */
export function analyticSeries(dataset: string, domain: DomainId, run: Instant, cell: string): PointSeries | undefined {
  const name = `${dataset}/${domain}/${run}/${cell}`
  const known = points.get(name)
  if (known) return known
  const series = makeSeries(dataset, domain, run, cell)
  if (series) points.set(name, series)
  return series
}

function makeSeries(dataset: string, domain: DomainId, run: Instant, cell: string): PointSeries | undefined {
  if (dataset === PAST_HOURS) return analyticPast(domain, run, cell)
  const about = gridDatasets.find(({ id }) => id === dataset) as GridDataset
  if (!about.domains.some(({ id }) => id === domain)) return undefined
  const [lat, lon] = centreOf(cell)
  const leads = about.leads(run, domain)
  const variables = new AnalyticVariables()
  const put = (name: string, at: readonly number[], value: (valid: Instant, lead: number) => number) => {
    variables.put(name, () => ({
      times: Float64Array.from(at, (lead) => run + lead * HOUR),
      values: Float32Array.from(at, (lead) => value(run + lead * HOUR, lead)),
      quantum: 0,
    }))
  }
  const { air, fallen } = atmosphereAt(cell)
  const fall = (what: 'liquid' | 'snow' | 'ice', end: Instant, hours: number) => {
    let sum = 0
    for (let hour = 0; hour < hours; hour++) sum += fallen(end - hour * HOUR)[what]
    return sum
  }
  if (dataset.startsWith('refs')) {
    const share = (name: string, at: readonly number[], isMet: (time: Instant) => boolean) =>
      put(name, at, (valid, lead) => {
        const times = memberTimes(domain, lead, valid)
        return (100 * times.filter(isMet).length) / times.length
      })
    const days = leads.filter((lead) => lead >= 24 && lead % 3 === 0)
    if (dataset === 'refs') {
      share('ensemble_visibility_prob_below_3mi', leads, (time) => air(time).visibility < 4829)
      share('ensemble_visibility_prob_below_5mi', leads, (time) => air(time).visibility < 8049)
      share('ensemble_ceiling_prob_below_3000ft', leads, (time) => air(time).ceiling < 915)
      share('ensemble_snow_nearby_prob_gt_1in', days, (time) => fall('snow', time, 24) > 25)
      share('ensemble_snow_nearby_prob_gt_3in', days, (time) => fall('snow', time, 24) > 76)
      put('ensemble_members', leads, (valid, lead) => memberTimes(domain, lead, valid).length)
    } else {
      share('ensemble_precip_probability', leads, (time) => fall('liquid', time, 1) > 0.254)
      share('ensemble_precip_prob_gt_010in', days, (time) => fall('liquid', time, 24) > 2.54)
      share('ensemble_precip_prob_gt_025in', days, (time) => fall('liquid', time, 24) > 6.35)
      put('ensemble_members', leads, (valid, lead) => memberTimes(domain, lead, valid).length)
    }
    return { dataset, domain, run, variables }
  }
  const ends = (hours: number) => leads.filter((lead) => lead >= hours && (run / HOUR + lead) % hours === 0)
  put('temperature', leads, (at) => air(at).temperature)
  put('dew_point', leads, (at) => air(at).dewPoint)
  put('wind_speed', leads, (at) => air(at).windSpeed)
  put('wind_direction', leads, (at) => air(at).windDirection)
  put('wind_gust', leads, (at) => air(at).windGust)
  put('visibility', leads, (at) => air(at).visibility)
  put('cloud_cover', leads, (at) => air(at).cloudCover)
  if (dataset.startsWith('rtma')) {
    put('cloud_ceiling', leads, (at) => air(at).ceiling)
    put('terrain_height', leads, () => surfaceHeight(lat, lon))
    return { dataset, domain, run, variables }
  }
  put('cape', leads, (at) => air(at).cape)
  if (dataset !== 'nbm') {
    put('pressure', leads, (at) => air(at).pressure)
    put('cloud_cover_low', leads, (at) => air(at).cloudLow)
    put('cloud_cover_mid', leads, (at) => air(at).cloudMid)
    put('cloud_cover_high', leads, (at) => air(at).cloudHigh)
    if (dataset === 'gfs') {
      put('ozone', leads, (at) => air(at).ozone)
      put(
        'precip_amount_3h',
        leads.filter((lead) => lead % 6 === 3),
        (at) => fall('liquid', at, 3),
      )
      put(
        'precip_amount_6h',
        leads.filter((lead) => lead > 0 && lead % 6 === 0),
        (at) => fall('liquid', at, 6),
      )
    } else {
      put(
        'precip_amount',
        leads.filter((lead) => lead > 0),
        (at) => fall('liquid', at, 1),
      )
      put('smoke', leads, (at) => air(at).smoke)
    }
    put('terrain_height', leads.slice(0, 1), () => surfaceHeight(lat, lon))
    return { dataset, domain, run, variables }
  }
  const hourly = leads.filter((lead) => lead <= 36)
  const six = ends(6)
  const pop = (end: Instant, hours: number) => precipProbability(fall('liquid', end, hours), air(end).cloudCover)
  put('cloud_ceiling', leads, (at) => air(at).ceiling)
  put('solar_radiation', hourly, (at) => air(at).solar)
  put('snow_level', leads, (at) => air(at).snowLevel)
  for (const [name, what] of [
    ['precip_amount', 'liquid'],
    ['snow_amount', 'snow'],
    ['ice_amount', 'ice'],
  ] as const) {
    put(name, hourly, (at) => fall(what, at, 1))
    put(`${name}_6h`, six, (at) => fall(what, at, 6))
  }
  put('precip_probability', hourly, (at) => pop(at, 1))
  put('precip_probability_6h', six, (at) => pop(at, 6))
  put('precip_probability_12h', ends(12), (at) => pop(at, 12))
  put('thunderstorm_probability', hourly, (at) => air(at).thunder)
  put(
    'thunderstorm_probability_3h',
    ends(3).filter((lead) => lead < 192),
    (at) => air(at).thunder,
  )
  put(
    'thunderstorm_probability_6h',
    six.filter((lead) => lead < 192),
    (at) => air(at).thunder,
  )
  put('precip_type_rain_prob', leads, (at) => 100 * air(at).rainFraction)
  put('precip_type_snow_prob', leads, (at) => 100 * air(at).snowFraction)
  put('precip_type_freezing_rain_prob', leads, (at) => 100 * air(at).freezingFraction)
  put('precip_type_ice_pellets_prob', leads, (at) => 100 * air(at).icePelletsFraction)
  const day = leads.filter((lead) => lead >= 24 && (run / HOUR + lead) % 24 === 12)
  for (const [percent, share] of [
    [10, 0.5],
    [50, 1],
    [90, 1.6],
  ] as const) {
    put(`snow_amount_24h_p${percent}`, day, (at) => share * fall('snow', at, 24))
  }
  const extreme = (end: Instant, pick: (...values: number[]) => number) =>
    pick(...Array.from({ length: 13 }, (_, hour) => air(end - hour * HOUR).temperature))
  put(
    'temperature_max_12h',
    ends(12).filter((lead) => (run / HOUR + lead) % 24 === 0),
    (at) => extreme(at, Math.max),
  )
  put(
    'temperature_min_12h',
    ends(12).filter((lead) => (run / HOUR + lead) % 24 === 12),
    (at) => extreme(at, Math.min),
  )
  for (const [name, key] of [
    ['temperature', 'temperature'],
    ['dew_point', 'dewPoint'],
    ['wind_speed', 'windSpeed'],
    ['wind_gust', 'windGust'],
  ] as const) {
    put(`${name}_stddev`, leads, (at, lead) => spreads(air(at).front, lead)[key])
  }
  put('visibility_prob_below_1mi', leads, (at) => probabilityBelow(air(at).visibility, 1609.34, 4))
  put('ceiling_prob_below_1000ft', leads, (at) => probabilityBelow(air(at).ceiling, 304.8, 3))
  return { dataset, domain, run, variables }
}

/** The analysed hours of the last day, and the precipitation of each. */
function analyticPast(domain: DomainId, run: Instant, cell: string): PointSeries {
  const { air, fallen } = atmosphereAt(cell)
  const times = Float64Array.from({ length: PAST_HOURS_COUNT }, (_, i) => run - (PAST_HOURS_COUNT - 1 - i) * HOUR)
  const seriesFrom = (value: (time: Instant) => number): Series => ({
    times,
    values: Float32Array.from(times, value),
    quantum: 0,
  })
  const variables = new Map<string, Series>([
    ['temperature', seriesFrom((at) => air(at).temperature)],
    ['dew_point', seriesFrom((at) => air(at).dewPoint)],
    ['wind_speed', seriesFrom((at) => air(at).windSpeed)],
    ['wind_direction', seriesFrom((at) => air(at).windDirection)],
    ['wind_gust', seriesFrom((at) => air(at).windGust)],
    ['cloud_cover', seriesFrom((at) => air(at).cloudCover)],
    [PAST_AMOUNT, seriesFrom((at) => fallen(at).liquid)],
  ])
  return { dataset: PAST_HOURS, domain, run, variables }
}

export interface RunTimes {
  readonly [dataset: string]: Instant | undefined
}

/** The newest run of each dataset that would be published at `now`. */
export function runsAt(now: Instant): RunTimes {
  const floor = (hours: number, late: number) => Math.floor((now - late * HOUR) / (hours * HOUR)) * hours * HOUR
  return {
    'rtma-ru': Math.floor((now - 25 * 60_000) / 900_000) * 900_000,
    rtma: floor(1, 0.75),
    [PAST_HOURS]: floor(1, 0.75),
    nbm: floor(1, 1.25),
    hrrr: floor(1, 1.5),
    'hrrr-long': floor(6, 2),
    gfs: floor(6, 5),
  }
}

/** A `Current` over analytic runs, without engines. */
export function analyticCurrent(
  now: Instant,
  runs: RunTimes = runsAt(now),
  /** Earlier runs of NBM that are still stored, newest first. */
  before: readonly Instant[] = [],
): Current & { set(next: RunTimes): void } {
  let current = runs
  let generation = 1
  const axes = new Map<string, ReadonlyMap<string, Series>>()
  const served = (dataset: string, domain: DomainId): ServedRun | undefined => {
    const run = current[dataset]
    return run === undefined ? undefined : at(dataset, domain, run)
  }
  const at = (dataset: string, domain: DomainId, run: Instant): ServedRun => {
    const opened = {
      dataset,
      domain,
      run,
      point: async (cell: string) => analyticSeries(dataset, domain, run, cell),
      get variables() {
        const name = `${dataset}/${domain}/${run}`
        const [lat, lon] = { conus: [39, -98], alaska: [64, -150], hawaii: [20.8, -156.5] }[domain]
        if (!axes.has(name)) axes.set(name, allOf(analyticSeries(dataset, domain, run, cellOf(lat!, lon!))?.variables))
        return axes.get(name)
      },
      // The values come from no file, so their addresses are null.
      provenance: async () => new Map(),
    } as unknown as OpenRun
    return {
      dataset,
      domain,
      run,
      manifestKey: `${dataset}/${domain}/${run}`,
      publishedAt: run,
      opened,
      open: async () => opened,
    }
  }
  return {
    served,
    earlier: (dataset, domain) => (dataset === 'nbm' ? before.map((run) => at(dataset, domain, run)) : []),
    all: () =>
      Object.keys(current).flatMap((dataset) =>
        (['conus', 'alaska', 'hawaii'] as const).flatMap((domain) => served(dataset, domain) ?? []),
      ),
    generation: () => generation,
    get mark() {
      return generation
    },
    changedSince: (mark) => generation > mark,
    invalidate: () => {},
    invalidateAll: () => {},
    globalGeneration: 0,
    simulated: () => true,
    confirmedAt: () => Number.MAX_SAFE_INTEGER,
    close: async () => {},
    set(next) {
      current = next
      generation++
    },
  }
}

/** Returns the variables as a tile stores them, in one array. */
function packed(variables: CellVariables): CellVariables {
  const rows = new Map<string, TileRow>()
  const all: number[] = []
  for (const name of variables.keys()) {
    const { times, quantum, values } = variables.get(name) as Series
    rows.set(name, { times, quantum, from: all.length })
    for (const value of values) all.push(value)
  }
  return {
    packed: { values: Float32Array.from(all), rows },
    get: (name) => variables.get(name),
    keys: () => rows.keys(),
  }
}

/** Like `analyticCurrent`, but each run has the same values at every cell, computed once: for tests and benches with many places. */
export function loadedCurrent(now: Instant): Current {
  const base = analyticCurrent(now)
  const loaded = new Map<string, ServedRun>()
  const cell = cellOf(39.74, -104.99)
  return {
    ...base,
    served(dataset, domain) {
      const key = `${dataset}/${domain}`
      const known = loaded.get(key)
      if (known) return known
      const served = base.served(dataset, domain)
      if (!served) return undefined
      const analytic = analyticSeries(dataset, domain, served.run, cell)
      const series = analytic && { ...analytic, variables: packed(analytic.variables) }
      const point = Object.assign(async () => series, { now: () => series })
      const opened = {
        manifestKey: key,
        dataset,
        domain,
        run: served.run,
        stage: 'h264',
        resolution: 7,
        cellCount: 1,
        point,
        variables: allOf(analytic?.variables),
        provenance: async () => new Map(),
      } as unknown as OpenRun
      const run: ServedRun = { ...served, opened, open: async () => opened }
      loaded.set(key, run)
      return run
    },
  }
}
