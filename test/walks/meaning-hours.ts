import type { AnyJson } from '../../bin/doctor/answer-members.ts'
import {
  degreeOf,
  degreesIn,
  drawsPrecipitation,
  drawsSnow,
  hourText,
  MEASURABLE,
  type MeaningRule,
  namesPrecipitation,
  namesSnow,
  namesThunder,
  type Pair,
  typesIn,
} from './meaning-words.ts'

/**
 * Makes a rule about each hour of the imperial answer. The test returns null for a row to which the rule does not
 * apply.
 */
function everyHour(name: string, test: (hour: AnyJson, index: number, answer: AnyJson) => boolean | null): MeaningRule {
  return {
    name,
    *check({ imperial }: Pair) {
      for (const [index, hour] of imperial.hourly.entries()) {
        const holds = test(hour, index, imperial)
        if (holds !== null) yield holds || hourText(hour)
      }
    },
  }
}

const isNumber = (value: unknown): value is number => typeof value === 'number'

/**
 * Returns the steps of the nowcast in an hour, and the mean weight of the nowcast over the remainder of the hour;
 * undefined if not covered.
 */
export function coverOf(hour: AnyJson, answer: AnyJson): { steps: AnyJson[]; weight: number } | undefined {
  const points: AnyJson[] = answer.nowcast?.points ?? []
  if (points.length === 0 || points.some(({ type }) => type === 'no_coverage')) return undefined
  const now = Date.parse(answer.meta.generated_at)
  const end = Date.parse(hour.time)
  const start = Math.max(now, end - 3_600_000)
  if (end <= now || Date.parse(points.at(-1)?.time) < end - 300_000) return undefined
  const steps = points.filter(({ time }) => Date.parse(time) > start - 300_000 && Date.parse(time) <= end)
  const minutes = ((start + end) / 2 - now) / 60_000
  return steps.length === 0 ? undefined : { steps, weight: Math.max(0, 1 - minutes / 120) }
}

/**
 * Returns the greatest visibility (miles) with a rate of liquid (in/h): twice the value of the relations in
 * docs/CONSISTENCY.md. The rate may be rounded up by 0.005, and the visibility by 0.05.
 */
function farthestMiles(rate: number, isSnow: boolean): number {
  const [factor, exponent, fallSpeed] = isSnow ? ([10.36, 0.7776, 1] as const) : ([2.24, 0.75, 5] as const)
  const content = ((rate - 0.005) * 25.4) / (3.6 * fallSpeed)
  return (2 * 3.912) / (factor * content ** exponent) / 1.609344 + 0.05
}

/** Whether all steps in the remainder of the hour are wet. */
const isWetThroughout = (hour: AnyJson, answer: AnyJson): boolean | undefined =>
  coverOf(hour, answer)?.steps.every(({ precip_rate }) => precip_rate > 0)

/** Whether the sun is up at a time; undefined within ten minutes of its rise and set, and if an event is unknown. */
function sunAt(time: number, { daily, location }: AnyJson): 'up' | 'down' | undefined {
  // In the far north the sun may set after midnight, or twice on a date.
  if (location.lat > 58 || daily.some(({ astro }: AnyJson) => !astro?.sunrise || !astro.sunset)) return undefined
  const events = daily
    .flatMap(({ astro }: AnyJson) => [
      { time: Date.parse(astro?.sunrise), state: 'up' as const },
      { time: Date.parse(astro?.sunset), state: 'down' as const },
    ])
    .sort((a: { time: number }, b: { time: number }) => a.time - b.time)
  if (events.some((event: { time: number }) => Math.abs(event.time - time) < 600_000)) return undefined
  const next = events.findIndex((event: { time: number }) => event.time > time)
  return events[next - 1]?.state
}

export const hourRules: readonly MeaningRule[] = [
  everyHour('an hour of 15 % or a measurable amount names precipitation', (h) => {
    if (!(h.precip_probability >= 15 || h.precip_amount >= MEASURABLE)) return null
    return namesPrecipitation(h.conditions ?? '') && drawsPrecipitation(h.icon ?? '')
  }),
  everyHour('a dry hour names no precipitation', (h) => {
    if (!isNumber(h.precip_probability) || h.precip_probability >= 15 || h.precip_amount >= MEASURABLE) return null
    return !namesPrecipitation(h.conditions ?? '') && !drawsPrecipitation(h.icon ?? 'clear')
  }),
  everyHour('the chance word of an hour is of its own chance', (h) => {
    const { precipitation } = degreesIn(h.conditions ?? '')
    if (!precipitation || !isNumber(h.precip_probability)) return null
    return precipitation === degreeOf(h.precip_probability)
  }),
  everyHour('an hour of 15 % has an amount', (h) =>
    h.precip_probability >= 15 && isNumber(h.precip_amount) ? h.precip_amount > 0 : null,
  ),
  everyHour('an hour with an amount has a chance of 5 %', (h) =>
    h.precip_amount > 0.005 && isNumber(h.precip_probability) ? h.precip_probability >= 5 : null,
  ),
  everyHour('an hour with a tenth of an inch is more than a slight chance', (h) =>
    h.precip_amount >= 0.1 && isNumber(h.precip_probability) ? h.precip_probability >= 25 : null,
  ),
  everyHour('a chance of 0 goes with an amount of 0', (h) =>
    h.precip_probability === 0 ? !(h.precip_amount > 0) : null,
  ),
  everyHour('thunder is at most as likely as precipitation in an hour', (h) => {
    if (!(h.thunderstorm_probability >= 30) || !isNumber(h.precip_probability)) return null
    return h.thunderstorm_probability <= h.precip_probability
  }),
  everyHour('the degree of thunder in the words of an hour is of its own probability', (h) => {
    const { thunder } = degreesIn(h.conditions ?? '')
    if (!thunder || !isNumber(h.thunderstorm_probability)) return null
    const chance = Math.min(h.thunderstorm_probability, h.precip_probability ?? 100)
    return h.thunderstorm_probability >= 15 && thunder === degreeOf(chance)
  }),
  everyHour('thunder of 15 % is named in a wet hour', (h) => {
    if (!(h.thunderstorm_probability >= 15) || !(h.precip_probability >= 15)) return null
    return namesThunder(h.conditions ?? '')
  }),
  everyHour('an hour with an inch of snow names snow', (h) =>
    h.snow_amount >= 1 ? namesSnow(h.conditions ?? '') && drawsSnow(h.icon ?? '') : null,
  ),
  everyHour('the words of an hour name its type', (h) => {
    if (!isNumber(h.precip_probability) || h.precip_type === undefined || h.precip_type === 'unknown') return null
    const named = namesPrecipitation(h.conditions ?? '')
    if (h.precip_type === 'none') return !named
    return named && typesIn(h.conditions).has(h.precip_type)
  }),
  everyHour('the type of an hour has at least half of the likelihood of the likeliest', (h) => {
    const share: number | undefined = h[`precip_type_${h.precip_type}_prob`]
    if (!isNumber(share)) return null
    const shares = ['rain', 'snow', 'freezing_rain', 'ice_pellets'].map((type) => h[`precip_type_${type}_prob`] ?? 0)
    return share * 2 + 1 >= Math.max(...shares)
  }),
  everyHour('an hour that the nowcast covers is not of rain in freezing air', (h, _, answer) => {
    if (!coverOf(h, answer) || !(h.temperature <= 32) || h.precip_type === 'none') return null
    return h.precip_type !== 'rain'
  }),
  everyHour('an hour of measurable rain is not in air of 30 °F or colder', (h) =>
    h.temperature <= 30 && h.precip_amount >= MEASURABLE ? h.precip_type !== 'rain' : null,
  ),
  everyHour('the chance of a covered hour follows the steps of the nowcast', (h, _, answer) => {
    const cover = coverOf(h, answer)
    if (!cover || !isNumber(h.precip_probability)) return null
    // The row of the running hour is of the whole hour: what has fallen before the steps raises its chance.
    const end = Date.parse(h.time)
    const begin = Math.max(Date.parse(answer.meta.generated_at), end - 3_600_000)
    const toCome = cover.steps.reduce((sum, { time, precip_rate }) => {
      const minutes = (Math.min(end, Date.parse(time) + 300_000) - Math.max(begin, Date.parse(time))) / 60_000
      return sum + (Math.max(0, minutes) / 60) * (precip_rate ?? 0)
    }, 0)
    const hasFallen = begin > end - 3_600_000 && h.precip_amount > toCome + 0.001
    const chances: number[] = cover.steps.map(({ precip_probability }) => precip_probability ?? 0)
    const meanOf = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
    // A step may represent the minutes before or after its time.
    const mean = Math.min(meanOf(chances.slice(0, -1)), meanOf(chances.slice(1)), meanOf(chances))
    const most = cover.weight * Math.max(...chances) + (1 - cover.weight) * 100
    return h.precip_probability >= cover.weight * mean - 17 && (hasFallen || h.precip_probability <= most + 17)
  }),
  everyHour('an hour has conditions and an icon where it has a temperature', (h) =>
    isNumber(h.temperature) ? Boolean(h.conditions && h.icon) : null,
  ),
  everyHour('an hour has a temperature or a chance', (h) => isNumber(h.temperature) || isNumber(h.precip_probability)),
  everyHour('total cloud lies between the greatest layer and the sum of the layers', (h) => {
    const layers = [h.cloud_cover_low, h.cloud_cover_mid, h.cloud_cover_high].filter(isNumber)
    if (layers.length < 3 || !isNumber(h.cloud_cover)) return null
    const sum = layers.reduce((total, layer) => total + layer, 0)
    return h.cloud_cover >= Math.max(...layers) - 1 && h.cloud_cover <= Math.min(100, sum + 2)
  }),
  everyHour('the icon of an hour agrees with its words', (h) => {
    const words: string = h.conditions ?? ''
    const icon: string = h.icon ?? ''
    if (/^thunder/.test(icon)) return namesThunder(words)
    if (/rain-snow/.test(icon)) return namesSnow(words)
    if (/^snow/.test(icon)) return /snow|flurr/i.test(words)
    if (/^(showers|rain)/.test(icon)) return typesIn(words).has('rain')
    if (/^sleet/.test(icon)) return /sleet|freezing|ice/i.test(words)
    const skies: [RegExp, RegExp][] = [
      [/^clear/, /clear|sunny/i],
      [/^partly/, /partly/i],
      [/^mostly/, /mostly cloudy/i],
      [/^cloudy/, /cloudy|overcast/i],
    ]
    const sky = skies.find(([family]) => family.test(icon))
    return sky && !/wind|breez|hot|cold|fog|haze|smoke/i.test(words) ? sky[1].test(words) : null
  }),
  everyHour('the icon and words of an hour follow the sun', (h, _, answer) => {
    const sun = sunAt(Date.parse(h.time), answer)
    if (sun === undefined) return null
    if (sun === 'up') return !/-night$/.test(h.icon) && !/clear/i.test(h.conditions)
    return !/-day$/.test(h.icon) && !/sunny/i.test(h.conditions)
  }),
  everyHour('an hour without clouds is not named cloudy, nor an overcast one sunny', (h) => {
    if (!isNumber(h.cloud_cover) || namesPrecipitation(h.conditions ?? '')) return null
    if (h.cloud_cover >= 70) return !/sunny|clear/i.test(h.conditions)
    return h.cloud_cover <= 25 ? !/mostly cloudy|^cloudy|overcast/i.test(h.conditions) : null
  }),
  everyHour('an hour of heavy precipitation has an amount', (h) =>
    /heavy/i.test(h.conditions ?? '') && isNumber(h.precip_amount) ? h.precip_amount >= 0.03 : null,
  ),
  everyHour('an hour that is wet throughout and moderate has an overcast sky', (h, _, answer) => {
    const cover = coverOf(h, answer)
    if (!cover?.steps.every(({ precip_rate }) => precip_rate >= 0.1)) return null
    return !(h.cloud_cover < 90)
  }),
  everyHour('an hour that is wet throughout and moderate has the visibility that the rate allows', (h, _, answer) => {
    const cover = coverOf(h, answer)
    if (!cover?.steps.every(({ precip_rate }) => precip_rate >= 0.1) || !isNumber(h.visibility)) return null
    const least = Math.min(...cover.steps.map(({ precip_rate }) => precip_rate))
    const isSnow = [h.precip_type, ...cover.steps.map(({ type }) => type)].every((type) => type === 'snow')
    return h.visibility <= farthestMiles(least, isSnow)
  }),
  everyHour('no row is only an upper bound', (h) => !('probability_upper_bound' in h)),
  everyHour('an hour that is wet throughout has a clouded sky', (h, _, answer) => {
    if (!isWetThroughout(h, answer)) return null
    return !(h.cloud_cover < 60) && h.cloud_ceiling_unlimited !== true
  }),
  everyHour('a ceiling and an unlimited ceiling exclude each other', (h) =>
    isNumber(h.cloud_ceiling) ? h.cloud_ceiling_unlimited !== true : null,
  ),
  everyHour('an unlimited ceiling goes with a sky that is not overcast', (h) =>
    h.cloud_ceiling_unlimited === true && isNumber(h.cloud_cover) ? h.cloud_cover < 88 : null,
  ),
  everyHour('dew point is at most the temperature, and gusts are at least the wind', (h) => {
    if (!isNumber(h.temperature) || !isNumber(h.dew_point)) return null
    return h.dew_point <= h.temperature && !(h.wind_gust < h.wind_speed)
  }),
  everyHour('humidity is that of temperature and dew point', (h) => {
    if (!isNumber(h.temperature) || !isNumber(h.dew_point) || !isNumber(h.humidity)) return null
    const pressure = (f: number) => Math.exp((17.625 * (f - 32)) / 1.8 / (243.04 + (f - 32) / 1.8))
    return Math.abs(h.humidity - (100 * pressure(h.dew_point)) / pressure(h.temperature)) <= 2.5
  }),
  everyHour('the depth of snow is more than its liquid', (h) => {
    if (h.precip_type !== 'snow' || !(h.precip_type_snow_prob >= 95) || !(h.precip_amount >= 0.02)) return null
    return !isNumber(h.snow_amount) || (h.snow_amount >= 2 * h.precip_amount && h.snow_amount <= 40 * h.precip_amount)
  }),
  everyHour('an hour with a tenth of an inch of snow has a probability of snow', (h) =>
    h.snow_amount >= 0.1 && isNumber(h.precip_type_snow_prob) ? h.precip_type_snow_prob > 0 : null,
  ),
  everyHour('probabilities of low ceilings and visibilities grow with the limit', (h) => {
    const u = h.uncertainty
    if (!u) return null
    const grows = (values: unknown[]) => {
      const known = values.filter(isNumber)
      return known.every((value, i) => i === 0 || value >= (known[i - 1] ?? 0))
    }
    return (
      grows([1, 2, 3, 5].map((miles) => u[`visibility_prob_below_${miles}mi`])) &&
      grows([500, 1000, 2000, 3000, 6600].map((feet) => u[`ceiling_prob_below_${feet}ft`]))
    )
  }),
]

/** Makes a rule about the current conditions. */
function now(name: string, test: (current: AnyJson, answer: AnyJson) => boolean | null): MeaningRule {
  return {
    name,
    *check({ imperial }: Pair) {
      const c = imperial.current
      const holds = c ? test(c, imperial) : null
      if (holds !== null)
        yield holds ||
          `current ${c.precip_rate} in/h ${c.precip_type} cloud ${c.cloud_cover} ceiling ${c.cloud_ceiling} unlimited ${c.cloud_ceiling_unlimited} visibility ${c.visibility} ${c.temperature}°/${c.dew_point}° "${c.conditions}" ${c.icon}; ${hourText(imperial.hourly[0])}`
    },
  }
}

export const currentRules: readonly MeaningRule[] = [
  now('total cloud now lies between the greatest layer and the sum of the layers', (c) => {
    const layers = [c.cloud_cover_low, c.cloud_cover_mid, c.cloud_cover_high].filter(isNumber)
    if (layers.length < 3 || !isNumber(c.cloud_cover)) return null
    const sum = layers.reduce((total, layer) => total + layer, 0)
    return c.cloud_cover >= Math.max(...layers) - 1 && c.cloud_cover <= Math.min(100, sum + 2)
  }),
  {
    name: 'an hour of 15 % has an amount in millimetres',
    *check({ metric }: Pair) {
      for (const h of metric.hourly)
        if (h.precip_probability >= 15 && isNumber(h.precip_amount)) yield h.precip_amount > 0 || hourText(h)
    },
  },
  now('the sky beside what the radar sees falling is clouded', (c, { radar }) => {
    if (!(radar?.precip_rate > 0)) return null
    const least = radar.precip_rate >= 0.1 ? 90 : 60
    return !(c.cloud_cover < least) && c.cloud_ceiling_unlimited !== true
  }),
  now('visibility beside what falls is what the rate allows', (c, { radar }) => {
    if (!(radar?.precip_rate >= 0.1) || !isNumber(c.visibility)) return null
    const isSnow = c.precip_type === 'snow'
    return c.visibility <= Math.min(isSnow ? 2 : 7, farthestMiles(radar.precip_rate, isSnow))
  }),
  now('the current words name what the radar sees falling', (c, { radar }) =>
    radar?.precip_rate > 0 ? namesPrecipitation(c.conditions) && drawsPrecipitation(c.icon) : null,
  ),
  now('the current words name the current type', (c) => {
    if (!c.precip_type || c.precip_type === 'unknown') return null
    return c.precip_type === 'none' ? !namesPrecipitation(c.conditions) : typesIn(c.conditions).has(c.precip_type)
  }),
  now('the current type is that of the first hour', (c, { hourly: [first] }) => {
    if (!c.precip_type || c.precip_type === 'none' || !first || first.precip_type === 'none') return null
    // The type may change within the hour with the temperature of the air.
    if (Math.min(c.temperature, first.temperature) <= 41 && Math.abs(c.temperature - first.temperature) > 0.5)
      return null
    return c.precip_type === first.precip_type
  }),
  now('freezing rain is in air of at most 0.5 °C', (c) =>
    c.precip_type === 'freezing_rain' ? c.temperature <= 32.9 : null,
  ),
  now('rain is not in freezing air', (c) =>
    c.precip_type === 'rain' && isNumber(c.temperature) ? c.temperature > 32 : null,
  ),
  now('the first row says what is falling, with 80 % where it lasts', (_, answer) => {
    const steps: AnyJson[] = answer.nowcast?.points?.filter(
      ({ time }: AnyJson) => Date.parse(time) <= Date.parse(answer.meta.generated_at) + 30 * 60_000,
    )
    if (!(answer.radar?.precip_rate > 0) || !steps?.length || !steps.every(({ precip_rate }) => precip_rate > 0))
      return null
    return answer.hourly[0].precip_probability >= 80 && namesPrecipitation(answer.hourly[0].conditions)
  }),
  {
    name: 'the nowcast says null where nothing begins',
    *check({ imperial: { nowcast } }) {
      if (nowcast?.summary)
        yield 'starts_at' in nowcast.summary || `starts_at is absent: ${JSON.stringify(nowcast.summary)}`
    },
  },
  {
    name: 'a place has its elevation, whatever is included',
    *check({ imperial, currentOnly }) {
      const [ofAll, part] = [imperial.location.elevation, currentOnly.location.elevation]
      yield (isNumber(ofAll) && ofAll === part) || `${imperial.location.name} elevation ${ofAll}, alone ${part}`
    },
  },
]
