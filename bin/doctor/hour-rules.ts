import { type AnyJson, each, FALLING, isNumber, rowsOf, THUNDER } from './answer-members.ts'
import type { Rule } from './rule.ts'

/**
 * Rules about single rows of `hourly`, which a chart or a card may show alone: chance, amount, thunder, sky and words
 * of an hour must agree.
 */

/**
 * Smallest chance (percent) and amounts that words mention: a measurable amount, and half of it, which also needs a
 * chance.
 */
const NAMED_CHANCE = 15
const LEAST_CHANCE = 5
const inInches = ({ units }: AnyJson, amount: number) => (units?.precip_amount === 'mm' ? amount / 25.4 : amount)
const MEASURABLE_IN = 0.01
const NOTICEABLE_IN = 0.005
/**
 * Greatest plausible amount of an hour divided by its chance, inches. A greater ratio would mean a cloudburst whenever
 * it rains.
 */
const MAX_CONDITIONAL_IN = 4
/** Least cloud cover (percent) of an hour in which thunder is likely. */
const THUNDER_CLOUD = 30

const describe = ({ time, precip_probability: chance, precip_amount: amount, conditions }: AnyJson) =>
  `${time} ${chance} % ${amount} "${conditions}"`

/**
 * Whether a row is the running hour. Its amount may already have fallen, while its chance is only for the remaining
 * minutes.
 */
const isRunning = ({ meta }: AnyJson, { time }: AnyJson): boolean =>
  Date.parse(time) - Date.parse(meta.generated_at) < 3_600_000

export const hourRules: readonly Rule[] = [
  {
    name: 'an hour with a chance of 15 % has an amount',
    check: (answer) =>
      each(rowsOf(answer), (row) =>
        row.precip_probability >= NAMED_CHANCE && row.precip_amount === 0 ? describe(row) : undefined,
      ),
  },
  {
    name: 'an hour with an amount has a chance of at least 5 %',
    check: (answer) =>
      each(rowsOf(answer), (row) =>
        isNumber(row.precip_probability) &&
        row.precip_probability < LEAST_CHANCE &&
        inInches(answer, row.precip_amount) > NOTICEABLE_IN + 0.0006
          ? describe(row)
          : undefined,
      ),
  },
  {
    name: 'the amount of an hour is possible with its chance',
    check: (answer) =>
      each(rowsOf(answer), (row) =>
        isNumber(row.precip_probability) &&
        !isRunning(answer, row) &&
        inInches(answer, row.precip_amount) > (MAX_CONDITIONAL_IN * row.precip_probability) / 100 + MEASURABLE_IN
          ? describe(row)
          : undefined,
      ),
  },
  {
    name: 'words of an hour name precipitation from a chance of 15 %',
    check: (answer) =>
      each(rowsOf(answer), (row) =>
        row.precip_probability >= NAMED_CHANCE && row.conditions && !FALLING.test(row.conditions)
          ? describe(row)
          : undefined,
      ),
  },
  {
    name: 'thunder of an hour is at most as likely as its precipitation',
    check: (answer) =>
      each(rowsOf(answer), (row) =>
        isNumber(row.precip_probability) &&
        row.thunderstorm_probability >= 30 &&
        row.thunderstorm_probability > row.precip_probability
          ? `${describe(row)}, thunder ${row.thunderstorm_probability} %`
          : undefined,
      ),
  },
  {
    name: 'an hour with likely thunderstorms has clouds',
    check: (answer) =>
      each(rowsOf(answer), (row) =>
        row.precip_probability >= 55 && THUNDER.test(row.conditions ?? '') && row.cloud_cover < THUNDER_CLOUD
          ? `${describe(row)}, cloud ${row.cloud_cover} %`
          : undefined,
      ),
  },
  {
    name: 'the hour in which the nowcast begins rain has a chance',
    check(answer) {
      const begins = Date.parse(answer.nowcast?.summary?.starts_at ?? '')
      const now = Date.parse(answer.meta.generated_at)
      if (!(begins > now && begins < now + 3_600_000)) return []
      return each(rowsOf(answer), (row) => {
        const end = Date.parse(row.time)
        return begins < end && begins >= end - 3_600_000 && row.precip_probability < LEAST_CHANCE
          ? `${describe(row)}, nowcast begins ${answer.nowcast.summary.starts_at}`
          : undefined
      })
    },
  },
]
