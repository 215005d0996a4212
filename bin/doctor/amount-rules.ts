import { MINUTE } from '../../ingest/domain/time.ts'
import { type AnyJson, daysOf, isNumber, limitsOf, rowsOf } from './answer-members.ts'
import { type HourRow, hoursOf } from './hours.ts'
import type { Rule } from './rule.ts'

/** Rules of amounts: an hour's is of the 60 minutes that end at its time, and each minute is in one row. */

const STEP_MINUTES = 5

const sumOf = (hours: readonly HourRow[], member: string): number =>
  hours.reduce((sum, { row }) => sum + (row[member] ?? Number.NaN), 0)

const totals: readonly [string, string][] = [
  ['precip_total', 'precip_amount'],
  ['snow_total', 'snow_amount'],
]

const runningDay = (answer: AnyJson): AnyJson => daysOf(answer).find(({ active_period: active }) => active)

/** Minutes of `(from, to]` that steps of the nowcast cover, and the amount that they bring, with the greatest of their rates. */
function broughtBetween({ nowcast }: AnyJson, from: number, to: number) {
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

/** A day and a half are the sums of their hours. */
export const totalRules: readonly Rule[] = [
  {
    name: "a day's total is that of its hours, at least of those to come",
    check(answer) {
      const hours = hoursOf(answer)
      const end = hours.at(-1)?.amountDate ?? ''
      const { step } = limitsOf(answer)
      return daysOf(answer).flatMap((day) => {
        const own = hours.filter(({ amountDate }) => amountDate === day.date)
        // Of the running day all hours are shown where the first row is of the day before.
        const whole = own.length >= 23 && end > day.date && (!day.active_period || hours[0] !== own[0])
        return totals.flatMap(([total, amount]) => {
          const sum = sumOf(own, amount)
          const slack = (amount === 'snow_amount' ? 10 : 1) * step * (own.length + 1)
          if (own.length === 0 || !isNumber(day[total]) || !(sum >= 0)) return []
          const differs = day[total] < sum - slack || (whole && day[total] > sum + slack)
          return differs ? [`${day.date} ${total} ${day[total]}, hours ${sum.toFixed(3)}`] : []
        })
      })
    },
  },
  {
    name: 'the running half is what its hours to come are',
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

export const amountRules: readonly Rule[] = [
  {
    name: 'an hour has the amount that the steps of the nowcast bring in it',
    check(answer) {
      const now = Date.parse(answer.meta.generated_at)
      const { step } = limitsOf(answer)
      return rowsOf(answer).flatMap(({ time, precip_amount: amount }) => {
        const end = Date.parse(time)
        const begin = end - 60 * MINUTE
        if (end <= now || !isNumber(amount)) return []
        const brought = broughtBetween(answer, Math.max(begin, now), end)
        const slack = 0.1 * brought.amount + (2 * brought.most) / 60 + 10 * step
        // The other minutes are those of the model, or were measured.
        const whole = begin >= now && brought.minutes > 59.5
        return amount < brought.amount - slack || (whole && amount > brought.amount + slack)
          ? [`${time} ${amount}, steps ${brought.amount.toFixed(3)}`]
          : []
      })
    },
  },
  {
    name: 'snow_total of the running day has the snow that has fallen, or is null with partial_day',
    check(answer) {
      const day = runningDay(answer)
      if (!day || day.snow_total === undefined) return []
      const own = hoursOf(answer).filter(({ amountDate }) => amountDate === day.date)
      const partial = answer.meta.warnings?.some(
        ({ code, fields }: AnyJson) => code === 'partial_day' && fields?.includes('snow_total'),
      )
      if (!isNumber(day.snow_total)) {
        const known = own.length > 0 && own.every(({ row }) => isNumber(row.snow_amount))
        return known && isNumber(day.precip_total) && !partial ? [`${day.date} null without partial_day`] : []
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
