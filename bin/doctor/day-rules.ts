import {
  boundsFrom,
  daysOf,
  each,
  halvesOf,
  isNumber,
  type Json,
  limitsOf,
  nowFromRadar,
  rowsOf,
} from './answer-members.ts'
import { dateReader, isDayHour } from './local-date.ts'
import type { Rule } from './rule.ts'

/** Rules between a day, its halves, their words and their hours. */

/** Rows still to come; that of the current hour is one of them where it speaks of the next 30 minutes. */
const toCome = (answer: Json): Json[] => {
  const now = Date.parse(answer.meta.generated_at)
  return rowsOf(answer).filter(({ time }, i) => Date.parse(time) > now || (i === 0 && nowFromRadar(answer)))
}

/** The instant whose date and half an interval row belongs to. */
const middle = (answer: Json, { time }: Json): number =>
  Math.max(Date.parse(time) - 1, Date.parse(answer.meta.generated_at))

const sumOf = (rows: readonly Json[], member: string): number =>
  rows.reduce((sum: number, row) => sum + (row[member] ?? Number.NaN), 0)

const amounts: readonly [string, string][] = [
  ['precip_total', 'precip_amount'],
  ['snow_total', 'snow_amount'],
]

/** Inches that a narrative names. */
const inches: Readonly<Record<string, number>> = {
  'a tenth of an inch': 0.1,
  'a tenth': 0.1,
  'a quarter of an inch': 0.25,
  'a quarter': 0.25,
  'half an inch': 0.5,
  half: 0.5,
  'three quarters of an inch': 0.75,
  'an inch': 1,
}
const inchesOf = (words: string): number => inches[words] ?? Number.parseFloat(words)

/** `Rain around half an inch.`: one amount; `between … and …`: two. */
function amountNamed(narrative: string): string[] | undefined {
  const sentence = narrative.split('. ').find((text) => /^(?:Rain|Precipitation) (?:around|between) /.test(text))
  const [, around, between] = /^\w+ (?:around (.*)|between (.*))$/.exec(sentence?.replace(/\.$/, '') ?? '') ?? []
  return around ? [around] : between?.split(' and ')
}

/** Local hours of a part of the day, the end included. */
const parts: Readonly<Record<string, readonly [number, number]>> = {
  'This morning': [6, 12],
  'Tomorrow morning': [6, 12],
  'This afternoon': [12, 18],
  'This evening': [18, 22],
  Tonight: [22, 30],
}

export const dayRules: readonly Rule[] = [
  {
    name: "a day's total is that of its hours, at least of those to come",
    check(answer) {
      const dayOf = dateReader(answer.location.timezone)
      const rows = toCome(answer)
      const end = rows.length > 0 ? dayOf(middle(answer, rows.at(-1))) : ''
      const { step } = limitsOf(answer)
      return daysOf(answer).flatMap((day) => {
        const own = rows.filter((row) => dayOf(middle(answer, row)) === day.date)
        return amounts.flatMap(([total, amount]) => {
          const sum = sumOf(own, amount)
          const slack = (amount === 'snow_amount' ? 10 : 1) * step * (own.length + 1)
          if (own.length === 0 || !isNumber(day[total]) || !(sum >= 0)) return []
          const whole = !day.active_period && own.length >= 23 && end > day.date
          if (day[total] < sum - slack || (whole && day[total] > sum + slack))
            return [`${day.date} ${total} ${day[total]}, hours ${sum.toFixed(3)}`]
          return []
        })
      })
    },
  },
  {
    name: 'the running half is what its hours to come are',
    check(answer) {
      const dayOf = dateReader(answer.location.timezone)
      const day = daysOf(answer).find(({ active_period: active }) => active)
      const half = day?.[day.active_period]
      if (!half || !isNumber(half.precip_total)) return []
      const own = toCome(answer).filter((row) => {
        const at = middle(answer, row)
        const byDay = isDayHour(new Date(at).toISOString(), answer.location.timezone)
        return dayOf(at) === day.date && byDay === (day.active_period === 'day')
      })
      const sum = sumOf(own, 'precip_amount')
      const slack = limitsOf(answer).step * (own.length + 1)
      return own.length > 0 && Math.abs(half.precip_total - sum) > slack
        ? [`${day.date} ${day.active_period} ${half.precip_total}, hours ${sum.toFixed(3)}`]
        : []
    },
  },
  {
    name: "a day's thunder is at least that of its hours",
    check(answer) {
      const dayOf = dateReader(answer.location.timezone)
      const bound = boundsFrom(answer)
      const { lightning_prob: probability, lightning_flashes: flashes } = answer.current ?? {}
      const observed = isNumber(probability) || isNumber(flashes) ? rowsOf(answer).slice(0, 1) : []
      const rows = [...new Set([...observed, ...toCome(answer)])]
      return each(daysOf(answer), (day) => {
        if (!isNumber(day.thunderstorm_probability_max)) return undefined
        const above = rows.find(
          (row) =>
            Date.parse(row.time) < bound &&
            dayOf(middle(answer, row)) === day.date &&
            row.thunderstorm_probability > day.thunderstorm_probability_max,
        )
        return (
          above &&
          `${day.date} ${day.thunderstorm_probability_max} %, ${above.time} ${above.thunderstorm_probability} %`
        )
      })
    },
  },
  {
    name: 'lows and feels-like extremes hold their hours',
    check(answer) {
      const { timezone } = answer.location
      const dayOf = dateReader(timezone)
      return daysOf(answer).flatMap((day) =>
        rowsOf(answer).flatMap((row) => {
          if (dayOf(Date.parse(row.time)) !== day.date) return []
          const byDay = isDayHour(row.time, timezone)
          const wrong = byDay
            ? isNumber(day.feels_like_high) && row.feels_like > day.feels_like_high && 'feels_like_high'
            : (isNumber(day.low) && row.temperature < day.low && 'low') ||
              (isNumber(day.feels_like_low) && row.feels_like < day.feels_like_low && 'feels_like_low')
          return wrong ? [`${day.date} ${wrong} ${day[wrong]}, ${row.time} ${row.temperature} ${row.feels_like}`] : []
        }),
      )
    },
  },
  {
    name: 'a half that has passed is wet by what was measured',
    check(answer) {
      const day = daysOf(answer).find(({ active_period: active }) => active === 'night')
      const { precip_total: total, precip_type: type } = day?.day ?? {}
      const { amount, step } = limitsOf(answer)
      if (!type || !isNumber(total) || Math.abs(total - amount) <= step) return []
      return (type !== 'none') === total > amount ? [] : [`${day.date} ${total} ${type}`]
    },
  },
  {
    name: 'snow of half an inch is not called rain',
    check: (answer) =>
      daysOf(answer).flatMap((day) =>
        halvesOf(day).flatMap(([name, { snow_total: snow, precip_type: type, conditions }]) =>
          answer.units.precip_amount === 'in' && snow >= 0.55 && (type === 'rain' || type === 'none')
            ? [`${day.date} ${name} ${snow} ${type} "${conditions}"`]
            : [],
        ),
      ),
  },
  {
    name: 'a narrative names the amount of its half',
    check: (answer) =>
      daysOf(answer).flatMap((day) =>
        halvesOf(day).flatMap(([name, { narrative, precip_total: total }]) => {
          const named = amountNamed(narrative ?? '')
          if (!named || answer.units.precip_amount !== 'in') return []
          const [low, high = low] = named
          const share = named.length === 1 ? 0.21 : 0
          const [least, most] = [inchesOf(low) * (1 - share) - 0.001, inchesOf(high) * (1 + share) + 0.001]
          return total >= least && total <= most ? [] : [`${day.date} ${name} ${total} "${narrative}"`]
        }),
      ),
  },
  {
    name: 'a narrative with likely precipitation names no clear sky',
    check: (answer) =>
      daysOf(answer).flatMap((day) =>
        halvesOf(day).flatMap(([name, { narrative, precip_probability: chance, precip_type: type }]) =>
          chance >= 60 && type !== 'none' && /\b(?:clear|sunny)\b/i.test(narrative ?? '')
            ? [`${day.date} ${name} ${chance} % "${narrative}"`]
            : [],
        ),
      ),
  },
  {
    name: 'narrations name no hour beyond their part of the day',
    check({ narrations }) {
      return (narrations?.short_term ?? '').split('. ').flatMap((text: string) => {
        const [first, last] = parts[text.split(': ')[0]!] ?? [0, 30]
        const [hour, half] = text.split(' by ')[1]?.split(' ') ?? []
        if (!half || text.startsWith('Wind')) return []
        const at = (Number(hour) % 12) + (half.startsWith('P') ? 12 : 0)
        return [at, at + 24].some((one) => one >= first && one <= last) ? [] : [text]
      })
    },
  },
  {
    name: 'narrations name likely thunder',
    check(answer) {
      const text = answer.narrations?.short_term
      const most = Math.max(
        ...rowsOf(answer)
          .slice(0, 12)
          .map((row) => row.thunderstorm_probability ?? 0),
      )
      if (!text || !(most >= 80) || Date.parse(rowsOf(answer)[11]?.time) >= boundsFrom(answer)) return []
      return text.includes('Thunderstorms expected') ? [] : [`${most} % "${text}"`]
    },
  },
]
