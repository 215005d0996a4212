import type { Instant } from '../time.ts'

/** Decides which of two issues of one text product is newer. */
export interface TextOrder {
  /** Time of the WMO line. */
  readonly wmoAt: Instant
  /** Third group of the WMO line: `AAA`, `CCB`, `RRA`, `COR`. */
  readonly bbb?: string | undefined
}

/**
 * Returns the rank of a BBB group among issues of one WMO time: none and delayed (`RRx`) before amended (`AAx`) before corrected (`CCx`), then by letter.
 * `COR` counts as the first correction.
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
