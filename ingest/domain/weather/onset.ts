import { type Instant, MINUTE } from '../time.ts'

/** The precipitation that comes at a point by the nowcast of one scan. */
export interface OnsetForecast {
  /** Time of the scan. */
  readonly anchor: Instant
  /** Beginning of the first wet steps; undefined: none in the nowcast. */
  readonly startsAt?: Instant | undefined
  /** No radar sees the point or what would arrive there. */
  readonly blind: boolean
}

/** What a follower of a point knows. */
export interface OnsetState {
  /** The newest scan that was judged. */
  readonly anchor: Instant
  /** The next beginning is to be reported: none was since it was last dry. */
  readonly armed: boolean
  /** Since this scan neither falls nor comes anything; null while something does. */
  readonly dryFrom: Instant | null
}

/** An onset that came and was reported is over after so long without precipitation at the point, or in sight: an edge of rain wavers. */
const DRY_MS = 30 * MINUTE

/**
 * Whether precipitation begins within some minutes, once for each episode. Where it falls already when the point is first looked at,
 * nothing is reported until it has been dry. A scan that was judged before changes nothing.
 */
export function judgeOnset(
  before: OnsetState | undefined,
  { anchor, startsAt, blind }: OnsetForecast,
  now: Instant,
  withinMinutes: number,
): { readonly state: OnsetState; readonly begins: boolean } {
  if (before && anchor <= before.anchor) return { state: before, begins: false }
  const comes = startsAt !== undefined && startsAt <= now + withinMinutes * MINUTE
  if (!before) {
    const falls = startsAt !== undefined && startsAt <= now
    const armed = !falls && !blind
    return {
      state: { anchor, armed: armed && !comes, dryFrom: armed && !comes ? anchor : null },
      begins: armed && comes,
    }
  }
  // Unknown is neither dry nor wet.
  if (blind) return { state: { ...before, anchor }, begins: false }
  if (comes) return { state: { anchor, armed: false, dryFrom: null }, begins: before.armed }
  const dryFrom = before.dryFrom ?? anchor
  return { state: { anchor, armed: before.armed || anchor - dryFrom >= DRY_MS, dryFrom }, begins: false }
}
