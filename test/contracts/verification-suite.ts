import { afterAll, beforeAll, expect, test } from 'vitest'
import { reportsInHour } from '../../infra/simulator/feeds/metar.ts'
import { loadConfig } from '../../ingest/config.ts'
import { decodeMetar } from '../../ingest/decode/station/metar.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { DAY, dateText, HOUR, MINUTE } from '../../ingest/domain/time.ts'
import {
  DAY_LEAD_HOURS,
  type ForecastRequest,
  HOUR_ELEMENTS,
  LEAD_HOURS,
  READ_SOURCES,
} from '../../ingest/domain/verification/forecast.ts'
import { slotOf } from '../../ingest/domain/verification/statistics.ts'
import type { Observation } from '../../ingest/domain/weather/observation.ts'
import { stations } from '../../ingest/geo/site.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openPool } from '../../ingest/steps/pool.ts'
import type { Pool } from '../../ingest/steps/pool-tasks.ts'
import { putObservations, putStations } from '../../sql/queries/observations.ts'
import { isIssued, isVerified } from '../../sql/queries/verification.ts'
import { sumsByDay } from '../../sql/queries/verification-sums.ts'
import { createActivities } from '../../workers/activities/index.ts'
import type { Activities, ActivityDeps } from '../../workers/activities.ts'
import type { Engine } from '../../workers/engine.ts'

export interface VerificationPlace {
  readonly database: Database
  readonly objects: Objects
  engine(activities: Activities): Promise<Engine>
  close(): Promise<void>
}

const START = Date.UTC(2026, 2, 2)
const EVERY = 6 * HOUR
/** Temperature of every forecast, °C. */
const ERROR = 3
const ids = ['KDEN', 'KBOS', 'KSEA', 'KMIA']

/** The workflow of verification on an engine: it stores hours, compares days once, and repeats a failed read. */
export function verificationSuite(open: () => Promise<VerificationPlace>): void {
  let place: VerificationPlace
  let engine: Engine
  let pool: Pool
  let now = START + 5 * MINUTE
  let refused = 0
  let finished = 0
  /** Temperature that was reported for an hour: `KDEN 1772409600000`. */
  const came = new Map<string, number>()

  beforeAll(async () => {
    place = await open()
    const chosen = ids.map((id) => stations().find((station) => station.id === id)!)
    const reports = new Map<string, Observation>()
    for (const station of chosen)
      for (let hour = START - DAY; hour < START + 2 * DAY; hour += HOUR)
        for (const { raw, at, special } of reportsInHour(station, hour)) {
          const decoded = decodeMetar(raw, at)
          if (special || !('report' in decoded)) continue
          const { report } = decoded
          reports.set(`${report.station} ${report.observedAt}`, {
            ...{ ...report, lat: station.lat, lon: station.lon, elevation: null },
          })
          if (report.temperature !== null) came.set(`${station.id} ${hour + HOUR}`, report.temperature)
        }
    await putStations(
      place.database,
      chosen.map(({ id, name, lat, lon }) => ({
        ...{ id, name, lat, lon, iata: null, faa: null, state: null, country: 'US', elevation_m: null, metar: true },
      })),
      1,
    )
    await putObservations(place.database, [...reports.values()], 1)
    pool = openPool({ threads: 1 })
    const activities = createActivities({
      database: place.database,
      objects: place.objects,
      slabs: place.objects,
      pool,
      config: loadConfig({}),
      clock: () => now,
      note: () => {},
      forecasts: async (request: ForecastRequest) => {
        if (refused++ === 0) throw new Fault('Refused', 'the object store does not answer', {})
        const width = HOUR_ELEMENTS.length
        const { stations: list, morning } = request
        const hours = new Float32Array(LEAD_HOURS.length * list.length * READ_SOURCES.length * width).fill(Number.NaN)
        const issued = Math.floor(request.now / HOUR) * HOUR
        for (const [l, lead] of LEAD_HOURS.entries())
          for (const [s, { id }] of list.entries())
            hours[(l * list.length + s) * READ_SOURCES.length * width] =
              (came.get(`${id} ${issued + lead * HOUR}`) ?? Number.NaN) + ERROR
        return {
          hours,
          days: new Float32Array(DAY_LEAD_HOURS.length * morning.length * READ_SOURCES.length * 2).fill(Number.NaN),
          analysis: new Float32Array(list.length * width).fill(Number.NaN),
          analysed: new Float64Array(list.length).fill(Number.NaN),
        }
      },
    } as unknown as ActivityDeps)
    engine = await place.engine({
      ...activities,
      async scoreDays() {
        await activities.scoreDays()
        finished++
      },
    })
    await engine.work()
  }, 120_000)
  afterAll(async () => {
    await engine?.stop()
    await pool?.close()
    await place?.close()
  })

  let started = 0
  const run = async (attempt: string) => {
    await engine.start('verifyForecasts', `verify-forecasts/${now}/${attempt}`, {})
    started++
  }
  const sums = async () =>
    (
      await sumsByDay(place.database, {
        ...{ kind: 'all', areas: ['US'], variable: 'temperature', from: '2026-01-01', to: '2026-12-31' },
      })
    ).map(({ day, sums: list }) => ({ day, sums: list.slice(0, 1000) }))

  test('stores hours and compares a day once, even after a failed read', { timeout: 180_000 }, async () => {
    for (; now < START + 2 * DAY; now += EVERY) {
      await run('first')
      const issued = new Date(Math.floor(now / HOUR) * HOUR)
      await expect.poll(() => isIssued(place.database, issued), { timeout: 60_000, interval: 100 }).toBe(true)
    }
    // The last day ends at an hour without a forecast to store.
    now = START + 2 * DAY + 2 * HOUR + 40 * MINUTE
    await run('first')
    const last = dateText(START / DAY + 1)
    await expect.poll(() => isVerified(place.database, last), { timeout: 60_000, interval: 100 }).toBe(true)
    expect(refused).toBeGreaterThan(8)

    const rows = await sums()
    expect(rows.map(({ day }) => day)).toEqual([dateText(START / DAY), last])
    const at = 4 * slotOf('hour', { source: 'blend', leadHours: 24 })!
    const pairs = [0, 6, 12, 18].flatMap((hour) =>
      ids.filter((id) => came.has(`${id} ${START + DAY + hour * HOUR}`)),
    ).length
    expect(nth(rows, 0).sums[at]).toBe(0)
    expect(nth(rows, 1).sums[at]).toBe(pairs)
    expect(nth(nth(rows, 1).sums, at + 1) / pairs).toBeCloseTo(ERROR, 1)

    // Two more workflows run at the same time and must add nothing.
    await Promise.all([run('second'), run('third')])
    await expect.poll(() => finished, { timeout: 60_000, interval: 100 }).toBe(started)
    expect(await sums()).toEqual(rows)
  })
}
