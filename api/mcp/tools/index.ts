import type { Tool } from '../protocol/tool.ts'
import { chanceOf } from './chance-of.ts'
import { compareLocations } from './compare-locations.ts'
import { findBestWindow } from './find-best-window.ts'
import { getAirQuality } from './get-air-quality.ts'
import { getAlerts } from './get-alerts.ts'
import { getClimateNormals } from './get-climate-normals.ts'
import { getClimateRecords } from './get-climate-records.ts'
import { getCurrentConditions } from './get-current-conditions.ts'
import { getFireWeather } from './get-fire-weather.ts'
import { getForecast } from './get-forecast.ts'
import { getForecastDiscussion, getTextProducts } from './get-forecast-discussion.ts'
import { getForecastDistribution } from './get-forecast-distribution.ts'
import { getForecastSkill } from './get-forecast-skill.ts'
import { getGrowingDegreeDays } from './get-growing-degree-days.ts'
import { getHourlyForecast } from './get-hourly-forecast.ts'
import { getLightningActivity } from './get-lightning-activity.ts'
import { getMapSnapshot } from './get-map-snapshot.ts'
import { getObservations } from './get-observations.ts'
import { getPastWeather } from './get-past-weather.ts'
import { getPrecipitationNowcast } from './get-precipitation-nowcast.ts'
import { getPrecipitationTotals } from './get-precipitation-totals.ts'
import { getRadar } from './get-radar.ts'
import { getRouteWeather } from './get-route-weather.ts'
import { getServiceStatus } from './get-service-status.ts'
import { getSevereOutlook } from './get-severe-outlook.ts'
import { getStormTracks } from './get-storm-tracks.ts'
import { getSunMoon } from './get-sun-moon.ts'
import { describeDataset, listDatasets } from './list-datasets.ts'
import { queryDataset } from './query-dataset.ts'
import { searchAlerts } from './search-alerts.ts'
import { searchLocations } from './search-locations.ts'
import { whatChanged } from './what-changed.ts'

/** Every tool, sorted by name. */
export const tools: readonly Tool[] = [
  chanceOf,
  compareLocations,
  describeDataset,
  findBestWindow,
  getAirQuality,
  getAlerts,
  getClimateNormals,
  getClimateRecords,
  getCurrentConditions,
  getFireWeather,
  getForecast,
  getForecastDiscussion,
  getForecastDistribution,
  getForecastSkill,
  getGrowingDegreeDays,
  getHourlyForecast,
  getLightningActivity,
  getMapSnapshot,
  getObservations,
  getPastWeather,
  getPrecipitationNowcast,
  getPrecipitationTotals,
  getRadar,
  getRouteWeather,
  getServiceStatus,
  getSevereOutlook,
  getStormTracks,
  getSunMoon,
  getTextProducts,
  listDatasets,
  queryDataset,
  searchAlerts,
  searchLocations,
  whatChanged,
]

/** The tools that `/mcp?tools=core` lists for small contexts: those for the most frequent questions. All other tools can still be called. */
export const coreTools: ReadonlySet<string> = new Set([
  'get_alerts',
  'get_current_conditions',
  'get_forecast',
  'get_hourly_forecast',
  'get_past_weather',
  'get_precipitation_nowcast',
  'get_severe_outlook',
  'search_locations',
])
