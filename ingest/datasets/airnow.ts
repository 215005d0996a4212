import type { FeedDataset } from '../domain/dataset/dataset.ts'
import { type Instant, stamp } from '../domain/time.ts'
import { alaska, conus, hawaii } from './domains.ts'

const host = 'https://files.airnowtech.org/airnow'

export const reportingAreaUrl = `${host}/today/reportingarea.dat`

export const hourlyObservationsUrl = (start: Instant): string => {
  const { day, hour } = stamp(start)
  return `${host}/${day.slice(0, 4)}/${day}/HourlyAQObs_${day}${hour}.dat`
}

export const airnow: FeedDataset = {
  id: 'airnow',
  role: 'air_quality',
  title: 'AirNow air quality monitors',
  description:
    'AQI sub-indexes (NowCast) of PM2.5, ozone and PM10 at the monitors of the air quality agencies, hourly, and the forecasts for their reporting areas. AirNow data are preliminary.',
  kind: 'station',
  provider: 'US EPA AirNow',
  attribution: 'AirNow (US EPA and partner agencies)',
  gives: [
    { name: 'aqi', unit: 'AQI', description: 'the largest of the sub-indexes' },
    { name: 'pm25', unit: 'AQI', description: 'NowCast sub-index of PM2.5' },
    { name: 'ozone', unit: 'AQI', description: 'NowCast sub-index of ozone' },
    { name: 'pm10', unit: 'AQI', description: 'NowCast sub-index of PM10' },
  ],
  domains: [conus, alaska, hawaii],
  cadenceSeconds: 3600,
  pollSeconds: 600,
  latencySeconds: 35 * 60,
  staleAfterSeconds: 4 * 3600,
  deadlineSeconds: 0,
}
