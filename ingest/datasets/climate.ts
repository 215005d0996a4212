import type { FeedDataset } from '../domain/dataset/dataset.ts'
import { alaska, conus, hawaii } from './domains.ts'

export const climateNormals: FeedDataset = {
  id: 'normals',
  role: 'normals',
  title: 'Daily climate normals 1991–2020',
  description:
    'Normal high, low, mean and precipitation of every day of the year with standard deviations, by station; read at their first use and stored.',
  kind: 'climatology',
  provider: 'NOAA/NCEI',
  attribution: 'NOAA NCEI U.S. Climate Normals 1991–2020',
  domains: [conus, alaska, hawaii],
  cadenceSeconds: 0,
  // A sweep costs only one read of the object store if the list of stations is already stored.
  pollSeconds: 300,
  latencySeconds: 0,
  // Only the list of stations becomes stale at this age; normals do not change.
  staleAfterSeconds: 86_400,
  deadlineSeconds: 0,
}

export const climateReports: FeedDataset = {
  id: 'climate-reports',
  role: 'climate_reports',
  family: 'text',
  title: 'NWS daily climate reports and record event reports',
  description:
    'What climate stations measured each day (CLI) beside normals and records, and which records were set (RER).',
  kind: 'text',
  provider: 'NOAA/NWS',
  attribution: 'National Weather Service climate reports',
  domains: [conus, alaska, hawaii],
  cadenceSeconds: 43_200,
  pollSeconds: 300,
  latencySeconds: 600,
  staleAfterSeconds: 3600,
  deadlineSeconds: 0,
}

/** The text products that we read, and the addresses at api.weather.gov that list them. */
export const climateLists = (['CLI', 'RER'] as const).map((kind) => ({
  kind,
  all: `https://api.weather.gov/products/types/${kind}`,
  locations: `https://api.weather.gov/products/types/${kind}/locations`,
}))

export const productUrl = (id: string) => `https://api.weather.gov/products/${encodeURIComponent(id)}`
