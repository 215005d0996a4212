import type { Units } from '../present/units.ts'

const points = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest'] as const

/** `southwest` of 225. */
export function compass(degrees: number): string {
  return points[Math.round(degrees / 45) % 8]!
}

export interface Told {
  readonly half: 'day' | 'night'
  readonly conditions?: string
  readonly temperature: number
  readonly windSpeed: number
  readonly windGust: number
  readonly windDirection: number
  readonly precipProbability: number
  readonly precipTotal: number
  readonly snowTotal: number
}

/** A sentence or three about a half of a day, in the asked units. Canonical values, NaN where unknown. */
export function tell(told: Told, units: Units): string {
  const whole = (quantity: 'temperature' | 'wind_speed', value: number) => Math.round(units.show(quantity, value)!)
  let text = ''
  const say = (sentence: string) => {
    text += text ? ` ${sentence}` : sentence
  }
  const sky = told.conditions ?? ''
  if (!Number.isNaN(told.temperature)) {
    const near = `${told.half === 'day' ? 'high' : 'low'} near ${whole('temperature', told.temperature)}`
    say(sky ? `${sky}, with a ${near}.` : `${near[0]!.toUpperCase()}${near.slice(1)}.`)
  } else if (sky) say(`${sky}.`)
  if (!Number.isNaN(told.windSpeed) && !Number.isNaN(told.windDirection)) {
    const speed = whole('wind_speed', told.windSpeed)
    const gust = whole('wind_speed', told.windGust)
    const label = units.labels.wind_speed
    if (speed < 3) say('Light wind.')
    else {
      const gusts = told.windGust > told.windSpeed * 1.4 ? `, with gusts to ${gust} ${label}` : ''
      const from = compass(told.windDirection)
      say(`${from[0]!.toUpperCase()}${from.slice(1)} wind around ${speed} ${label}${gusts}.`)
    }
  }
  if (told.precipProbability >= 15) say(`Chance of precipitation ${Math.round(told.precipProbability)}%.`)
  if (told.snowTotal >= 10) {
    say(`New snow of about ${units.show('snow_amount', told.snowTotal)} ${units.labels.precip_amount}.`)
  } else if (told.precipTotal >= 2.5) {
    const amount = Math.round(units.show('precip_amount', told.precipTotal)! * 100) / 100
    say(`Precipitation of about ${amount} ${units.labels.precip_amount}.`)
  }
  return text
}
