import { amountRules } from './amount-rules.ts'
import {
  type AnyJson,
  daysOf,
  each,
  FALLING,
  halvesOf,
  isNumber,
  limitsOf,
  rainContinues,
  rowsOf,
  THUNDER,
  wetByNumber,
  withoutDegrees,
} from './answer-members.ts'
import { dayRules } from './day-rules.ts'
import { hourRules } from './hour-rules.ts'
import { hoursOf } from './hours.ts'
import { dateReader } from './local-date.ts'
import { nowcastRules } from './nowcast-rules.ts'
import type { Rule } from './rule.ts'
import { skyRules } from './sky-rules.ts'
import { typeRules } from './type-rules.ts'

const STORM_WARNING = /^(Tornado|Severe Thunderstorm) Warning$/

/** Rules about one answer of `/v1/weather`: no two members may contradict each other (docs/CONSISTENCY.md). */

export const rules: readonly Rule[] = [
  {
    name: 'rain that the radar sees is in current and in the current hour',
    check(answer) {
      const { radar, current } = answer
      if (radar?.coverage !== 'value' || !(radar.precip_rate > 1.5 * limitsOf(answer).wetRate)) return []
      const row = rowsOf(answer)[0]
      return [
        ...(current && (current.precip_type === 'none' || !FALLING.test(current.conditions))
          ? [`radar ${radar.precip_rate}, current ${current.precip_type} "${current.conditions}"`]
          : []),
        ...(row &&
        (!(row.precip_probability >= (rainContinues(answer) ? 80 : 50)) ||
          (row.conditions && !FALLING.test(row.conditions)))
          ? [`radar ${radar.precip_rate}, hourly[0] ${row.precip_probability} % "${row.conditions}"`]
          : []),
      ]
    },
  },
  {
    name: 'current and the current hour name the same type within radar coverage',
    check(answer) {
      const [row] = rowsOf(answer)
      const type = answer.current?.precip_type
      if (!row?.precip_type || !type || type === 'none' || !answer.radar || answer.radar.coverage === 'no_coverage')
        return []
      const { temperature } = answer.current
      const [coldest, warmest] = answer.units?.temperature === 'C' ? [-10, 5] : [14, 41]
      const mayDiffer =
        Math.min(temperature, row.temperature) <= warmest && Math.max(temperature, row.temperature) >= coldest
      // The type may change within the hour with the temperature of the air: snow melts up to 5 °C, and rain freezes down to -10 °C.
      if (mayDiffer && Math.abs(temperature - row.temperature) > 0.5) return []
      return type === row.precip_type ? [] : [`current ${type}, hourly[0] ${row.precip_type}`]
    },
  },
  {
    name: 'lightning makes thunder possible',
    check(answer) {
      const { current } = answer
      const row = rowsOf(answer)[0]
      if (!current || row?.thunder_possible !== false) return []
      return current.lightning_flashes > 0 || current.lightning_prob === 100
        ? [`${current.lightning_flashes} flashes, ${current.lightning_prob} %, hourly[0] not thunder_possible`]
        : []
    },
  },
  {
    name: 'a storm under a warning has thunder',
    check(answer) {
      const now = Date.parse(answer.meta.generated_at)
      const isWarned = answer.alerts?.some(
        ({ event, onset, ends, expires }: AnyJson) =>
          STORM_WARNING.test(event) &&
          Date.parse(onset) <= now &&
          Math.min(Date.parse(ends), Date.parse(expires)) > now,
      )
      if (!isWarned) return []
      const row = rowsOf(answer)[0]
      // If the type is unknown and there is no rate, it is not known whether anything falls now.
      const isUnseen = answer.current?.precip_type === 'unknown' && answer.current.precip_rate === null
      const isFalling = (row: AnyJson) =>
        row?.precip_type && row.precip_type !== 'none' && !(isUnseen && row === answer.current)
      return [
        ...(row?.thunder_possible === false ? ['hourly[0] not thunder_possible'] : []),
        ...[answer.current, row].flatMap((hour) =>
          isFalling(hour) && hour.conditions && !THUNDER.test(hour.conditions)
            ? [`${hour.time} "${hour.conditions}"`]
            : [],
        ),
      ]
    },
  },
  {
    name: 'words of an hour name precipitation if, and only if, it has a type',
    check: (answer) =>
      each([answer.current, ...rowsOf(answer)].filter(Boolean), (row) => {
        if (!row.precip_type || !row.conditions || row.conditions === 'Unknown') return undefined
        // Without a rate it is not known whether anything falls now.
        if (row === answer.current && row.precip_type === 'unknown' && row.precip_rate === null) return undefined
        if ((row.precip_type !== 'none') === FALLING.test(row.conditions)) return undefined
        return `${row.time} ${row.precip_type} "${row.conditions}"`
      }),
  },
  {
    name: 'without probability there is no amount, and without liquid no snow or ice',
    check: (answer) =>
      // The total of the running day includes its past hours.
      each(
        [
          ...rowsOf(answer),
          ...daysOf(answer).flatMap((day) => [
            ...(day.active_period ? [] : [day]),
            ...halvesOf(day).map(([, half]) => half),
          ]),
        ],
        (row) => {
          const amount = row.precip_amount ?? row.precip_total
          const where = row.time ?? row.date ?? row.narrative ?? ''
          if (row.precip_probability === 0 && amount > 0) return `${where} 0 % ${amount}`
          if (amount === 0 && (row.snow_amount ?? row.snow_total) > 0) return `${where} snow without liquid`
          return undefined
        },
      ),
  },
  {
    name: 'thunder_possible follows probability and CAPE',
    check(answer) {
      return each(rowsOf(answer), (row) => {
        if (row.thunder_possible === undefined) return undefined
        const possible = row.thunderstorm_probability >= 15 || row.cape >= 1000
        return possible === row.thunder_possible
          ? undefined
          : `${row.time} ${row.thunderstorm_probability} % ${row.cape} J/kg ${row.thunder_possible}`
      })
    },
  },
  {
    name: 'words name thunder only if thunder is possible',
    check: (answer) =>
      each(
        [
          ...rowsOf(answer),
          ...daysOf(answer),
          ...daysOf(answer).flatMap((day) => halvesOf(day).map(([, half]) => half)),
        ],
        (row) =>
          row.thunder_possible === false && row.conditions && THUNDER.test(row.conditions)
            ? `${row.time ?? row.date} "${row.conditions}"`
            : undefined,
      ),
  },
  {
    name: 'the dew point is at most the temperature, and the gust at least the wind speed',
    check: (answer) =>
      each(
        [
          answer.current,
          ...rowsOf(answer),
          // The temperature of a night is its minimum, and its dew point is a mean.
          ...daysOf(answer).flatMap(({ day }) => day ?? []),
        ].filter(Boolean),
        (row) => {
          const where = row.time ?? row.narrative
          const [dewPoint, temperature] = [row.dew_point, row.temperature]
          // The high of a day may be unknown while a mean of some of its hours is known.
          if (isNumber(dewPoint) && isNumber(temperature) && dewPoint > temperature)
            return `${where} ${dewPoint} > ${temperature}`
          if (isNumber(row.wind_gust) && row.wind_gust < row.wind_speed) return `${where} gust ${row.wind_gust}`
          return undefined
        },
      ),
  },
  {
    name: 'a day that is wet by its numbers is wet by its words',
    check(answer) {
      const limits = limitsOf(answer)
      return each(daysOf(answer), (day) => {
        const amount = day.active_period ? undefined : day.precip_total
        const wet = wetByNumber({ precip_probability: day.precip_probability, precip_amount: amount }, limits)
        if (wet !== true || !day.conditions || FALLING.test(day.conditions)) return undefined
        return `${day.date} ${day.precip_probability} % ${day.precip_total} "${day.conditions}"`
      })
    },
  },
  {
    name: 'a half that is wet by its numbers is wet by its words and type',
    check(answer) {
      const limits = limitsOf(answer)
      return daysOf(answer).flatMap((day) =>
        halvesOf(day).flatMap(([name, half]) => {
          if (!half.conditions) return []
          const wet = wetByNumber(
            { precip_probability: half.precip_probability, precip_amount: half.precip_total },
            limits,
          )
          const falling = FALLING.test(half.conditions)
          const typed = half.precip_type !== 'none'
          if (falling !== typed || (wet === true && !falling)) {
            return [
              `${day.date} ${name} ${half.precip_probability} % ${half.precip_total} ${half.precip_type} "${half.conditions}"`,
            ]
          }
          return []
        }),
      )
    },
  },
  {
    name: 'the words of a day are those of one of its halves',
    check: (answer) =>
      each(daysOf(answer), (day) => {
        if (!day.day?.conditions && !day.night?.conditions) return undefined
        // The words are for the remaining hours, which are unknown if forecasts end within the night.
        if (day.active_period === 'night' && !day.conditions && !day.night?.conditions) return undefined
        if (!day.conditions) return `${day.date} none`
        const own = day.conditions.replace(/ at Night$/, '')
        const atNight = own !== day.conditions
        // The icon of a row is for local noon.
        if (atNight && day.icon?.endsWith('-night')) return `${day.date} "${day.conditions}" ${day.icon}`
        const halves = [day.day?.conditions, day.night?.conditions].map(withoutDegrees)
        // The sum of both halves may be measurable although neither half is.
        if (FALLING.test(day.conditions) && !halves.some((words) => FALLING.test(words))) return undefined
        // The sum of both halves may be an inch of snow although neither half is.
        if (day.snow_total >= (answer.units?.precip_amount === 'mm' ? 25.3 : 0.99) && /snow|mix/i.test(own))
          return undefined
        // The chance of the row may exceed that of the half with thunder, which is then named beside the precipitation.
        const named = withoutDegrees(own)
        const beside = named.replace(/^(?:Showers|Rain) Thunderstorms$/, 'Thunderstorms')
        const isNamed = (half = '') => half === named || (half === beside && isNumber(day.precip_probability))
        const severeAtNight = atNight && !isNamed(halves[1])
        return halves.some(isNamed) && !severeAtNight
          ? undefined
          : `${day.date} "${day.conditions}" of ${halves.join(' | ')}`
      }),
  },
  {
    name: 'the probability of a day is the greatest of its halves',
    check: (answer) =>
      each(daysOf(answer), (day) => {
        const chances = halvesOf(day)
          .map(([, half]) => half.precip_probability)
          .filter(isNumber)
        if (chances.length === 0 || !isNumber(day.precip_probability)) return undefined
        return Math.max(...chances) === day.precip_probability
          ? undefined
          : `${day.date} ${day.precip_probability} of ${chances}`
      }),
  },
  {
    name: 'the probability of a day is at least that of each hour and at most that of all hours together',
    check(answer) {
      const hours = hoursOf(answer)
      return each(daysOf(answer), (day) => {
        const own = hours.filter(({ amountDate }) => amountDate === day.date)
        if (own.length === 0 || !isNumber(day.precip_probability)) return undefined
        const chances: number[] = own.map(({ row }) => row.precip_probability).filter(isNumber)
        if (Math.max(...chances, 0) > day.precip_probability)
          return `${day.date} ${day.precip_probability} below an hour`
        // The list of hours may end within the last day.
        const isEnded = own.at(-1)?.date !== day.date
        const isComplete = own.length >= 23 && isEnded && chances.length === own.length
        const joint = 100 * (1 - chances.reduce((dry, chance) => dry * (1 - Math.min(100, chance + 0.5) / 100), 1))
        return isComplete && day.precip_probability > Math.ceil(joint) + 1
          ? `${day.date} ${day.precip_probability} above ${Math.round(joint)}`
          : undefined
      })
    },
  },
  {
    name: 'extremes of a day include those of its hours',
    check: (answer) =>
      each(daysOf(answer), (day) => {
        for (const { row, date, byDay } of hoursOf(answer)) {
          if (date !== day.date) continue
          if (isNumber(day.high) && row.temperature > day.high && byDay)
            return `${day.date} high ${day.high}, ${row.time} ${row.temperature}`
          if (isNumber(day.wind_gust_max) && row.wind_gust > day.wind_gust_max)
            return `${day.date} gust ${day.wind_gust_max}, ${row.time} ${row.wind_gust}`
        }
        for (const [name, { dew_point: dew }] of halvesOf(day)) {
          if (isNumber(dew) && isNumber(day.dew_point_max) && dew > day.dew_point_max + 0.11)
            return `${day.date} dew point at most ${day.dew_point_max}, ${name} ${dew}`
        }
        return undefined
      }),
  },
  {
    name: 'percentiles ascend and include the total, unless the row says that sources disagree',
    check: (answer) =>
      each(daysOf(answer), (day) => {
        const { snow_total_p10: low, snow_total_p50: middle, snow_total_p90: high } = day.uncertainty ?? {}
        if (![low, middle, high, day.snow_total].every(isNumber)) return undefined
        if (low > middle || middle > high) return `${day.date} ${low} ${middle} ${high}`
        const slack = 0.2 * (high - low) + (answer.units.precip_amount === 'mm' ? 2.6 : 0.11)
        const outside = day.snow_total < low - slack || day.snow_total > high + slack
        return outside && !day.sources_disagree ? `${day.date} ${day.snow_total} of ${low} to ${high}` : undefined
      }),
  },
  {
    name: 'percentiles have a window, which is in the row',
    check(answer) {
      const dayOf = dateReader(answer.location.timezone)
      return each(daysOf(answer), ({ date, uncertainty }) => {
        if (!uncertainty || !isNumber(uncertainty.snow_total_p50)) return undefined
        const { snow_window_start: start, snow_window_end: end } = uncertainty
        if (!start || !end) return `${date} no window`
        return dayOf((Date.parse(start) + Date.parse(end)) / 2) === date ? undefined : `${date} ${start} to ${end}`
      })
    },
  },
  {
    name: 'a warning has a detail',
    check: ({ meta }) =>
      each(meta?.warnings ?? [], ({ code, detail }) => (detail?.length >= 10 ? undefined : `${code} without detail`)),
  },
  {
    name: 'the running half includes the precipitation that falls now',
    check(answer) {
      const { current } = answer
      const day = daysOf(answer).find(({ active_period: active }) => active)
      const half = day?.[day.active_period]
      if (!current || !half || !(answer.radar?.precip_rate > 1.5 * limitsOf(answer).wetRate)) return []
      return half.precip_probability >= (rowsOf(answer)[0]?.precip_probability ?? 50) && half.precip_type !== 'none'
        ? []
        : [`radar ${answer.radar.precip_rate}, ${day.active_period} ${half.precip_probability} % ${half.precip_type}`]
    },
  },
  {
    name: 'every row has a value',
    check(answer) {
      // The running day is shown even if forecasts end within its running half.
      const isIncomplete = answer.meta?.warnings?.some(
        ({ code, section }: AnyJson) => code === 'source_incomplete' && section === 'daily',
      )
      return each([...rowsOf(answer), ...daysOf(answer)], (row) =>
        Object.entries(row).some(([name, value]) => isNumber(value) && name !== 'relative_day') ||
        (row.active_period && isIncomplete)
          ? undefined
          : `${row.time ?? row.date}`,
      )
    },
  },
  {
    name: 'narratives are short complete sentences with whole numbers',
    check: (answer) =>
      daysOf(answer).flatMap((day) =>
        halvesOf(day).flatMap(([name, { narrative }]) => {
          if (narrative === undefined) return []
          const plain = narrative.replaceAll(/\b0?\.\d\d? (?:of an )?inch(?:es)?\b/g, '')
          const wrong = narrative.length > 320 || !/^[A-Z].*\.$/.test(narrative) || /\d\.\d/.test(plain)
          return wrong ? [`${day.date} ${name} "${narrative}"`] : []
        }),
      ),
  },
  {
    name: 'narrations begin with the conditions of current',
    check({ narrations, current }) {
      if (!narrations?.current || !current) return []
      const { current: text } = narrations
      if (current.conditions !== 'Unknown' && !text.toLowerCase().startsWith(current.conditions.toLowerCase()))
        return [`"${text}" of "${current.conditions}"`]
      return [text, narrations.short_term].flatMap((words) =>
        words !== undefined && (words.length < 20 || words.length > 400 || !words.endsWith('.')) ? [words] : [],
      )
    },
  },
  {
    name: 'a warning has a code and a section',
    check: ({ meta }) =>
      each(meta?.warnings ?? [], ({ code, section, detail }) =>
        code && section && !/\b(spec|specification|contract)\b/i.test(detail ?? '') ? undefined : `${code} ${detail}`,
      ),
  },
  ...dayRules,
  ...amountRules,
  ...nowcastRules,
  ...typeRules,
  ...skyRules,
  ...hourRules,
]

export interface Violation {
  readonly rule: string
  readonly detail: string
}

/** Returns the contradictions in an answer. */
export function violationsOf(answer: AnyJson): Violation[] {
  return rules.flatMap(({ name, check }) => check(answer).map((detail) => ({ rule: name, detail })))
}
