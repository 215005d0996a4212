import { type Instant, MINUTE } from '../time.ts'

/** The precipitation forecast for a point from the nowcast of a scan. */
export interface OnsetForecast {
  /** Time of the scan. */
  readonly anchor: Instant
  /** Beginning of the first wet steps; undefined if the nowcast is dry. */
  readonly startsAt?: Instant | undefined
  /** Whether no radar sees the point, or the area from which the air will arrive. */
  readonly blind: boolean
}

/** The stored state of one subscription to a point. */
export interface OnsetState {
  /** The newest evaluated scan. */
  readonly anchor: Instant
  /** Whether the next onset is to be reported, because it has been dry since the last report. */
  readonly armed: boolean
  /** The scan since which the point has been dry, now and in the forecast; null while it is not dry. */
  readonly dryFrom: Instant | null
}

/** Time without precipitation at the point or ahead after which a reported onset is over, because edges of rain fluctuate. */
const DRY_MS = 30 * MINUTE

/**
 * Decides whether precipitation begins within some minutes, once for each episode. If precipitation falls at the first evaluation, nothing
 * is reported until it has been dry. A scan that was already evaluated changes nothing.
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
  // An unknown state counts as neither dry nor wet.
  if (blind) return { state: { ...before, anchor }, begins: false }
  if (comes) return { state: { anchor, armed: false, dryFrom: null }, begins: before.armed }
  const dryFrom = before.dryFrom ?? anchor
  return { state: { anchor, armed: before.armed || anchor - dryFrom >= DRY_MS, dryFrom }, begins: false }
}
