import { findBestWindow } from './find-best-window.ts'
import { getForecast, getHourlyForecast } from './get-forecast.ts'
import { getSunMoon } from './get-sun-moon.ts'
import { searchLocations } from './search-locations.ts'
import type { Tool } from './tool.ts'

/** Every tool whose data stands, by name. */
export const tools: readonly Tool[] = [findBestWindow, getForecast, getHourlyForecast, getSunMoon, searchLocations]
