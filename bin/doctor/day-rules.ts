import { totalRules } from './amount-rules.ts'
import { daysOf, each, halvesOf, isNumber, limitsOf, rowsOf, THUNDER } from './answer-members.ts'
import { hoursOf } from './hours.ts'
import type { Rule } from './rule.ts'

/** Rules about a day, its halves, their words and their hours. */

/** Inches of the amounts that a narrative can name. */
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

/**
 * Returns the amounts that a narrative names: one for `Rain around half an inch.`, two for `between … and …`; undefined
 * if it names none.
 */
function amountNamed(narrative: string): string[] | undefined {
  const sentence = narrative
    .split('. ')
    .find((text) => /^(?:Rain|Precipitation|Liquid equivalent) (?:around|between) /.test(text))
  const [, around, between] =
    /^(?:Rain|Precipitation|Liquid equivalent) (?:around (.*)|between (.*))$/.exec(
      sentence?.replace(/(?:, mostly rain)?(?: possible)?\.?$/, '') ?? '',
    ) ?? []
  return around ? [around] : between?.split(' and ')
}

/** Local hours of a part of the day, including its end. */
const parts: Readonly<Record<string, readonly [number, number]>> = {
  'This morning': [6, 12],
  'Tomorrow morning': [6, 12],
  'This afternoon': [12, 18],
  'This evening': [18, 22],
  Tonight: [22, 30],
}

/** Converts `2 PM` to 14. */
const hourOfDay = (words: string): number => (Number.parseInt(words, 10) % 12) + (words.endsWith('PM') ? 12 : 0)

export const dayRules: readonly Rule[] = [
  ...totalRules,
  {
    name: 'the probability of thunder of a day is at least that of its hours',
    check(answer) {
      const hours = hoursOf(answer)
      return each(daysOf(answer), ({ date, thunderstorm_probability_max: most }) => {
        if (!isNumber(most)) return undefined
        const above = hours.find(({ amountDate, row }) => amountDate === date && row.thunderstorm_probability > most)
        return above && `${date} ${most} %, ${above.row.time} ${above.row.thunderstorm_probability} %`
      })
    },
  },
  {
    name: 'lows and feels-like extremes include those of their hours',
    check: (answer) =>
      daysOf(answer).flatMap((day) =>
        hoursOf(answer).flatMap(({ date, byDay, amountDate, amountByDay, row }) => {
          // The instant at the end of a half belongs to it too.
          const isOf = (byDayHalf: boolean) =>
            (date === day.date && byDay === byDayHalf) || (amountDate === day.date && amountByDay === byDayHalf)
          if (!isOf(true) && !isOf(false)) return []
          const wrong = !isOf(false)
            ? isNumber(day.feels_like_high) && row.feels_like > day.feels_like_high && 'feels_like_high'
            : (isNumber(day.low) && row.temperature < day.low && 'low') ||
              (isNumber(day.feels_like_low) && row.feels_like < day.feels_like_low && 'feels_like_low')
          return wrong ? [`${day.date} ${wrong} ${day[wrong]}, ${row.time} ${row.temperature} ${row.feels_like}`] : []
        }),
      ),
  },
  {
    name: 'the type of a half that has passed follows from its measured amount',
    check(answer) {
      const day = daysOf(answer).find(({ active_period: active }) => active === 'night')
      const { precip_total: total, precip_type: type } = day?.day ?? {}
      const { amount, step } = limitsOf(answer)
      if (!type || !isNumber(total) || Math.abs(total - amount) <= step) return []
      return (type !== 'none') === total > amount ? [] : [`${day.date} ${total} ${type}`]
    },
  },
  {
    name: 'a half with half an inch of snow is not called rain',
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
          const [low = '', high = low] = named
          const share = named.length === 1 ? 0.21 : 0
          const [least, most] = [inchesOf(low) * (1 - share) - 0.001, inchesOf(high) * (1 + share) + 0.001]
          return total >= least && total <= most ? [] : [`${day.date} ${name} ${total} "${narrative}"`]
        }),
      ),
  },
  {
    name: 'a narrative names the new snow of its half',
    check: (answer) =>
      daysOf(answer).flatMap((day) =>
        halvesOf(day).flatMap(([name, { narrative, snow_total: snow }]) => {
          const [, words = ''] = /New snow of around (an inch|half an inch)/.exec(narrative ?? '') ?? []
          const [least, most] = words === 'an inch' ? [0.74, 1.51] : [0.39, 0.76]
          const isAmiss = words !== '' && isNumber(snow) && (snow < least || snow > most)
          return isAmiss ? [`${day.date} ${name} ${snow} "${narrative}"`] : []
        }),
      ),
  },
  {
    name: 'a narrative mentions more than a tenth of an inch of snow',
    check: (answer) =>
      daysOf(answer).flatMap((day) =>
        halvesOf(day).flatMap(([name, { narrative, snow_total: snow }]) =>
          answer.units.precip_amount === 'in' &&
          narrative &&
          snow >= 0.15 &&
          !/\b(?:snow|flurries|wintry mix)\b/i.test(narrative)
            ? [`${day.date} ${name} ${snow} "${narrative}"`]
            : [],
        ),
      ),
  },
  {
    name: 'a narrative names no rain where the type is not known',
    check: (answer) =>
      daysOf(answer).flatMap((day) =>
        halvesOf(day).flatMap(([name, { narrative, precip_type: type }]) =>
          type === 'unknown' && /\bRain (?:around|between)\b/.test(narrative ?? '')
            ? [`${day.date} ${name} "${narrative}"`]
            : [],
        ),
      ),
  },
  {
    name: 'a narrative of snow gives no amount of its liquid as precipitation',
    check: (answer) =>
      daysOf(answer).flatMap((day) =>
        halvesOf(day).flatMap(([name, { narrative, precip_type: type }]) =>
          type === 'snow' && / Precipitation (?:around|between) /.test(narrative ?? '')
            ? [`${day.date} ${name} "${narrative}"`]
            : [],
        ),
      ),
  },
  {
    name: 'a narrative names no more snow than its day has',
    check: (answer) =>
      daysOf(answer).flatMap((day) =>
        halvesOf(day).flatMap(([name, { narrative }]) => {
          const [, least] = /New snow of (\d+) to \d+ inches/.exec(narrative ?? '') ?? []
          return least && isNumber(day.snow_total) && Number(least) > day.snow_total + 0.05
            ? [`${day.date} ${name} ${day.snow_total} "${narrative}"`]
            : []
        }),
      ),
  },
  {
    name: 'a narrative with likely precipitation names no clear sky',
    check: (answer) =>
      daysOf(answer).flatMap((day) =>
        halvesOf(day).flatMap(([name, { narrative, precip_probability: chance, precip_type: type }]) =>
          (chance >= 55 || chance == null) &&
          type !== 'none' &&
          type != null &&
          /\b(?:clear|sunny)\b/i.test(narrative ?? '')
            ? [`${day.date} ${name} ${chance} % "${narrative}"`]
            : [],
        ),
      ),
  },
  {
    name: 'narrations name no hour outside of their part of the day',
    check({ narrations }) {
      return (narrations?.short_term ?? '').split('. ').flatMap((text: string) => {
        const [first, last] = parts[text.split(': ', 1).join()] ?? [0, 30]
        const [hour, half] = text.split(' by ')[1]?.split(' ') ?? []
        if (!half || text.startsWith('Wind')) return []
        const at = hourOfDay(`${hour} ${half.slice(0, 2)}`)
        return [at, at + 24].some((localHour) => localHour >= first && localHour <= last) ? [] : [text]
      })
    },
  },
  {
    name: 'narrations name no slight chance in the part of the day in which precipitation is expected',
    check({ narrations }) {
      const text: string = narrations?.short_term ?? ''
      const [part = '', tail = ''] = text.split(': slight chance', 2)
      const expected = / expected \([^()]*\)(?:, mainly (\d{1,2} [AP]M) to (\d{1,2} [AP]M))?/.exec(tail)
      if (!expected) return []
      const [, ...hours] = expected
      const [first, last] = (tail && parts[part]) || [0, 0]
      const [begin = first, end = last] = hours.flatMap((hour) => (hour ? [hourOfDay(hour)] : []))
      const overlaps = [0, 24].some((day) => begin + day < last && (end > begin ? end : end + 24) + day > first)
      return overlaps ? [text] : []
    },
  },
  {
    name: 'narrations name likely thunder',
    check(answer) {
      const text = answer.narrations?.short_term
      const most = Math.max(
        ...rowsOf(answer)
          .slice(0, 12)
          .map((row) => Math.min(row.thunderstorm_probability ?? 0, row.precip_probability ?? 100)),
      )
      if (!text || !(most >= 80)) return []
      return text.includes('Thunderstorms expected') ? [] : [`${most} % "${text}"`]
    },
  },
  {
    name: 'thunder that narrations expect is in the words of an hour',
    check(answer) {
      const text = answer.narrations?.short_term
      const wetRows = rowsOf(answer)
        .slice(0, 12)
        .filter(
          ({ precip_type, thunderstorm_probability: chance }) => chance >= 60 && precip_type && precip_type !== 'none',
        )
      if (!/Thunderstorms (likely|expected)/.test(text) || wetRows.length === 0) return []
      return wetRows.some(({ conditions }) => THUNDER.test(conditions))
        ? []
        : [`"${text}" "${wetRows.map(({ conditions }) => conditions).join('", "')}"`]
    },
  },
]
