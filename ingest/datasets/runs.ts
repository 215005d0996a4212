import { floorTo, HOUR, type Instant } from '../domain/time.ts'

/** Returns a function that lists the multiples of `step` (ms) from now back to `reach` (ms) ago, newest first. */
export function every(step: number, reach: number): (now: Instant) => Instant[] {
  return (now) => {
    const newest = floorTo(now, step)
    return Array.from({ length: Math.floor(reach / step) + 1 }, (_, index) => newest - index * step)
  }
}

export function hourOf(run: Instant): number {
  return new Date(run).getUTCHours()
}

/** Returns `from`, `from + step`, … up to `to`, inclusive. */
export function steps(from: number, to: number, step = 1): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step)
}

/** Returns whether a valid hour is a multiple of `hours` on the UTC clock. NBM and similar models end their long intervals there. */
export function endsAt(hours: number): (run: Instant, lead: number) => boolean {
  return (run, lead) => Math.round(run / HOUR + lead) % hours === 0
}
