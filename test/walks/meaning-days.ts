import type { AnyJson } from '../../bin/doctor/answer-members.ts'
import {
  degreeOf,
  degreesIn,
  drawsPrecipitation,
  drawsSnow,
  type HalfHours,
  halvesOf,
  isRunning,
  localOf,
  MEASURABLE,
  type MeaningRule,
  namesPrecipitation,
  namesSnow,
  namesThunder,
  type Pair,
  rowText,
  typesIn,
} from './meaning-words.ts'

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** Makes a rule about each day of the imperial answer. */
function everyDay(name: string, test: (day: AnyJson, answer: AnyJson) => boolean | null): MeaningRule {
  return {
    name,
    *check({ imperial }: Pair) {
      for (const day of imperial.daily) {
        const holds = test(day, imperial)
        if (holds === null) continue
        const halves = [day.day, day.night].map((h: AnyJson) => (h ? rowText('half', h) : 'no half'))
        yield holds ||
          `${rowText(day.date, day)} low ${day.low} feels ${day.feels_like_low} to ${day.feels_like_high} ${JSON.stringify(day.threats)} / ${halves.join(' / ')}`
      }
    },
  }
}

/** Makes a rule about each half of the imperial answer. */
export function everyHalf(
  name: string,
  test: (half: HalfHours, answer: AnyJson) => boolean | string | null,
): MeaningRule {
  return {
    name,
    *check({ imperial }: Pair) {
      for (const about of halvesOf(imperial)) {
        const holds = test(about, imperial)
        if (holds === null) continue
        yield holds === true || `${rowText(about.label, about.half)}${holds ? ` — ${holds}` : ''}`
      }
    },
  }
}

const isWet = (row: AnyJson): boolean => row.precip_probability >= 15 || row.precip_total >= MEASURABLE
/** Chance times amount; an unknown chance counts as certain. */
const weightOf = (row: AnyJson): number => (row.precip_probability ?? 100) * (row.precip_total ?? 0)
const hasIce = (row: AnyJson): boolean => row.ice_total >= 0.01
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/** Weight of each type over the hours of a half. */
export function weightsByType(hours: readonly AnyJson[]): Map<string, number> {
  const weights = new Map<string, number>()
  for (const h of hours) {
    if (!h.precip_type || h.precip_type === 'none' || h.precip_type === 'unknown') continue
    weights.set(
      h.precip_type,
      (weights.get(h.precip_type) ?? 0) + (h.precip_probability ?? 100) * (h.precip_amount ?? 0),
    )
  }
  return weights
}

export const dayRules: readonly MeaningRule[] = [
  everyDay('a wet day names precipitation', (d) => {
    if (isRunning(d) || !isWet(d)) return null
    return namesPrecipitation(d.conditions ?? '') && drawsPrecipitation(d.icon ?? '')
  }),
  everyDay('a dry day names no precipitation', (d) => {
    if (isRunning(d) || isWet(d) || !isNumber(d.precip_probability)) return null
    return !namesPrecipitation(d.conditions ?? '')
  }),
  everyDay('the icon of a day is computed for noon', (d) => (d.icon ? !/-night$/.test(d.icon) : null)),
  everyDay('the words of a day end in "at Night" where the night alone is wet', (d) => {
    if (isRunning(d) || !d.day || !d.night || !namesPrecipitation(d.conditions ?? '')) return null
    if (!isWet(d.day) && isWet(d.night)) return /at Night$/.test(d.conditions)
    return isWet(d.day) && !isWet(d.night) ? !/at Night$/.test(d.conditions) : null
  }),
  everyDay('the chance word of a day is of its own chance', (d) => {
    const { precipitation } = degreesIn(d.conditions ?? '')
    if (!precipitation || !isNumber(d.precip_probability)) return null
    return precipitation === degreeOf(d.precip_probability)
  }),
  everyDay('thunder is at most as likely as precipitation on a day', (d) => {
    if (!(d.thunderstorm_probability_max >= 30) || !isNumber(d.precip_probability)) return null
    return d.thunderstorm_probability_max <= d.precip_probability
  }),
  everyDay('the degree of thunder in the words of a day is of a half of it', (d) => {
    const { thunder } = degreesIn(d.conditions ?? '')
    const chances = [d.day, d.night].flatMap((h) =>
      h?.thunderstorm_probability >= 15 ? [Math.min(h.thunderstorm_probability, h.precip_probability ?? 100)] : [],
    )
    if (!thunder || !isNumber(d.thunderstorm_probability_max) || d.severe) return null
    return chances.some((chance) => degreeOf(chance) === thunder)
  }),
  everyDay('a day with an inch of snow names snow', (d) =>
    !isRunning(d) && d.snow_total >= 1 ? namesSnow(d.conditions ?? '') && drawsSnow(d.icon ?? '') : null,
  ),
  everyDay('the words of a day are of weather with half of the greatest weight', (d) => {
    if (isRunning(d) || !d.day || !d.night || !namesPrecipitation(d.conditions ?? '')) return null
    const halves = [d.day, d.night].filter((h) => isWet(h) && h.precip_type && h.precip_type !== 'none')
    if (halves.length < 2 || halves.some((h) => h.severe || hasIce(h))) return null
    // An inch of snow is mentioned beside any amount of rain.
    if (d.snow_total >= 1 && namesSnow(d.conditions)) return null
    const greatest = Math.max(...halves.map(weightOf))
    const allowed = halves.filter((h) => weightOf(h) * 2 >= greatest * 0.98)
    const isOf = (h: AnyJson) =>
      typesIn(d.conditions).has(h.precip_type) && (!namesThunder(d.conditions) || namesThunder(h.conditions))
    return allowed.some(isOf)
  }),
  everyDay('what has fallen stands beside a running day whose rest is dry', (d) => {
    const halves = d.active_period === 'night' ? [d.night] : [d.day, d.night]
    if (
      !isRunning(d) ||
      !(d.precip_total > 0) ||
      halves.some((h) => !h || h.precip_probability > 0 || h.precip_total > 0)
    )
      return null
    return (
      d.precip_fallen > 0 && Math.abs(d.precip_fallen - d.precip_total) <= 0.002 && !namesPrecipitation(d.conditions)
    )
  }),
  everyDay('what has fallen is at most the total of the day', (d) =>
    isNumber(d.precip_fallen) && isNumber(d.precip_total) ? d.precip_fallen <= d.precip_total + 0.001 : null,
  ),
  everyDay('a day has conditions and an icon where it has a temperature', (d) =>
    isNumber(d.high) || isNumber(d.low) ? Boolean(d.conditions && d.icon) : null,
  ),
  everyDay('a day has a temperature or a chance', (d) => [d.high, d.low, d.precip_probability].some(isNumber)),
  everyDay('the snow of a day lies within its percentiles, or its sources disagree', (d) => {
    const [least, most] = [d.uncertainty?.snow_total_p10, d.uncertainty?.snow_total_p90]
    if (!isNumber(least) || !isNumber(most) || !isNumber(d.snow_total)) return null
    return d.sources_disagree === true || (d.snow_total >= least - 0.01 && d.snow_total <= most + 0.01)
  }),
  everyDay('the percentiles of snow are of the window of the row, or of one with its snow', (d, { hourly }) => {
    const { snow_total_p50: median, snow_window_start: start, snow_window_end: end } = d.uncertainty ?? {}
    if (isRunning(d) || !isNumber(median) || !start || !isNumber(d.snow_total)) return null
    const rows = hourly.filter(({ time }: AnyJson) => time > start && time <= end)
    const depths: number[] = rows.map(({ snow_amount: depth }: AnyJson) => depth).filter(isNumber)
    if (depths.length < 24) return null
    const snow = depths.reduce((sum, depth) => sum + depth, 0)
    // Each depth is rounded to 0.01 inches.
    return Math.abs(snow - d.snow_total) <= Math.max(0.1, 0.1 * Math.max(snow, d.snow_total)) + 0.02
  }),
  everyDay('percentiles and probabilities of snow are in order', (d) => {
    const u = d.uncertainty
    if (!u) return null
    const falls = (values: unknown[]) => {
      const known = values.filter(isNumber)
      return known.every((value, i) => i === 0 || value <= (known[i - 1] ?? value))
    }
    return (
      falls([u.snow_total_p90, u.snow_total_p50, u.snow_total_p10]) &&
      falls([1, 2, 4].map((inches) => u[`snow_prob_gt_${inches}in`]))
    )
  }),
  ...(['cold', 'heat'] as const).map((type) => ({
    name: `a day that feels worse than a day with a threat of ${type} has one too`,
    *check({ imperial }: Pair) {
      const feels = (d: AnyJson): number => (type === 'cold' ? -d.feels_like_low : d.feels_like_high)
      const known = imperial.daily.filter(
        (d: AnyJson) => !isRunning(d) && isNumber(d.feels_like_low) && isNumber(d.feels_like_high),
      )
      // A threat with a risk comes from an alert and not from the numbers of the row.
      const threatOf = (d: AnyJson) => d.threats?.find((threat: AnyJson) => threat.type === type && !threat.risk)
      const mildest = Math.min(...known.filter(threatOf).map(feels))
      for (const d of known) {
        if (feels(d) < mildest) continue
        yield d.threats.some((threat: AnyJson) => threat.type === type) ||
          `${d.date} feels ${d.feels_like_low} to ${d.feels_like_high} without a threat of ${type}; another day of the answer has one at ${type === 'cold' ? -mildest : mildest}`
      }
    },
  })),
  everyDay('the chance of a day is at least that of its halves', (d) => {
    if (isRunning(d) || !isNumber(d.precip_probability)) return null
    const chances = [d.day, d.night].map((h) => h?.precip_probability).filter(isNumber)
    return chances.every((chance) => d.precip_probability >= chance - 1)
  }),
  everyDay('the chance of a day is at most that of either half', (d) => {
    const chances = [d.day?.precip_probability, d.night?.precip_probability].filter(isNumber)
    if (isRunning(d) || !isNumber(d.precip_probability) || chances.length < 2) return null
    const dry = chances.reduce((product, chance) => product * Math.max(0, 1 - (chance + 0.5) / 100), 1)
    return d.precip_probability <= 100 * (1 - dry) + 1
  }),
  everyDay('a running day has at least the amount that is to come', (d) => {
    const halves = d.active_period === 'night' ? [d.night] : [d.day, d.night]
    const amounts = halves.map((h) => h?.precip_total).filter(isNumber)
    if (!isRunning(d) || !isNumber(d.precip_total) || amounts.length < halves.length) return null
    return d.precip_total >= amounts.reduce((sum, amount) => sum + amount, 0) - 0.002
  }),
  everyDay('no thunder is named on a day without it', (d) =>
    namesThunder(d.conditions ?? '') ? d.thunder_possible === true || d.severe === true : null,
  ),
  everyDay('high and low are the temperatures of the halves', (d) => {
    if (isRunning(d) || !isNumber(d.day?.temperature) || !isNumber(d.night?.temperature)) return null
    return d.high === d.day.temperature && d.low === d.night.temperature
  }),
  everyDay('the amounts of the halves add up to that of the day', (d) => {
    const halves = [d.day?.precip_total, d.night?.precip_total]
    if (isRunning(d) || !isNumber(d.precip_total) || !halves.every(isNumber)) return null
    return Math.abs(d.precip_total - d.day.precip_total - d.night.precip_total) <= 0.002
  }),
]

export const halfRules: readonly MeaningRule[] = [
  everyHalf('a wet half names precipitation', ({ half }) =>
    isWet(half) ? namesPrecipitation(half.conditions ?? '') && drawsPrecipitation(half.icon ?? '') : null,
  ),
  everyHalf('a dry half names no precipitation', ({ half }) =>
    isWet(half) || !isNumber(half.precip_probability) ? null : !namesPrecipitation(half.conditions ?? ''),
  ),
  everyHalf('the icon of a half is computed for noon or for late evening', ({ half, name, day }, { location }) => {
    if (!half.icon) return null
    if (name === 'day') return !/-night$/.test(half.icon)
    // The sun of a northern summer is above the horizon in late evening.
    const { sunset, polar } = day.astro ?? {}
    const hour = sunset ? localOf(sunset, location.timezone).hour : Number.NaN
    const isLight = polar === 'midnight_sun' || (polar !== 'polar_night' && !(hour >= 15 && hour < 22))
    return isLight ? null : !/-day$/.test(half.icon)
  }),
  everyHalf('the chance word of a half is of its own chance', ({ half }) => {
    const { precipitation } = degreesIn(half.conditions ?? '')
    if (!precipitation || !isNumber(half.precip_probability)) return null
    return precipitation === degreeOf(half.precip_probability)
  }),
  everyHalf('thunder is at most as likely as precipitation in a half', ({ half: h }) => {
    if (!(h.thunderstorm_probability >= 30) || !isNumber(h.precip_probability)) return null
    return h.thunderstorm_probability <= h.precip_probability
  }),
  everyHalf('the degree of thunder in the words of a half is of its own probability', ({ half }) => {
    const { thunder } = degreesIn(half.conditions ?? '')
    if (!thunder || !isNumber(half.thunderstorm_probability) || half.severe) return null
    const chance = Math.min(half.thunderstorm_probability, half.precip_probability ?? 100)
    return half.thunderstorm_probability >= 15 && thunder === degreeOf(chance)
  }),
  everyHalf('thunder of 15 % is named in a wet half', ({ half }) =>
    half.thunderstorm_probability >= 15 && isWet(half) ? namesThunder(`${half.conditions} ${half.narrative}`) : null,
  ),
  everyHalf('a half with an inch of snow names snow', ({ half }) =>
    half.snow_total >= 1 ? namesSnow(half.conditions ?? '') && drawsSnow(half.icon ?? '') : null,
  ),
  everyHalf('the words of a half name its type', ({ half }) => {
    if (!half.precip_type || half.precip_type === 'unknown') return null
    if (half.precip_type === 'none') return !namesPrecipitation(half.conditions ?? '')
    return namesPrecipitation(half.conditions ?? '') && typesIn(half.conditions).has(half.precip_type)
  }),
  everyHalf('dew point of a half is at most its highest temperature', ({ half, instants, name, day }, { current }) => {
    const temperatures = instants.map(({ temperature }) => temperature).filter(isNumber)
    if (name === 'day') temperatures.push(half.temperature)
    if (day.active_period === name && isNumber(current?.temperature)) temperatures.push(current.temperature)
    if (!isNumber(half.dew_point) || temperatures.length === 0) return null
    return half.dew_point <= Math.max(...temperatures) + 0.1
  }),
  everyHalf('snow is not named in a half whose coldest hour is above 45 °F', ({ half, hours, instants, isWhole }) => {
    // The last hour of a half ends with it: its temperature is that of the next half's first instant.
    const temperatures = [...new Set([...hours, ...instants])].map(({ temperature }) => temperature).filter(isNumber)
    if (!isWhole || temperatures.length < 12 || !namesSnow(half.conditions ?? '')) return null
    return Math.min(...temperatures) <= 45 || `coldest ${Math.min(...temperatures)}`
  }),
  ...(['dew_point', 'humidity'] as const).map((member) =>
    everyHalf(`${member} of a half is the mean of its hours`, ({ half, hours, instants, isWhole }) => {
      if (!isWhole || instants.length !== 12 || !isNumber(half[member])) return null
      const [a, b] = [hours, instants].map((rows) => rows.map((row) => row[member]).filter(isNumber))
      if (a?.length !== 12 || b?.length !== 12) return null
      const [least, most] = [Math.min(mean(a), mean(b)), Math.max(mean(a), mean(b))]
      return (
        (half[member] >= least - 1 && half[member] <= most + 1) || `mean ${mean(b).toFixed(1)}, has ${half[member]}`
      )
    }),
  ),
  everyHalf('the temperature of a half is the extreme of its hours or beyond', (subject) => {
    const { half, name, hours, instants, isWhole } = subject
    // The instant at the end of the half is that of the last hour that ends in it.
    const values = [...instants, ...hours.slice(-1)].map((h) => h.temperature).filter(isNumber)
    if (!isWhole || values.length < 12 || !isNumber(half.temperature)) return null
    const [least, most] = [Math.min(...values), Math.max(...values)]
    const isNear = name === 'day' ? half.temperature - most : least - half.temperature
    return (isNear >= -0.1 && isNear <= 6) || `hours ${least} to ${most}`
  }),
  everyHalf('cloud cover of a half is the mean of its hours', ({ half, instants, isWhole }) => {
    const values = instants.map((h) => h.cloud_cover).filter(isNumber)
    if (!isWhole || values.length < 12 || !isNumber(half.cloud_cover)) return null
    return Math.abs(half.cloud_cover - mean(values)) <= 8 || `mean ${mean(values).toFixed(0)}, has ${half.cloud_cover}`
  }),
  everyHalf('a half without clouds is not named cloudy, nor an overcast one sunny', ({ half }) => {
    if (!isNumber(half.cloud_cover) || namesPrecipitation(half.conditions ?? '')) return null
    if (half.cloud_cover >= 75) return !/sunny|clear/i.test(half.conditions)
    return half.cloud_cover <= 25 ? !/mostly cloudy|^cloudy|overcast/i.test(half.conditions) : null
  }),
  everyHalf('a half of heavy precipitation has an amount', ({ half }) =>
    /heavy/i.test(half.conditions ?? '') && isNumber(half.precip_total) ? half.precip_total >= 0.05 : null,
  ),
  everyHalf('the chance of a half is at least that of each of its hours', ({ half, hours }) => {
    const chances = hours.map((h) => h.precip_probability).filter(isNumber)
    if (chances.length === 0 || !isNumber(half.precip_probability)) return null
    return half.precip_probability >= Math.max(...chances) - 1 || `greatest ${Math.max(...chances)}`
  }),
  everyHalf('the chance of a half is at most that of any of its hours', ({ half, hours, isWhole, day }) => {
    const chances = hours.map((h) => h.precip_probability).filter(isNumber)
    if (chances.length < hours.length || chances.length === 0) return null
    if (!(isWhole || isRunning(day)) || !isNumber(half.precip_probability)) return null
    // Each published chance may be half a percent too low.
    const most = 100 * (1 - chances.reduce((dry, chance) => dry * Math.max(0, 1 - (chance + 0.5) / 100), 1))
    return half.precip_probability <= most + 1 || `at most ${most.toFixed(0)}`
  }),
  everyHalf('the amount of a half is the sum of its hours', ({ half, hours, isWhole }) => {
    const amounts = hours.map((h) => h.precip_amount).filter(isNumber)
    if (!isWhole || amounts.length !== 12 || !isNumber(half.precip_total)) return null
    const sum = 12 * mean(amounts)
    return Math.abs(sum - half.precip_total) <= 0.008 || `sum ${sum.toFixed(3)}`
  }),
  everyHalf('the snow of a half is the sum of its hours', ({ half, hours, isWhole }) => {
    const amounts = hours.map((h) => h.snow_amount).filter(isNumber)
    if (!isWhole || amounts.length !== 12 || !isNumber(half.snow_total)) return null
    const sum = 12 * mean(amounts)
    return Math.abs(sum - half.snow_total) <= 0.08 || `sum ${sum.toFixed(2)}`
  }),
  everyHalf('thunder of a half is at least that of each of its hours', ({ half, hours }) => {
    const chances = hours.map((h) => h.thunderstorm_probability).filter(isNumber)
    if (chances.length === 0 || !isNumber(half.thunderstorm_probability)) return null
    return half.thunderstorm_probability >= Math.max(...chances) - 1 || `greatest ${Math.max(...chances)}`
  }),
  everyHalf('a half has conditions and an icon where it has a temperature', ({ half }) =>
    isNumber(half.temperature) ? Boolean(half.conditions && half.icon) : null,
  ),
  everyHalf(
    'the type of a half has at least half of the greatest weight of its hours',
    ({ half, hours, isWhole, day }) => {
      const weights = weightsByType(hours)
      if (!(isWhole || isRunning(day)) || weights.size < 2 || half.precip_type === 'none' || hasIce(half)) return null
      const own = weights.get(half.precip_type) ?? 0
      // A mix stands for rain and snow that follow each other.
      const mixed = half.precip_type === 'wintry_mix' ? (weights.get('rain') ?? 0) + (weights.get('snow') ?? 0) : 0
      return Math.max(own, own + mixed) * 2.04 >= Math.max(...weights.values()) || JSON.stringify([...weights])
    },
  ),
]
