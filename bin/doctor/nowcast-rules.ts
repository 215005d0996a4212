import { HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { nowcastBetween } from './amount-rules.ts'
import { type AnyJson, each, isNumber, limitsOf, rowsOf } from './answer-members.ts'
import type { Rule } from './rule.ts'

/**
 * Lead at which the nowcast has no more weight, length of a step, and greatest allowed difference of chances in points.
 */
const WEIGHT_END = 120 * MINUTE
const STEP = 5 * MINUTE
const MAX_DIFFERENCE = 15

/**
 * Chance (percent) of the steps over the remainder of the hour that ends at `end`, multiplied by their weights; and the
 * sum of the weights (0 to 1). Minutes without a step count as 0.
 */
function weightedSteps(points: readonly AnyJson[], now: number, end: number): { chance: number; weight: number } {
  const from = Math.max(now, end - HOUR)
  const sum = { chance: 0, weight: 0 }
  for (const { time, type, precip_probability: probability } of points) {
    const [begin, stop] = [Math.max(from, Date.parse(time)), Math.min(end, Date.parse(time) + STEP)]
    if (stop <= begin || type === 'no_coverage') continue
    const weight = ((stop - begin) / (end - from)) * Math.max(0, 1 - ((begin + stop) / 2 - now) / WEIGHT_END)
    sum.weight += weight
    sum.chance += weight * (probability ?? (type === 'none' ? 0 : 100))
  }
  return sum
}

/** Rules about the nowcast. */
export const nowcastRules: readonly Rule[] = [
  {
    name: 'nowcast, radar and current agree on whether precipitation falls now',
    check(answer) {
      const { nowcast, current, radar } = answer
      if (!nowcast || !current || !radar || radar.coverage === 'no_coverage') return []
      const now = Date.parse(answer.meta.generated_at)
      const step = nowcast.points.findLast(({ time }: AnyJson) => Date.parse(time) <= now)
      if (!step || step.type === 'no_coverage') return []
      const wet = current.precip_type !== 'none'
      return wet === (step.type !== 'none')
        ? []
        : [`current ${current.precip_type}, nowcast ${step.type} at ${step.time}`]
    },
  },
  {
    name: 'a step of the nowcast with a rate has a probability',
    check: ({ nowcast }) =>
      each(nowcast?.points ?? [], ({ time, type, precip_probability: chance, precip_rate: rate }: AnyJson) =>
        type !== 'none' && type !== 'no_coverage' && rate > 0 && chance === 0
          ? `${time} ${type} ${rate}, 0 %`
          : undefined,
      ),
  },
  {
    name: 'the chance of an hour agrees with the steps of the nowcast in it',
    check(answer) {
      const now = Date.parse(answer.meta.generated_at)
      return each(
        rowsOf(answer).slice(0, 2),
        ({ time, precip_probability: probability, precip_amount: amount }, row) => {
          const end = Date.parse(time)
          const { chance, weight } = weightedSteps(answer.nowcast?.points ?? [], now, end)
          const least = chance - MAX_DIFFERENCE - 1
          // The running hour is whole: what falls now and what has fallen count too.
          const { step } = limitsOf(answer)
          const hasFallen = row === 0 && amount > nowcastBetween(answer, now, end).amount + step
          const isFalling = row === 0 && answer.radar?.precip_rate > 0
          // Without a scan the minutes of the running hour that have passed are the model's.
          const passed = row === 0 && !isNumber(answer.radar?.precip_rate) ? Math.max(0, now - end + HOUR) / HOUR : 0
          const ofSteps = (1 - passed) * chance + (1 - (1 - passed) * weight) * 100
          const greatest = isFalling || hasFallen ? 100 : ofSteps + MAX_DIFFERENCE + 1
          return isNumber(probability) && weight > 0 && (probability < least || probability > greatest)
            ? `${time} ${probability} %, steps ${Math.round(chance / weight)} % with weight ${weight.toFixed(2)}`
            : undefined
        },
      )
    },
  },
]
