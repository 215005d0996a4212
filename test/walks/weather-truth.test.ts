import { expect, test } from 'vitest'
import { measureTruth, type Tolerance, tableOf } from './weather-truth.ts'

/**
 * Canonical units. Most of it is the grid: every 16th point (40 km) is interpolated between; at every 8th point the same
 * errors are a quarter. `node test/walks/weather-truth.ts` measures 2,000 points of any spacing, with both days of clock change.
 */
const tolerance: Tolerance = {
  temperature: 1,
  dew_point: 1,
  humidity: 4,
  wind_speed: 2,
  wind_gust: 2.5,
  wind_direction: 6,
  cloud_cover: 25,
  pressure: 40,
  cape: 70,
  thunderstorm_probability: 3,
  precip_type_rain_prob: 45,
  precip_type_snow_prob: 45,
  snow_level: 200,
  precip_amount: 9,
  precip_probability: 50,
  'daily.high': 0.5,
  'current.temperature': 0.6,
  'current.dew_point': 0.6,
  'current.wind_speed': 0.6,
  'current.cloud_cover': 10,
  'current.pressure': 40,
}

test('from GRIB2 to JSON: points of three domains, coasts and borders too, on the eve of a 23-hour day, against the truth', {
  timeout: 240_000,
}, async () => {
  const { errors, answered, domains } = await measureTruth({
    now: Date.parse('2026-03-07T20:20:00Z'),
    points: 150,
    coarse: 16,
    resolution: 5,
    wished: [
      { dataset: 'rtma', maxLead: 0 },
      { dataset: 'nbm', maxLead: 36 },
      { dataset: 'hrrr', maxLead: 18 },
      { dataset: 'gfs', maxLead: 48 },
    ],
    hours: 34,
    days: 2,
  })
  console.log(`${answered} points\n${tableOf(errors, tolerance)}`)
  expect(answered).toBe(150)
  expect([...domains].sort()).toEqual(['alaska', 'conus', 'hawaii'])
  const report = errors.report()
  for (const [field, allowed] of Object.entries(tolerance)) {
    const found = report.find((row) => row.field === field)
    expect(found, field).toBeDefined()
    expect(found!.count, field).toBeGreaterThan(100)
    expect(found!.worst, `${field}: ${found!.where}`).toBeLessThanOrEqual(allowed)
  }
})
