import { type AnyJson, each } from './answer-members.ts'
import type { Rule } from './rule.ts'

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
]
