import { HOUR } from '../../ingest/domain/time.ts'
import { spreads } from './atmosphere.ts'
import { at, c3, instant, interval, map, type SimulatedMessage } from './message.ts'
import { fall } from './planes.ts'

/** Wind percentiles in standard deviations from the mean. */
const SIGMAS = [
  [10, -1.2816],
  [50, 0],
  [90, 1.2816],
] as const
/** Percentiles of liquid precipitation as factors of the expected amount. */
const SHARES = [
  [10, 0.3],
  [50, 1],
  [90, 1.9],
] as const
/** 75 mph in m/s, as in the index. */
const LIMIT = 33.528

/**
 * Returns the probability in percent that the wind exceeds 75 mph. A logistic function approximates the normal
 * distribution.
 */
function galeAbove(mean: number, deviation: number): number {
  return 100 / (1 + Math.exp((1.702 * (LIMIT - mean)) / deviation))
}

/**
 * Returns the messages of NBM's quantile-mapped product that Hexcast reads: percentiles of wind, gust and 6-hour
 * precipitation, and the probability of 75 mph.
 */
export function nbmQmd(run: number, lead: number): readonly SimulatedMessage[] {
  const end = run + lead * HOUR
  return [
    ...SIGMAS.flatMap(([percentile, sigmas]) => {
      const valuesOf = (name: 'windSpeed' | 'windGust') => (s: Parameters<SimulatedMessage['values']>[0]) =>
        map(s, (w, k) => Math.max(0, w[name][k]! + sigmas * spreads(w.front[k]!, lead)[name]))
      const distribution = { percentile, tail: `${percentile}% level` }
      return [
        instant(lead, at.gust, valuesOf('windGust'), distribution),
        instant(lead, at.wind, valuesOf('windSpeed'), distribution),
      ]
    }),
    ...SHARES.map(([percentile, share]) =>
      interval(lead, 6, 'acc', at.apcp, (s) => fall(s.grid, 'liquid', end, 6).map((sum) => sum * share), {
        percentile,
        tail: `${percentile}% level`,
      }),
    ),
    instant(
      lead,
      { ...at.wind, packing: c3(0) },
      (s) => map(s, (w, k) => galeAbove(w.windSpeed[k]!, spreads(w.front[k]!, lead).windSpeed)),
      {
        probability: { type: 1, upper: { scale: 3, value: LIMIT * 1000 } },
        tail: `prob >${LIMIT}:prob fcst 255/255`,
      },
    ),
  ]
}
