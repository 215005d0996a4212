import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../ingest/domain/time.ts'
import {
  airQualityFrom,
  aqiCategory,
  type MonitorHour,
  usableHours,
} from '../../../ingest/domain/weather/air-quality.ts'

const now = Date.UTC(2026, 1, 7, 7, 20)
const H = Date.UTC(2026, 1, 7, 7)
const hour = (id: string, back: number, values: Partial<MonitorHour>): MonitorHour => ({
  id,
  name: id,
  lat: 40,
  lon: -105,
  hour: H - back * HOUR,
  agency: 'A',
  active: true,
  pm25: null,
  ozone: null,
  pm10: null,
  ...values,
})

test.each([
  [0, 'Good'],
  [50, 'Good'],
  [51, 'Moderate'],
  [100, 'Moderate'],
  [101, 'Unhealthy for Sensitive Groups'],
  [150, 'Unhealthy for Sensitive Groups'],
  [151, 'Unhealthy'],
  [200, 'Unhealthy'],
  [201, 'Very Unhealthy'],
  [300, 'Very Unhealthy'],
  [301, 'Hazardous'],
  [700, 'Hazardous'],
])('AQI %i is %s', (aqi, category) => expect(aqiCategory(aqi)).toBe(category))

test('uses the three hours before the current hour', () => {
  expect(usableHours(now)).toEqual([H - HOUR, H - 2 * HOUR, H - 3 * HOUR])
  expect(usableHours(H + 59 * MINUTE)).toEqual(usableHours(H))
})

test('selects for each pollutant the nearest monitor with a value, and its newest hour', () => {
  const near = {
    km: 3,
    hours: [hour('near', 1, { ozone: 20 }), hour('near', 2, { ozone: 25, pm25: 61 }), hour('near', 4, { pm10: 5 })],
  }
  const far = { km: 60, hours: [hour('far', 1, { ozone: 90, pm25: 90, pm10: 12 })] }
  const beyond = { km: 75.1, hours: [hour('beyond', 1, { pm10: 400 })] }
  const quality = airQualityFrom([near, far, beyond], now)
  expect(quality).toMatchObject({
    aqi: 61,
    category: 'Moderate',
    readings: {
      ozone: { aqi: 20, km: 3 },
      pm25: { aqi: 61, monitor: { hour: H - 2 * HOUR } },
      pm10: { aqi: 12, km: 60 },
    },
    leading: { monitor: { id: 'near' } },
  })
})

test('leaves out inactive rows and hours that are too old or not over', () => {
  const rows = [hour('a', 1, { pm25: 10, active: false }), hour('a', 2, { pm25: 30 }), hour('a', 0, { pm25: 99 })]
  expect(airQualityFrom([{ km: 1, hours: rows }], now).aqi).toBe(30)
  expect(airQualityFrom([{ km: 1, hours: [hour('a', 4, { pm25: 30 })] }], now)).toEqual({ readings: {}, aqi: null })
  expect(airQualityFrom([{ km: 1, hours: [hour('a', 1, { pm25: 0 })] }], now)).toMatchObject({
    aqi: 0,
    category: 'Good',
  })
})
