import { FREEZING_RAIN, ICE_PELLETS, NONE, RAIN, SNOW, UNKNOWN, WINTRY_MIX } from './precip-type.ts'

/** Input for words and icon, in percent, m, kg/m³, m/s and mm; NaN if unknown. */
export interface SkyState {
  readonly cloudCover: number
  /** Percent; NaN if precipitation is observed or if a source gives only amounts. */
  readonly precipProbability: number
  /** Amount in the hour, mm. */
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
  /** Whether precipitation is observed, so that the words do not include a chance. */
  readonly observed?: boolean
}

export interface Words {
  readonly conditions: string
  readonly icon: string
}

/** Words and icon of a sky; each combination exists once. */
export interface KnownWords extends Words {
  /** Index in `knownWords`. */
  readonly code: number
  readonly significance: Significance
  /** Whether the words include thunder. */
  readonly thunder: boolean
}

/** Priority for a whole day: the half day with the greater value determines the words. */
export const significance = { sky: 0, obscured: 1, rain: 2, thunder: 3, snow: 4, ice: 5, freezingRain: 6 } as const
export type Significance = (typeof significance)[keyof typeof significance]

const known: KnownWords[] = []
export const knownWords: readonly KnownWords[] = known

function words(conditions: string, icon: string, rank: Significance = significance.sky): KnownWords {
  const condition = {
    conditions,
    icon,
    code: known.length,
    significance: rank,
    thunder: conditions.includes('Thunder'),
  }
  known.push(condition)
  return condition
}

/** Upper limits of cloud cover, percent, for NWS's words: up to 5 clear, 25 mostly clear, 50 partly cloudy, 87 mostly cloudy. */
export const CLEAR = 5
export const MOSTLY_CLEAR = 25
export const PARTLY_CLOUDY = 50
export const MOSTLY_CLOUDY = 87

/** Probabilities (percent) from which thunder is mentioned, and from which it is mentioned first. */
export const THUNDER_SPOKEN = 15
export const THUNDER_LEADS = 50
/** Thresholds for `thunder_possible`, in percent and J/kg; reaching one of them is sufficient. */
export const THUNDER_POSSIBLE_PROBABILITY = 15
export const THUNDER_POSSIBLE_CAPE = 1000

/** Probabilities (percent) from which precipitation or thunder is a chance, is likely, and is named without a word of chance. */
const CHANCE = 25
const LIKELY = 55
const PLAIN = 75

/** Visibility limits in m: 1 km for fog and a quarter mile for dense fog. The wind limit in m/s excludes fog. */
const FOG = 1000
const DENSE_FOG = 402
const FOG_WIND = 8
/** Smoke that reduces visibility, kg/m³; and the visibility of haze in dry air, m (6 miles). */
const SMOKE = 5e-8
const HAZE = 9656
/** CAPE in J/kg from which precipitation is called showers instead of steady rain. */
const SHOWER_CAPE = 500
/** Limits for an hour: rain is light below 2.5 mm and heavy from 7.6 mm (AMS). Snow as liquid is light below 1 mm and heavy from 2.5 mm. */
export const LIGHT_RAIN = 2.5
const HEAVY_RAIN = 7.6
export const LIGHT_SNOW = 1
const HEAVY_SNOW = 2.5
/** Depth of snow as a multiple of its water at these limits, and the amount, mm, of snow that leaves no depth. */
const SNOW_RATIO = 10
const LEAST_SNOW = 0.1

/**
 * Returns the amount (mm of water in an hour) by which snow is called light or heavy: not more than its depth is worth, because much water
 * that leaves little snow is not called heavy snow.
 * @param depth depth of the new snow of the same hour, mm; NaN if unknown
 */
export function snowStrength(water: number, depth: number): number {
  return Number.isNaN(depth) ? water : Math.min(water, Math.max(LEAST_SNOW, depth / SNOW_RATIO))
}

/** Values for day and night, which have different icons. */
interface ByDay<T> {
  readonly day: T
  readonly night: T
}
const byDay = <T>(make: (half: 'day' | 'night') => T): ByDay<T> => ({ day: make('day'), night: make('night') })

const denseFog = words('Dense Fog', 'fog', significance.obscured)
const fog = words('Fog', 'fog', significance.obscured)
const smoke = byDay((half) => words('Smoke', `haze-${half}`, significance.obscured))
const haze = byDay((half) => words('Haze', `haze-${half}`, significance.obscured))
const clear = byDay((half) => words(half === 'day' ? 'Sunny' : 'Clear', `clear-${half}`))
const mostlyClear = byDay((half) => words(half === 'day' ? 'Mostly Sunny' : 'Mostly Clear', `clear-${half}`))
const partlyCloudy = byDay((half) => words('Partly Cloudy', `partly-cloudy-${half}`))
const mostlyCloudy = byDay((half) => words('Mostly Cloudy', `mostly-cloudy-${half}`))
const cloudy = words('Cloudy', 'cloudy')

/**
 * NWS's words of chance (15 to 24 percent slight chance, 25 to 54 chance, 55 to 74 likely), or of intensity if precipitation is certain or
 * observed.
 */
interface FallingWords {
  readonly slight: KnownWords
  readonly chance: KnownWords
  readonly likely: KnownWords
  readonly light: KnownWords
  readonly heavy: KnownWords
  readonly plain: KnownWords
}
const falls = (noun: string, icon: string, rank: Significance): FallingWords => ({
  slight: words(`Slight Chance ${noun}`, icon, rank),
  chance: words(`Chance ${noun}`, icon, rank),
  likely: words(`${noun} Likely`, icon, rank),
  light: words(`Light ${noun}`, icon, rank),
  heavy: words(`Heavy ${noun}`, icon, rank),
  plain: words(noun, icon, rank),
})

/**
 * Returns words for precipitation with less likely thunder, by the degree of thunder: slight chance, chance, likely. If thunder is as
 * likely as the precipitation, the words for both together are used.
 */
const besideThunder = (
  noun: string,
  icon: string,
  rank: Significance,
  thunder: string,
  together: FallingWords,
): readonly FallingWords[] =>
  [`Slight Chance ${thunder}`, `Chance ${thunder}`, `${thunder} Likely`].map((thunderWords, degree) => {
    const beside = (precipitation: string) => words(`${precipitation}, ${thunderWords}`, icon, rank)
    return {
      slight: together.slight,
      chance: degree < 1 ? beside(`Chance ${noun}`) : together.chance,
      likely: degree < 2 ? beside(`${noun} Likely`) : together.likely,
      light: beside(`Light ${noun}`),
      heavy: beside(`Heavy ${noun}`),
      plain: beside(noun),
    }
  })

/** Words for frozen precipitation, which has priority over thunder in icon and rank. */
interface Wintry extends FallingWords {
  readonly thunder: FallingWords
  readonly beside: readonly FallingWords[]
}
const fallsFrozen = (noun: string, icon: string, rank: Significance): Wintry => {
  const thunder = falls(`${noun} and Thunder`, icon, rank)
  return { ...falls(noun, icon, rank), thunder, beside: besideThunder(noun, icon, rank, 'Thunder', thunder) }
}

const thunderstorms = falls('Thunderstorms', 'thunderstorms', significance.thunder)
const thunderShowers = byDay((half) =>
  falls('Showers and Thunderstorms', `thunder-showers-${half}`, significance.thunder),
)
const thunderousShowers = falls('Showers and Thunderstorms', 'thunder-rain', significance.thunder)
const thunderRain = falls('Rain and Thunderstorms', 'thunder-rain', significance.thunder)
const snowShowers = byDay((half) => fallsFrozen('Snow Showers', `snow-showers-${half}`, significance.snow))
const snow = fallsFrozen('Snow', 'snow', significance.snow)
const mixedShowers = byDay((half) =>
  fallsFrozen('Rain and Snow Showers', `rain-snow-showers-${half}`, significance.snow),
)
const wintryMix = fallsFrozen('Wintry Mix', 'rain-snow', significance.snow)
const freezingRain = fallsFrozen('Freezing Rain', 'sleet', significance.freezingRain)
const sleet = fallsFrozen('Sleet', 'sleet', significance.ice)
const rainBesideThunder = besideThunder('Rain', 'thunder-rain', significance.thunder, 'Thunderstorms', thunderRain)
const precipitationBesideThunder = besideThunder(
  'Precipitation',
  'thunder-rain',
  significance.thunder,
  'Thunderstorms',
  thunderRain,
)
const showersBesideThunder = byDay((half) =>
  besideThunder('Rain Showers', `thunder-showers-${half}`, significance.thunder, 'Thunderstorms', thunderShowers[half]),
)

const rainShowers = byDay((half) => falls('Rain Showers', `showers-${half}`, significance.rain))
const rain = falls('Rain', 'rain', significance.rain)
const unknownShowers = byDay((half) => falls('Precipitation', `showers-${half}`, significance.rain))
const unknown = falls('Precipitation', 'rain', significance.rain)

/** Number of words for an hour or a half day. Words with a higher index are for a whole day. */
export const ownWords = known.length

/** Words for a whole day whose significant weather occurs only at night. */
const nights: readonly KnownWords[] = [...known].map(({ conditions, icon, significance }) =>
  words(`${conditions} at Night`, icon.replace(/-night$/, '-day'), significance),
)

/**
 * Returns the words of a whole day whose weather is that of its night. The icon is a daytime icon, because the row's icon is for local
 * noon.
 */
export function atNight(known: KnownWords): KnownWords {
  return nights[known.code] ?? known
}

/**
 * Returns the words and icon of a sky. The order of decision is precipitation (thunder first), fog, smoke and haze, clouds. The result is
 * undefined if neither precipitation nor clouds are known.
 */
export function wordsOf(sky: SkyState): KnownWords | undefined {
  if (sky.precipType !== NONE) return falling(sky)
  if (sky.visibility <= FOG && !(sky.windSpeed > FOG_WIND)) return sky.visibility <= DENSE_FOG ? denseFog : fog
  if (sky.smoke >= SMOKE && sky.visibility < 2 * HAZE) return now(smoke, sky)
  if (sky.visibility < HAZE && sky.humidity < 80) return now(haze, sky)
  return cloudWords(sky)
}

/** Returns the words of the clouds alone. */
export function cloudWords(sky: SkyState): KnownWords | undefined {
  const cover = sky.cloudCover
  if (Number.isNaN(cover)) return undefined
  if (cover <= CLEAR) return now(clear, sky)
  if (cover <= MOSTLY_CLEAR) return now(mostlyClear, sky)
  if (cover <= PARTLY_CLOUDY) return now(partlyCloudy, sky)
  if (cover <= MOSTLY_CLOUDY) return now(mostlyCloudy, sky)
  return cloudy
}

function falling(sky: SkyState): KnownWords {
  const showery = sky.cape >= SHOWER_CAPE || sky.cloudCover <= MOSTLY_CLOUDY
  const wet = sky.precipType === RAIN || sky.precipType === UNKNOWN
  if (wet && sky.thunder >= THUNDER_SPOKEN) return withThunder(sky, showery)
  const spoken = (words: Wintry): FallingWords => frozenWords(sky, words)
  switch (sky.precipType) {
    case SNOW:
      return chance(sky, spoken(showery ? now(snowShowers, sky) : snow), LIGHT_SNOW, HEAVY_SNOW)
    case WINTRY_MIX:
      return chance(sky, spoken(showery ? now(mixedShowers, sky) : wintryMix), 0, 0)
    case FREEZING_RAIN:
      return chance(sky, spoken(freezingRain), LIGHT_RAIN, HEAVY_RAIN)
    case ICE_PELLETS:
      return chance(sky, spoken(sleet), LIGHT_RAIN, HEAVY_RAIN)
    case RAIN:
      return chance(sky, showery ? now(rainShowers, sky) : rain, LIGHT_RAIN, HEAVY_RAIN)
    default:
      return chance(sky, showery ? now(unknownShowers, sky) : unknown, 0, 0)
  }
}

/** Degree of a probability in words: 0 slight chance, 1 chance, 2 likely, 3 plain. */
function degreeOf(probability: number): number {
  if (probability < CHANCE) return 0
  if (probability < LIKELY) return 1
  return probability < PLAIN ? 2 : 3
}

/** Degree of the precipitation in words. Observed precipitation has no word of chance. */
function ownDegree({ observed, precipProbability }: SkyState): number {
  return observed ? 3 : degreeOf(precipProbability)
}

function frozenWords(sky: SkyState, words: Wintry): FallingWords {
  if (!(sky.thunder >= THUNDER_SPOKEN)) return words
  const degree = degreeOf(sky.thunder)
  return (degree < ownDegree(sky) && words.beside[degree]) || words.thunder
}

function withThunder(sky: SkyState, showery: boolean): KnownWords {
  const degree = degreeOf(sky.thunder)
  if (degree >= ownDegree(sky)) return chance(sky, thundering(sky, showery), 0, 0)
  const beside = showery
    ? now(showersBesideThunder, sky)
    : sky.precipType === UNKNOWN
      ? precipitationBesideThunder
      : rainBesideThunder
  return chance(sky, beside[degree] ?? thundering(sky, showery), LIGHT_RAIN, HEAVY_RAIN)
}

function thundering(sky: SkyState, showery: boolean): FallingWords {
  if (sky.thunder >= THUNDER_LEADS) return thunderstorms
  if (sky.cloudCover <= MOSTLY_CLOUDY) return now(thunderShowers, sky)
  return showery ? thunderousShowers : thunderRain
}

function chance(sky: SkyState, words: FallingWords, light: number, heavy: number): KnownWords {
  const degree = ownDegree(sky)
  if (degree === 0) return words.slight
  if (degree === 1) return words.chance
  if (degree === 2) return words.likely
  if (heavy > 0 && sky.precipAmount >= heavy) return words.heavy
  if (light > 0 && sky.precipAmount < light && sky.precipAmount > 0) return words.light
  return words.plain
}

function now<T>({ day, night }: ByDay<T>, sky: SkyState): T {
  return sky.day ? day : night
}
