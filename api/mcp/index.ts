import { compareLocations } from './compare-locations.ts'
import { findBestWindow } from './find-best-window.ts'
import { getAlerts, searchAlerts } from './get-alerts.ts'
import { getCurrentConditions } from './get-current-conditions.ts'
import { getForecast, getHourlyForecast } from './get-forecast.ts'
import { getForecastDistribution } from './get-forecast-distribution.ts'
import { getGrowingDegreeDays } from './get-growing-degree-days.ts'
import { getLightningActivity } from './get-lightning-activity.ts'
import { getMapSnapshot } from './get-map-snapshot.ts'
import { getPastWeather } from './get-past-weather.ts'
import { getPrecipitationNowcast } from './get-precipitation-nowcast.ts'
import { getPrecipitationTotals } from './get-precipitation-totals.ts'
import { getRadar } from './get-radar.ts'
import { getRouteWeather } from './get-route-weather.ts'
import { getServiceStatus } from './get-service-status.ts'
import { getFireWeather, getSevereOutlook } from './get-severe-outlook.ts'
import { getStormTracks } from './get-storm-tracks.ts'
import { getSunMoon } from './get-sun-moon.ts'
import { describeDataset, listDatasets } from './list-datasets.ts'
import { queryDataset } from './query-dataset.ts'
import { searchLocations } from './search-locations.ts'
import type { Tool } from './tool.ts'

/** Every tool whose data stands, by name. */
export const tools: readonly Tool[] = [
  compareLocations,
  describeDataset,
  findBestWindow,
  getAlerts,
  getCurrentConditions,
  getFireWeather,
  getForecast,
  getForecastDistribution,
  getGrowingDegreeDays,
  getHourlyForecast,
  getLightningActivity,
  getMapSnapshot,
  getPastWeather,
  getPrecipitationNowcast,
  getPrecipitationTotals,
  getRadar,
  getRouteWeather,
  getServiceStatus,
  getSevereOutlook,
  getStormTracks,
  getSunMoon,
  listDatasets,
  queryDataset,
  searchAlerts,
  searchLocations,
]
