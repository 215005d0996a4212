import type { MetaWarning } from '../sections/section.ts'

/** @param split fields whose amounts were dealt out of longer intervals @param bound whose probabilities stand for longer ones */
export function warningsOf(split: readonly string[], bound: readonly string[], estimated: boolean): MetaWarning[] {
  const warnings: MetaWarning[] = []
  if (split.length) {
    warnings.push({
      code: 'amount_split',
      section: 'hourly',
      detail: 'beyond the hourly range of the source, amounts of 6 hours are dealt out to their hours; the sums stay',
      product_id: 'nbm',
      fields: split,
    })
  }
  if (bound.length) {
    warnings.push({
      code: 'probability_upper_bound',
      section: 'hourly',
      detail:
        'beyond the hourly range of the source, the probability of a longer interval stands at each of its hours: an upper bound',
      product_id: 'nbm',
      fields: bound,
    })
  }
  if (estimated) {
    warnings.push({
      code: 'probability_estimated',
      section: 'hourly',
      detail: 'where only a source of amounts speaks, 50 stands for a measurable amount and 15 for less',
      fields: ['precip_probability'],
    })
  }
  return warnings
}
