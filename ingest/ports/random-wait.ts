/**
 * Returns a random time around `ms`, from `ms - share × ms` to `ms + share × ms`. Clients that were refused at the same time must not return
 * at the same time.
 */
export function randomWait(ms: number, share: number): number {
  return ms * (1 + share * (2 * Math.random() - 1))
}
