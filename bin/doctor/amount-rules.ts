import { MINUTE } from '../../ingest/domain/time.ts'
import { type AnyJson, daysOf, isNumber, limitsOf, rowsOf } from './answer-members.ts'
import { type HourRow, hoursOf } from './hours.ts'
import type { Rule } from './rule.ts'

/**
 * Rules about amounts. The amount of an hour is for the 60 minutes that end at its time, and each minute belongs to one
 * row.
 */

const STEP_MINUTES = 5

const sumOf = (hours: readonly HourRow[], member: string): number =>
  hours.reduce((sum, { row }) => sum + (row[member] ?? Number.NaN), 0)

const totals: readonly [string, string][] = [
  ['precip_total', 'precip_amount'],
  ['snow_total', 'snow_amount'],
]

const runningDay = (answer: AnyJson): AnyJson => daysOf(answer).find(({ active_period: active }) => active)

/**
 * Minutes of `(from, to]` that steps of the nowcast cover, the amount of these steps, and the greatest of their rates.
 */
export function nowcastBetween({ nowcast }: AnyJson, from: number, to: number) {
  let [minutes, amount, most] = [0, 0, 0]
  for (const { time, type, precip_rate: rate } of nowcast?.points ?? []) {
    const begin = Date.parse(time)
    const length = (Math.min(to, begin + STEP_MINUTES * MINUTE) - Math.max(from, begin)) / MINUTE
    if (length <= 0 || type === 'no_coverage') continue
    minutes += length
    amount += (length * (rate ?? 0)) / 60
    most = Math.max(most, rate ?? 0)
  }
  return { minutes, amount, most }
}

/** Totals of days and halves are the sums of their hours. */
export const totalRules: readonly Rule[] = [
  {
    name: 'the total of a day is the sum of its hours, or at least of its remaining hours',
    check(answer) {
      const hours = hoursOf(answer)
      const end = hours.at(-1)?.amountDate ?? ''
      const { step } = limitsOf(answer)
      return daysOf(answer).flatMap((day) => {
        const own = hours.filter(({ amountDate }) => amountDate === day.date)
        const isWhole = own.length >= 23 && end > day.date && !day.active_period
        return totals.flatMap(([total, amount]) => {
          const sum = sumOf(own, amount)
          const slack = (amount === 'snow_amount' ? 10 : 1) * step * (own.length + 1)
          if (own.length === 0 || !isNumber(day[total]) || !(sum >= 0)) return []
          const differs = day[total] < sum - slack || (isWhole && day[total] > sum + slack)
          return differs ? [`${day.date} ${total} ${day[total]}, hours ${sum.toFixed(3)}`] : []
        })
      })
    },
  },
  {
    name: 'the total of the running half is the sum of its remaining hours',
    check(answer) {
      const day = runningDay(answer)
      const half = day?.[day.active_period]
      if (!half || !isNumber(half.precip_total)) return []
      const now = Date.parse(answer.meta.generated_at)
      const own = hoursOf(answer).filter(
        ({ time, amountDate, amountByDay }) =>
          time > now && amountDate === day.date && amountByDay === (day.active_period === 'day'),
      )
      const sum = sumOf(own, 'precip_amount')
      const slack = limitsOf(answer).step * (own.length + 1)
      return own.length > 0 && Math.abs(half.precip_total - sum) > slack
        ? [`${day.date} ${day.active_period} ${half.precip_total}, hours ${sum.toFixed(3)}`]
        : []
    },
  },
]

/** Greatest difference of the snow of a row and of the window of its percentiles, as a share and in mm. */
const MAX_SNOW_SHARE = 0.1
const MAX_SNOW_MM = 2.54

export const amountRules: readonly Rule[] = [
  {
    name: 'percentiles of snow are of a window with the snow of the row',
    check(answer) {
      const hours = hoursOf(answer)
      const perMm = answer.units?.precip_amount === 'mm' ? 1 : 1 / 25.4
      return daysOf(answer).flatMap((day) => {
        const { snow_window_start: start, snow_window_end: end } = day.uncertainty ?? {}
        if (!start || !end || day.active_period || !isNumber(day.snow_total)) return []
        const inWindow = hours.filter(({ time }) => time > Date.parse(start) && time <= Date.parse(end))
        const snow = sumOf(inWindow, 'snow_amount')
        if (inWindow.length < 24 || !(snow >= 0)) return []
        // Each hour and the total are rounded to a hundredth of an inch.
        const snowyHours = inWindow.filter((hour) => sumOf([hour], 'snow_amount') > 0).length
        const rounding = (0.3 + 0.127 * snowyHours) * perMm
        const most = Math.max(MAX_SNOW_SHARE * Math.max(snow, day.snow_total), MAX_SNOW_MM * perMm) + rounding
        return Math.abs(snow - day.snow_total) > most
          ? [`${day.date} ${day.snow_total}, window ${snow.toFixed(2)}`]
          : []
      })
    },
  },
  {
    name: 'the amount of an hour agrees with the steps of the nowcast in it',
    check(answer) {
      const now = Date.parse(answer.meta.generated_at)
      const { step } = limitsOf(answer)
      return rowsOf(answer).flatMap(({ time, precip_amount: amount }) => {
        const end = Date.parse(time)
        const begin = end - 60 * MINUTE
        if (end <= now || !isNumber(amount)) return []
        const steps = nowcastBetween(answer, Math.max(begin, now), end)
        const slack = 0.1 * steps.amount + (2 * steps.most) / 60 + 10 * step
        // The amount of the remaining minutes comes from the model or from measurements.
        const isWhole = begin >= now && steps.minutes > 59.5
        return amount < steps.amount - slack || (isWhole && amount > steps.amount + slack)
          ? [`${time} ${amount}, steps ${steps.amount.toFixed(3)}`]
          : []
      })
    },
  },
  {
    name: 'snow_total of the running day includes the snow that has fallen, or is null with partial_day',
    check(answer) {
      const day = runningDay(answer)
      if (!day || day.snow_total === undefined) return []
      const own = hoursOf(answer).filter(({ amountDate }) => amountDate === day.date)
      const isPartial = answer.meta.warnings?.some(
        ({ code, fields }: AnyJson) => code === 'partial_day' && fields?.includes('snow_total'),
      )
      if (!isNumber(day.snow_total)) {
        const isKnown = own.length > 0 && own.every(({ row }) => isNumber(row.snow_amount))
        return isKnown && isNumber(day.precip_total) && !isPartial ? [`${day.date} null without partial_day`] : []
      }
      const metric = answer.units.precip_amount === 'mm'
      const cold = isNumber(day.high) && day.high <= (metric ? -7 : 19)
      const onlySnow = day.ice_total === 0 && own.every(({ row }) => /^(?:none|snow)$/.test(row.precip_type))
      const fallen = cold && onlySnow && day.precip_total > (metric ? 2 : 0.08)
      return fallen && day.snow_total < 4 * day.precip_total
        ? [`${day.date} snow ${day.snow_total} of ${day.precip_total} at ${day.high}`]
        : []
    },
  },
]
