import { findBestWindow } from './find-best-window.ts'
import { getAlerts, searchAlerts } from './get-alerts.ts'
import { getCurrentConditions } from './get-current-conditions.ts'
import { getForecast, getHourlyForecast } from './get-forecast.ts'
import { getLightningActivity } from './get-lightning-activity.ts'
import { getPrecipitationNowcast } from './get-precipitation-nowcast.ts'
import { getPrecipitationTotals } from './get-precipitation-totals.ts'
import { getRadar } from './get-radar.ts'
import { getServiceStatus } from './get-service-status.ts'
import { getFireWeather, getSevereOutlook } from './get-severe-outlook.ts'
import { getStormTracks } from './get-storm-tracks.ts'
import { getSunMoon } from './get-sun-moon.ts'
import { searchLocations } from './search-locations.ts'
import type { Tool } from './tool.ts'

/** Every tool whose data stands, by name. */
export const tools: readonly Tool[] = [
  findBestWindow,
  getAlerts,
  getCurrentConditions,
  getFireWeather,
  getForecast,
  getHourlyForecast,
  getLightningActivity,
  getPrecipitationNowcast,
  getPrecipitationTotals,
  getRadar,
  getServiceStatus,
  getSevereOutlook,
  getStormTracks,
  getSunMoon,
  searchAlerts,
  searchLocations,
]
