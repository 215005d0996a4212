import { FREEZING_RAIN, ICE_PELLETS, NONE, RAIN, SNOW, UNKNOWN, WINTRY_MIX } from './precip-type.ts'

/** What words and icon are made of. Percent, m, kg/m³, m/s, mm; NaN where unknown. */
export interface SkyState {
  readonly cloudCover: number
  /** Percent; NaN where precipitation is observed or a source gives amounts alone. */
  readonly precipProbability: number
  /** mm in the hour. */
  readonly precipAmount: number
  /** Code of `precip-type.ts`. */
  readonly precipType: number
  readonly thunder: number
  readonly cape: number
  readonly visibility: number
  readonly humidity: number
  readonly smoke: number
  readonly windSpeed: number
  readonly day: boolean
  /** It is seen to fall: no word of chance. */
  readonly observed?: boolean
}

export interface Words {
  readonly conditions: string
  readonly icon: string
}

/** NWS's words by percent of the sky that is covered: up to 5 clear, 25 mostly clear, 50 partly, 87 mostly cloudy. */
export const CLEAR = 5
export const MOSTLY_CLEAR = 25
export const PARTLY_CLOUDY = 50
export const MOSTLY_CLOUDY = 87

/** From these on thunder is spoken of (percent), and leads (percent). */
export const THUNDER_SPOKEN = 15
export const THUNDER_LEADS = 50
/** Either one crossed: `thunder_possible`. Percent and J/kg. */
export const THUNDER_POSSIBLE_PROBABILITY = 15
export const THUNDER_POSSIBLE_CAPE = 1000

/** Fog up to 1 km, dense up to 400 m (a quarter mile); not in wind that would lift it. */
const FOG = 1000
const DENSE_FOG = 402
const FOG_WIND = 8
/** Smoke that dims the view, kg/m³; haze where it is dry and the view ends before 6 miles. */
const SMOKE = 5e-8
const HAZE = 9656
/** Convective: showers rather than steady rain. */
const SHOWER_CAPE = 500
/** Rain of an hour: light below 2.5 mm, heavy from 7.6 mm (AMS). Snow as liquid: light below 1, heavy from 2.5 mm. */
const LIGHT_RAIN = 2.5
const HEAVY_RAIN = 7.6
const LIGHT_SNOW = 1
const HEAVY_SNOW = 2.5

/**
 * Words and icon of a sky. Order of decision: what falls (with thunder before all else), fog, smoke and haze, clouds.
 * Undefined where neither precipitation nor clouds are known.
 */
export function wordsOf(sky: SkyState): Words | undefined {
  if (sky.precipType !== NONE) return falling(sky)
  const dry = sky.precipType === NONE
  if (sky.visibility <= FOG && !(sky.windSpeed > FOG_WIND)) {
    return { conditions: sky.visibility <= DENSE_FOG ? 'Dense Fog' : 'Fog', icon: 'fog' }
  }
  if (sky.smoke >= SMOKE && sky.visibility < 2 * HAZE) return { conditions: 'Smoke', icon: `haze-${half(sky)}` }
  if (dry && sky.visibility < HAZE && sky.humidity < 80) return { conditions: 'Haze', icon: `haze-${half(sky)}` }
  return clouds(sky.cloudCover, sky.day)
}

function clouds(cover: number, day: boolean): Words | undefined {
  if (Number.isNaN(cover)) return undefined
  const tail = day ? 'day' : 'night'
  const clear = day ? 'Sunny' : 'Clear'
  if (cover <= CLEAR) return { conditions: clear, icon: `clear-${tail}` }
  if (cover <= MOSTLY_CLEAR) return { conditions: `Mostly ${clear}`, icon: `clear-${tail}` }
  if (cover <= PARTLY_CLOUDY) return { conditions: 'Partly Cloudy', icon: `partly-cloudy-${tail}` }
  if (cover <= MOSTLY_CLOUDY) return { conditions: 'Mostly Cloudy', icon: `mostly-cloudy-${tail}` }
  return { conditions: 'Cloudy', icon: 'cloudy' }
}

function falling(sky: SkyState): Words {
  const showery = sky.cape >= SHOWER_CAPE || sky.cloudCover <= MOSTLY_CLOUDY
  const tail = half(sky)
  const wet = sky.precipType === RAIN || sky.precipType === UNKNOWN
  if (wet && sky.thunder >= THUNDER_SPOKEN) {
    const icon =
      sky.thunder >= THUNDER_LEADS
        ? 'thunderstorms'
        : sky.cloudCover <= MOSTLY_CLOUDY
          ? `thunder-showers-${tail}`
          : 'thunder-rain'
    const noun =
      sky.thunder >= THUNDER_LEADS ? 'Thunderstorms' : showery ? 'Showers and Thunderstorms' : 'Rain and Thunderstorms'
    return { conditions: chance(sky, noun, 0, 0), icon }
  }
  switch (sky.precipType) {
    case SNOW:
      return showery
        ? { conditions: chance(sky, 'Snow Showers', LIGHT_SNOW, HEAVY_SNOW), icon: `snow-showers-${tail}` }
        : { conditions: chance(sky, 'Snow', LIGHT_SNOW, HEAVY_SNOW), icon: 'snow' }
    case WINTRY_MIX:
      return showery
        ? { conditions: chance(sky, 'Rain and Snow Showers', 0, 0), icon: `rain-snow-showers-${tail}` }
        : { conditions: chance(sky, 'Wintry Mix', 0, 0), icon: 'rain-snow' }
    case FREEZING_RAIN:
      return { conditions: chance(sky, 'Freezing Rain', LIGHT_RAIN, HEAVY_RAIN), icon: 'sleet' }
    case ICE_PELLETS:
      return { conditions: chance(sky, 'Sleet', LIGHT_RAIN, HEAVY_RAIN), icon: 'sleet' }
    case RAIN:
      return showery
        ? { conditions: chance(sky, 'Rain Showers', LIGHT_RAIN, HEAVY_RAIN), icon: `showers-${tail}` }
        : { conditions: chance(sky, 'Rain', LIGHT_RAIN, HEAVY_RAIN), icon: 'rain' }
    default:
      return { conditions: chance(sky, 'Precipitation', 0, 0), icon: showery ? `showers-${tail}` : 'rain' }
  }
}

/** NWS's words of chance (15 to 24 slight, 25 to 54 chance, 55 to 74 likely), or of strength where it is certain or seen. */
function chance(sky: SkyState, noun: string, light: number, heavy: number): string {
  const probability = sky.precipProbability
  if (!sky.observed && probability < 25) return `Slight Chance ${noun}`
  if (!sky.observed && probability < 55) return `Chance ${noun}`
  if (!sky.observed && probability < 75) return `${noun} Likely`
  if (heavy > 0 && sky.precipAmount >= heavy) return `Heavy ${noun}`
  if (light > 0 && sky.precipAmount < light && sky.precipAmount > 0) return `Light ${noun}`
  return noun
}

function half(sky: SkyState): 'day' | 'night' {
  return sky.day ? 'day' : 'night'
}
