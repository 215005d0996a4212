import { expect, test } from 'vitest'
import { entryOf } from '../../ingest/domain/nth.ts'
import { measureTruth, type Tolerance, tableOf } from './weather-truth.ts'

/**
 * Allowed errors in canonical units: the 99th percentile and the maximum over all values that a source provides itself. Most of the
 * error comes from the grid: values are interpolated between every 16th point (40 km), and the largest errors are at fronts. With every
 * 8th point the errors are a quarter. Wind chill sets in at 3 mph with a step of up to 7 K. `node test/walks/weather-truth.ts` measures
 * any spacing at resolution 7, and July too.
 */
const tolerance: Tolerance = {
  temperature: [0.4, 1],
  dew_point: [0.45, 1.1],
  humidity: [1.3, 4.5],
  feels_like: [0.7, 9],
  wind_speed: [0.4, 3.5],
  wind_gust: [0.55, 4.2],
  wind_direction: [1.9, 9],
  visibility: [1500, 7500],
  cloud_cover: [5, 33],
  cloud_cover_low: [3.3, 25],
  cloud_cover_mid: [3, 24],
  cloud_cover_high: [3, 25],
  cloud_ceiling: [700, 1500],
  pressure: [22, 53],
  cape: [13, 50],
  uv_index: [0.12, 1.9],
  thunderstorm_probability: [1, 3],
  precip_type_rain_prob: [14, 53],
  precip_type_snow_prob: [11, 35],
  precip_type_freezing_rain_prob: [7.5, 50],
  precip_type_ice_pellets_prob: [3.5, 32],
  snow_level: [52, 250],
  precip_amount: [0.75, 16.5],
  precip_probability: [17, 65],
  snow_amount: [6, 225],
  'pressure (between times)': [40, 60],
  'cloud_cover_low (between times)': [19, 47],
  'cloud_cover_mid (between times)': [20, 47],
  'cloud_cover_high (between times)': [22, 45],
  'daily.high': [0.45, 1.1],
  'daily.low': [0.4, 0.7],
  'daily.precip_total': [6, 16],
  'current.temperature': [0.42, 0.7],
  'current.dew_point': [0.47, 0.8],
  'current.humidity': [1.4, 3.2],
  'current.feels_like': [0.85, 4.5],
  'current.wind_speed': [0.35, 1.5],
  'current.wind_gust': [0.45, 2.1],
  'current.wind_direction': [2, 4.4],
  'current.visibility': [1700, 4000],
  'current.cloud_cover': [6, 18],
  'current.pressure': [22, 45],
}

const POINTS = 2000

test.each([
  ['23', '2026-03-07T08:20:00Z'],
  ['25', '2026-10-31T08:20:00Z'],
])(
  '2,000 points of three domains agree with the truth from GRIB2 to JSON on a day of %s hours',
  {
    timeout: 300_000,
  },
  async (_, at) => {
    const { errors, answered, domains } = await measureTruth({
      now: Date.parse(at),
      points: POINTS,
      coarse: 16,
      resolution: 5,
      runs: [
        { dataset: 'rtma', maxLead: 0 },
        { dataset: 'nbm', maxLead: 36 },
        { dataset: 'hrrr', maxLead: 18 },
        { dataset: 'gfs', maxLead: 48 },
      ],
      hours: 34,
      days: 2,
    })
    console.log(`${at}, ${answered} points\n${tableOf(errors, tolerance)}`)
    expect(answered).toBe(POINTS)
    expect([...domains].sort()).toEqual(['alaska', 'conus', 'hawaii'])
    const report = errors.report()
    expect(report.map(({ field }) => field).sort()).toEqual(Object.keys(tolerance).sort())
    for (const { field, count, p99, worst, where } of report) {
      const [usual, most] = entryOf(tolerance, field)
      expect(count, field).toBeGreaterThan(POINTS * 0.9)
      expect(p99, `${field}, 99th percentile`).toBeLessThanOrEqual(usual)
      expect(worst, `${field}: ${where}`).toBeLessThanOrEqual(most)
    }
  },
)
