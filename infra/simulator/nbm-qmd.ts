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
/** Percentiles of liquid as factors of the expected amount. */
const SHARES = [
  [10, 0.3],
  [50, 1],
  [90, 1.9],
] as const
/** 75 mph in m/s: the limit in the index. */
const LIMIT = 33.528

/** Percent: probability that the wind exceeds 75 mph, with the normal distribution approximated by a logistic one. */
function galeAbove(mean: number, deviation: number): number {
  return 100 / (1 + Math.exp((1.702 * (LIMIT - mean)) / deviation))
}

/** NBM's quantile-mapped product, as far as it is read: percentiles of wind, gust and 6-hour liquid, and the probability of 75 mph. */
export function nbmQmd(run: number, lead: number): readonly SimulatedMessage[] {
  const end = run + lead * HOUR
  return [
    ...SIGMAS.flatMap(([percentile, sigmas]) => {
      const of = (what: 'windSpeed' | 'windGust') => (s: Parameters<SimulatedMessage['values']>[0]) =>
        map(s, (w, k) => Math.max(0, w[what][k] + sigmas * spreads(w.front[k], lead)[what]))
      const distribution = { percentile, tail: `${percentile}% level` }
      return [
        instant(lead, at.gust, of('windGust'), distribution),
        instant(lead, at.wind, of('windSpeed'), distribution),
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
      (s) => map(s, (w, k) => galeAbove(w.windSpeed[k], spreads(w.front[k], lead).windSpeed)),
      {
        probability: { type: 1, upper: { scale: 3, value: LIMIT * 1000 } },
        tail: `prob >${LIMIT}:prob fcst 255/255`,
      },
    ),
  ]
}
