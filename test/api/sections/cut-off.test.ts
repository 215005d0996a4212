import { expect, test } from 'vitest'
import { createWeather } from '../../../api/answer/weather.ts'
import type { Current } from '../../../api/live/served-runs.ts'
import { parseWeather } from '../../../api/query/query.ts'
import { violationsOf } from '../../../bin/doctor/rules.ts'
import { gridDatasets } from '../../../ingest/catalog.ts'
import { hrrr } from '../../../ingest/datasets/hrrr.ts'
import type { GridDataset } from '../../../ingest/domain/dataset/dataset.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { analyticCurrent } from '../analytic-runs.ts'
import { parsed } from '../answer/parsed.ts'

interface Half {
  readonly temperature: number | null
  readonly dew_point: number | null
  readonly humidity: number | null
  readonly feels_like: number | null
  readonly precip_total: number | null
  readonly precip_probability: number | null
  readonly narrative?: string
}
interface Answer {
  readonly hourly: readonly {
    readonly time: string
    readonly temperature: number
    readonly precip_probability: number | null
  }[]
  readonly daily: readonly {
    readonly date: string
    readonly high: number | null
    readonly low: number | null
    readonly precip_probability: number | null
    readonly day: Half
    readonly night: Half
  }[]
  readonly meta: { readonly warnings: readonly { readonly code: string; readonly section: string }[] }
}

test('leaves out extreme, total and narrative of a half of which forecasts cover only a few hours, and warns where they end', async () => {
  let [cut, full] = [0, 0]
  for (let hour = 0; hour < 24; hour++) {
    const now = Date.UTC(2026, 6, 25, hour, 20)
    const all = analyticCurrent(now)
    // Two days and no more.
    const current: Current = {
      ...all,
      served: (id, domain) => (id === 'nbm' || id === 'gfs' ? undefined : all.served(id, domain)),
    }
    const weather = createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7 })
    const query = parseWeather({ location: '39.74,-104.99', hourly_hours: '72', days: '4', units: 'metric' })
    const { hourly, daily, meta } = parsed(await weather.answer(query, now)) as unknown as Answer
    const end = Date.parse(hourly.at(-1)!.time) + HOUR
    const row = daily.at(-1)!
    for (const [half, begin, extreme] of [
      [row.day, Date.parse(`${row.date}T12:00:00Z`), row.high],
      [row.night, Date.parse(`${row.date}T24:00:00Z`), row.low],
    ] as const) {
      const reached = (end - begin) / HOUR
      const members = [extreme, half.temperature, half.precip_total, half.narrative ?? null]
      const missing = members.filter((member) => member === null).length
      // Halves of 9 to 12 hours may have some of them.
      expect(missing).toBeGreaterThanOrEqual(reached < 9 ? 4 : 0)
      expect(missing).toBeLessThanOrEqual(reached < 12 ? 4 : 0)
      if (reached < 9) cut++
      if (reached >= 12) full++
    }
    expect(meta.warnings).toContainEqual(expect.objectContaining({ code: 'source_incomplete', section: 'daily' }))
  }
  expect(cut).toBeGreaterThan(9)
  expect(full).toBeGreaterThan(6)
})

test('leaves out values of a half whose source ends in its first hours', async () => {
  let ended = 0
  for (let hour = 0; hour < 24; hour += 3) {
    const now = Date.UTC(2026, 6, 25, hour, 20)
    const weather = createWeather({
      current: analyticCurrent(now),
      datasets: gridDatasets,
      suppliers: {},
      resolution: 7,
    })
    // NBM, which alone has probabilities, ends on the twelfth day; GFS goes on.
    const query = parseWeather({ location: '33.75,-84.39', hourly_hours: '336', days: '14', units: 'metric' })
    const { hourly, daily } = parsed(await weather.answer(query, now)) as unknown as Answer
    for (const row of daily.slice(1)) {
      const nightfall = Date.parse(`${row.date}T22:00:00Z`)
      const halves = [
        [row.day, nightfall - 12 * HOUR, nightfall],
        [row.night, nightfall, nightfall + 12 * HOUR],
      ] as const
      for (const [half, begin, end] of halves) {
        const hours = hourly.filter(({ time }) => Date.parse(time) > begin && Date.parse(time) <= end)
        const known = hours.filter((hour) => hour.precip_probability !== null).length
        if (hours.length < 12 || known === 0 || known >= 9) continue
        expect([half.precip_probability, row.precip_probability]).toEqual([null, null])
        ended++
      }
    }
  }
  expect(ended).toBeGreaterThan(3)
})

test('has neither air nor words for a half in which the hours end, although NBM gives its extreme', async () => {
  let [cut, full] = [0, 0]
  for (let hour = 0; hour < 24; hour++) {
    const now = Date.UTC(2026, 4, 5, hour, 55)
    const all = analyticCurrent(now)
    const current: Current = { ...all, served: (id, domain) => (id === 'gfs' ? undefined : all.served(id, domain)) }
    const weather = createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7 })
    const query = parseWeather({ location: '19.26,-155.15', hourly_hours: '336', days: '14', units: 'metric' })
    const { hourly, daily } = parsed(await weather.answer(query, now)) as unknown as Answer
    const end = Date.parse(hourly.at(-1)!.time) + HOUR
    for (const row of daily.slice(1)) {
      const nightfall = Date.parse(`${row.date}T00:00:00Z`) + 28 * HOUR
      for (const [half, begin] of [
        [row.day, nightfall - 12 * HOUR],
        [row.night, nightfall],
      ] as const) {
        const air = [half.temperature, half.dew_point, half.humidity, half.feels_like, half.narrative ?? null]
        const reached = (end - begin) / HOUR
        if (reached < 9.6) {
          expect(air).toEqual([null, null, null, null, null])
          cut++
        } else {
          expect(air).not.toContain(null)
          full++
        }
      }
    }
  }
  expect(cut).toBeGreaterThan(0)
  expect(full).toBeGreaterThan(200)
})

test.each([5, 48])(
  'does not contradict itself if the only forecasts are those of HRRR up to hour %i',
  async (lastLead) => {
    const { leads } = hrrr
    const violations = new Set<string>()
    Object.assign(hrrr, {
      leads: (run, domain) => leads(run, domain).filter((lead) => lead <= lastLead),
    } satisfies Partial<GridDataset>)
    try {
      for (let hour = 0; hour < 24; hour++) {
        const now = Date.UTC(2026, 6, 25, hour, 20)
        const all = analyticCurrent(now)
        const current: Current = {
          ...all,
          served: (id, domain) => (/^(?:hrrr|rtma|past-hours)$/.test(id) ? all.served(id, domain) : undefined),
        }
        const weather = createWeather({ current, datasets: gridDatasets, suppliers: {}, resolution: 7 })
        const query = parseWeather({ location: '39.74,-104.99', hourly_hours: '72', days: '4', units: 'metric' })
        const answer = parsed(await weather.answer(query, now))
        for (const { rule, detail } of violationsOf(answer)) violations.add(`${rule}: ${detail}`)
      }
    } finally {
      Object.assign(hrrr, { leads })
    }
    expect([...violations]).toEqual([])
  },
)
