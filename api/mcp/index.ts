import { findBestWindow } from './find-best-window.ts'
import { getAlerts, searchAlerts } from './get-alerts.ts'
import { getForecast, getHourlyForecast } from './get-forecast.ts'
import { getLightningActivity } from './get-lightning-activity.ts'
import { getPrecipitationNowcast } from './get-precipitation-nowcast.ts'
import { getFireWeather, getSevereOutlook } from './get-severe-outlook.ts'
import { getSunMoon } from './get-sun-moon.ts'
import { searchLocations } from './search-locations.ts'
import type { Tool } from './tool.ts'

/** Every tool whose data stands, by name. */
export const tools: readonly Tool[] = [
  findBestWindow,
  getAlerts,
  getFireWeather,
  getForecast,
  getHourlyForecast,
  getLightningActivity,
  getPrecipitationNowcast,
  getSevereOutlook,
  getSunMoon,
  searchAlerts,
  searchLocations,
]
