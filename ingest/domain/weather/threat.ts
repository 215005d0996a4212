/** A threat of a day; `DailyThreat` in the answer. */
export interface Threat {
  readonly type: 'severe' | 'tornado' | 'fire' | 'flood' | 'winter' | 'heat' | 'cold' | 'wind'
  readonly risk?: string
  /** Probability, 0 to 1. */
  readonly probability?: number
  readonly risk_label: string
}

/** Extremes of a day in canonical units (K, m/s, mm); NaN if unknown. */
export interface DayExtremes {
  readonly feelsLikeHigh: number
  readonly feelsLikeLow: number
  readonly gust: number
  readonly snow: number
  readonly ice: number
}

const fahrenheit = (degrees: number) => (degrees + 459.67) / 1.8
const mph = (speed: number) => (speed * 1609.344) / 3600

/**
 * Derives the threats from the values of a day. Heat uses the NWS heat index classes: extreme caution (here from 95 °F, although the class
 * begins at 90), danger from 103 and extreme danger from 125. Cold uses the wind chills at which skin freezes in 30 and 10 minutes. Wind
 * uses the gusts of an NWS advisory (46 mph) and a high wind warning (58 mph). Winter uses the depth of snow and ice.
 * @param snowAbove returns the probability of more snow than these inches, percent, NaN if unknown; it is called only in winter conditions
 */
export function threatsOf(day: DayExtremes, snowAbove: (inches: 1 | 4) => number): Threat[] {
  const threats: Threat[] = []
  const { snow, ice } = day
  const winter =
    snow >= 203 || ice >= 12.7
      ? 'Major'
      : snow >= 102 || ice >= 6.35
        ? 'Moderate'
        : snow >= 25 || ice >= 0.254
          ? 'Minor'
          : undefined
  if (winter) {
    const percent = snowAbove(winter === 'Minor' ? 1 : 4)
    threats.push({
      type: 'winter',
      risk_label: winter,
      ...(percent > 0 && { probability: Math.round(percent) / 100 }),
    })
  }
  const heat =
    day.feelsLikeHigh >= fahrenheit(125)
      ? 'Extreme Danger'
      : day.feelsLikeHigh >= fahrenheit(103)
        ? 'Danger'
        : day.feelsLikeHigh >= fahrenheit(95)
          ? 'Extreme Caution'
          : undefined
  if (heat) threats.push({ type: 'heat', risk_label: heat })
  const cold =
    day.feelsLikeLow <= fahrenheit(-35) ? 'Extreme Danger' : day.feelsLikeLow <= fahrenheit(-18) ? 'Danger' : undefined
  if (cold) threats.push({ type: 'cold', risk_label: cold })
  const wind = day.gust >= mph(58) ? 'High' : day.gust >= mph(46) ? 'Elevated' : undefined
  if (wind) threats.push({ type: 'wind', risk_label: wind })
  return threats
}
