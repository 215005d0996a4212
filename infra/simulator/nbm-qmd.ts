import { HOUR } from '../../ingest/domain/time.ts'
import { spreads } from './atmosphere.ts'
import { at, instant, interval, map, type SimulatedMessage } from './message.ts'
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
/**
 * Returns the messages of NBM's quantile-mapped product that Hexcast reads: percentiles of wind, gust and 6-hour
 * precipitation.
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
  ]
}
