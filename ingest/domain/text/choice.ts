/** Selects the list items to read. */

import { HOUR, type Instant } from '../time.ts'
import { officeKinds, type TextList } from './product.ts'

export interface ListedText {
  readonly id: string
  readonly office: string
  readonly issuedAt: Instant
}

/** Age after which an item cannot be current. HWO, NOW and SWO end at a stated time; their ages are the longest observed periods. */
const windows: Readonly<Record<TextList['kind'], number>> = {
  afd: 24 * HOUR,
  hwo: 36 * HOUR,
  now: 12 * HOUR,
  hls: 12 * HOUR,
  mcd: 12 * HOUR,
  mpd: 24 * HOUR,
  pmd: 36 * HOUR,
  swo: 72 * HOUR,
}

/** Maximum time by which upstream's clock may be ahead. An item from the more distant future would supersede every later item. */
export const MAX_AHEAD = HOUR

/** Returns whether an item can still be current. */
export function isWithinWindow(list: TextList, { issuedAt }: ListedText, now: Instant): boolean {
  return now - issuedAt < windows[list.kind] && issuedAt - now <= MAX_AHEAD
}

export interface TextChoice<T> {
  /**
   * Items of each office, newest first, down to the newest item that was read. The list is complete when an item of each office is read,
   * together with all other items of its minute: corrections can be recognized only by their text.
   */
  readonly newest: readonly (readonly T[])[]
  /** Older items that may also be current, newest first, because an office has several products of one kind. */
  readonly older: readonly T[]
}

/**
 * Returns the items to read. Lists of MCD, MPD and PMD do not have the subject of an item, so every item counts as the newest of its
 * subject.
 * @param outcomes outcomes of earlier attempts by item; a rejected item is tried again unless a newer item was read
 */
export function itemsToTry<T extends ListedText>(
  list: TextList,
  items: readonly T[],
  outcomes: ReadonlyMap<string, 'read' | 'ignored' | 'rejected'>,
  now: Instant,
): TextChoice<T> {
  const offices = new Map<string, T[]>()
  for (const item of items.toSorted((a, b) => b.issuedAt - a.issuedAt || (a.id < b.id ? -1 : 1))) {
    if (!isWithinWindow(list, item, now)) continue
    const key = officeKinds.includes(list.kind) || list.kind === 'swo' ? item.office : item.id
    const office = offices.get(key)
    if (office) office.push(item)
    else offices.set(key, [item])
  }
  const newest: T[][] = []
  const older: T[] = []
  for (const office of offices.values()) {
    const readAt = office.find(({ id }) => outcomes.get(id) === 'read')?.issuedAt ?? Number.NEGATIVE_INFINITY
    const chain = office.filter(
      ({ id, issuedAt }) => issuedAt >= readAt && (outcomes.get(id) ?? 'rejected') === 'rejected',
    )
    if (chain.length > 0) newest.push(chain)
    older.push(...office.filter(({ id, issuedAt }) => issuedAt < readAt && !outcomes.has(id)))
  }
  return { newest, older: older.sort((a, b) => b.issuedAt - a.issuedAt) }
}
