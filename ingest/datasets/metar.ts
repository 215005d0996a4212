import type { FeedDataset } from '../domain/dataset/dataset.ts'
import { HOUR, type Instant, stamp } from '../domain/time.ts'
import { alaska, conus, hawaii } from './domains.ts'

const awc = 'https://aviationweather.gov/data/cache'

export const metarCacheUrl = `${awc}/metars.cache.csv.gz`
export const stationTableUrl = `${awc}/stations.cache.json.gz`

/** The second source of METARs. */
export const METAR_CYCLES = 'https://tgftp.nws.noaa.gov/data/observations/metar/cycles/'

/** Returns the address of the file of one UTC hour, which is overwritten every day. */
export const metarCycleUrl = (hour: Instant, folder = METAR_CYCLES): string => `${folder}${stamp(hour).hour}Z.TXT`

/** Age up to which a new installation reads the cycle files, ms. */
export const METAR_BACKFILL_MS = 24 * HOUR

export const metar: FeedDataset = {
  id: 'metar',
  role: 'station_reports',
  title: 'METAR and SPECI reports',
  description:
    'What the stations of airports measure, every hour and when the weather changes: temperature, dew point, wind, visibility, clouds, weather, altimeter setting. The 50 states, Canada, Mexico and the Caribbean; 72 hours.',
  kind: 'station',
  provider: 'NOAA/NWS/AWC',
  attribution: 'NWS Aviation Weather Center METARs',
  gives: [
    { name: 'temperature', unit: 'K', description: 'air temperature at 2 m, to 0.1 °C where the remarks have it' },
    { name: 'dew_point', unit: 'K', description: 'dew point at 2 m' },
    { name: 'wind_speed', unit: 'm/s', description: 'two-minute mean wind at 10 m' },
    { name: 'wind_gust', unit: 'm/s', description: 'gust of the past ten minutes; null if none is reported' },
    {
      name: 'wind_direction',
      unit: 'deg',
      description: 'direction from which the wind blows; null if calm or variable',
    },
    { name: 'visibility', unit: 'm', description: 'prevailing visibility; stations report at most 10 miles' },
    { name: 'pressure', unit: 'Pa', description: 'altimeter setting' },
    {
      name: 'cloud_ceiling',
      unit: 'm',
      description: 'lowest broken, overcast or obscured layer; null if there is none',
    },
  ],
  domains: [conus, alaska, hawaii],
  cadenceSeconds: 3600,
  pollSeconds: 60,
  latencySeconds: 300,
  staleAfterSeconds: 90 * 60,
  deadlineSeconds: 0,
}
