/**
 * Returns a random time between `ms - share × ms` and `ms + share × ms`. Clients that were rejected at the same time must not return at the
 * same time.
 */
export function randomWait(ms: number, share: number): number {
  return ms * (1 + share * (2 * Math.random() - 1))
}
