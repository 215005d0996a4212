import {
  type SkyState,
  THUNDER_POSSIBLE_CAPE,
  THUNDER_POSSIBLE_PROBABILITY,
  type Words,
  wordsOf,
} from '../../ingest/domain/conditions.ts'
import { SUN_HORIZON } from '../../ingest/domain/sky.ts'
import type { Forecast } from '../blend/columns.ts'

/** What an hour of the forecast looks like. */
export function skyOfHour(forecast: Forecast, h: number): SkyState {
  const c = forecast.columns
  return {
    cloudCover: c.cloud_cover[h]!,
    precipProbability: c.precip_probability[h]!,
    precipAmount: c.precip_amount[h]!,
    precipType: forecast.precipType[h]!,
    thunder: c.thunderstorm_probability[h]!,
    cape: c.cape[h]!,
    visibility: c.visibility[h]!,
    humidity: c.humidity[h]!,
    smoke: c.smoke[h]!,
    windSpeed: c.wind_speed[h]!,
    day: forecast.sun[h]! > SUN_HORIZON,
  }
}

export function hourWords(forecast: Forecast, h: number): Words | undefined {
  return wordsOf(skyOfHour(forecast, h))
}

export function thunderPossible(forecast: Forecast, h: number): boolean {
  return (
    forecast.columns.thunderstorm_probability[h]! >= THUNDER_POSSIBLE_PROBABILITY ||
    forecast.columns.cape[h]! >= THUNDER_POSSIBLE_CAPE
  )
}
