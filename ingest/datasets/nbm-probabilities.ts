import { type Field, percentile, probability } from '../domain/dataset/field.ts'
import type { Want } from '../domain/dataset/want.ts'
import { optional } from './wants.ts'

/** Probabilities of visibility below 1, 2, 3 and 5 miles; limits in m. */
export function nbmVisibilities(visibility: Field): Want[] {
  const limits = [
    ['1mi', 1609.34],
    ['2mi', 3218.69],
    ['3mi', 4828.03],
    ['5mi', 8046.73],
  ] as const
  return limits.map(([name, below]) => optional(`visibility_prob_below_${name}`, probability(visibility, { below })))
}

/** Probabilities of a ceiling below 500 to 6,600 feet; limits in m. NBM writes 914.5 for 3,000 feet, which are 914.4 m. */
export function nbmCeilings(ceiling: Field): Want[] {
  const limits = [
    ['500ft', 152.4],
    ['1000ft', 304.8],
    ['2000ft', 609.6],
    ['3000ft', 914.4],
    ['6600ft', 2011.68],
  ] as const
  return limits.map(([name, below]) => optional(`ceiling_prob_below_${name}`, probability(ceiling, { below })))
}

/** 24-hour snowfall: percentiles in m, and the probabilities of more than 1, 2 and 4 inches. */
export function nbmSnowfall(snowfall: Field): Want[] {
  return [
    ...[10, 50, 90].map((p) => optional(`snow_amount_24h_p${p}`, percentile(snowfall, p, 24), { scale: 1000 })),
    ...[1, 2, 4].map((inches) =>
      optional(`snow_prob_gt_${inches}in`, probability(snowfall, { above: inches * 0.0254 }, 24)),
    ),
  ]
}
