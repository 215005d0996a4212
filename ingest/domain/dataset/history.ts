import { HOUR, type Instant } from '../time.ts'

/** Analyses of an hour in order of preference: with late observations, hourly, and the rapid update of that hour. */
export const ANALYSES = ['urma', 'rtma', 'rtma-ru'] as const
export type Analysis = (typeof ANALYSES)[number]
/** Accumulations of an hour in order of preference: the second pass, then the first. */
export const AMOUNTS = ['mrms-qpe-1h', 'mrms-qpe-1h-pass1'] as const
export type Amount = (typeof AMOUNTS)[number]
/** Hours before now that an answer may have. */
export const MAX_PAST_HOURS = 72
/** Largest value of the setting HISTORY_DAYS. */
export const MAX_HISTORY_DAYS = 60

/** Returns the kind of an analysis: `observed` if it has late observations. */
export const kindOf = (dataset: Analysis): 'observed' | 'analysis' => (dataset === 'urma' ? 'observed' : 'analysis')

/** Returns the full hours of a period, both ends included. */
export function hoursBetween(from: Instant, to: Instant): Instant[] {
  const first = Math.ceil(from / HOUR) * HOUR
  return Array.from({ length: Math.max(0, Math.floor((to - first) / HOUR) + 1) }, (_, i) => first + i * HOUR)
}
