import { each, isNumber, limitsOf, rowsOf, wetByNumber } from './answer-members.ts'
import type { Rule } from './rule.ts'

type TypeProbabilities = [number, number, number, number]
const kinds = ['rain', 'snow', 'freezing_rain', 'ice_pellets'] as const

/** Rules about the type of precipitation. */
export const typeRules: readonly Rule[] = [
  {
    name: 'freezing rain needs air of at most 0.5 °C',
    check(answer) {
      const { freezing } = limitsOf(answer)
      return [answer.current, ...rowsOf(answer)].flatMap((row) =>
        row?.precip_type === 'freezing_rain' && row.temperature > freezing ? [`${row.time} at ${row.temperature}`] : [],
      )
    },
  },
  {
    name: 'rain in freezing air is freezing rain',
    check(answer) {
      // The limits allow for rounding.
      const freezing = answer.units?.precip_amount === 'mm' ? -0.06 : 31.9
      return each([answer.current, ...rowsOf(answer)].filter(Boolean), ({ time, precip_type: type, temperature }) =>
        type === 'rain' && isNumber(temperature) && temperature < freezing ? `${time} at ${temperature}` : undefined,
      )
    },
  },
  {
    name: 'an hour with snow has a probability of snow',
    check: (answer) =>
      each(rowsOf(answer), ({ time, precip_type: type, snow_amount: snow, precip_type_snow_prob: chance }) =>
        snow > 0 && chance === 0 ? `${time} ${type}, snow ${snow}` : undefined,
      ),
  },
  {
    name: 'an hour has a type if, and only if, its numbers are wet',
    check(answer) {
      const limits = limitsOf(answer)
      return each(rowsOf(answer), (row) => {
        if (!row.precip_type) return undefined
        const wet = wetByNumber(row, limits)
        if (wet === undefined || wet === (row.precip_type !== 'none')) return undefined
        return `${row.time} ${row.precip_probability} % ${row.precip_amount} ${row.precip_type}`
      })
    },
  },
  {
    name: 'the type of an hour is the type that its probabilities name',
    check: (answer) =>
      each(rowsOf(answer), (row) => {
        const [rain, snow, freezing, pellets] = kinds.map(
          (kind): number => row[`precip_type_${kind}_prob`] ?? 0,
        ) as TypeProbabilities
        const sum = rain + snow + freezing + pellets
        const { precip_type: type } = row
        if (!type || type === 'none' || type === 'unknown' || sum === 0) return undefined
        // Shares of 30 % make a mix; one point allows for rounding.
        const mixed = Math.min(snow, Math.max(rain, freezing + pellets)) + 1 >= 0.3 * sum
        const most = Math.max(rain, snow, freezing, pellets)
        const named = type === 'wintry_mix' ? mixed : row[`precip_type_${type}_prob`] + 1 >= most
        return named ? undefined : `${row.time} ${type}: ${rain}, ${snow}, ${freezing}, ${pellets} %`
      }),
  },
]
