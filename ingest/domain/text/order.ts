import type { Instant } from '../time.ts'

/** The members of an issue that decide which of two issues of a text product is newer. */
export interface TextOrder {
  /** Time of the WMO line. */
  readonly wmoAt: Instant
  /** BBB group of the WMO line, such as `AAA`, `CCB`, `RRA` or `COR`. */
  readonly bbb?: string | undefined
}

/**
 * Returns the rank of a BBB group among issues of one WMO time: first none and delayed (`RRx`), then amended (`AAx`), then corrected
 * (`CCx`); within a kind by letter. `COR` counts as the first correction.
 */
export function bbbRank(bbb: string | undefined): number {
  if (!bbb) return 0
  if (bbb === 'COR') return 301
  const kind = { RR: 0, AA: 100, CC: 300 }[bbb.slice(0, 2)]
  if (kind === undefined || !/^[A-Z]{3}$/.test(bbb)) return 0
  return kind + 1 + (bbb.charCodeAt(2) - 65)
}

/** Returns a negative number if `a` is older, a positive number if it is newer, 0 if they are the same issue. */
export function compareIssues(a: TextOrder, b: TextOrder): number {
  return a.wmoAt - b.wmoAt || bbbRank(a.bbb) - bbbRank(b.bbb)
}
