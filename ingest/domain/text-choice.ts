/** Selection of the list items to read. */
import { officeKinds, type TextList } from './text-product.ts'
import { HOUR, type Instant } from './time.ts'

export interface ListedText {
  readonly id: string
  readonly office: string
  readonly issuedAt: Instant
}

/** An item issued longer ago than this cannot be current. HWO, NOW and SWO end with a stated time; these are the longest observed. */
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

/** Upstream's clock may be ahead of ours; an item from further in the future would outrank every later one. */
export const MAX_AHEAD = HOUR

/** Whether an item can still be current. */
export function isWithinWindow(list: TextList, { issuedAt }: ListedText, now: Instant): boolean {
  return now - issuedAt < windows[list.kind] && issuedAt - now <= MAX_AHEAD
}

/**
 * Items to read, newest first, in groups: once an item of a group was read, the rest of the group is older than what is stored and needs no
 * reading. Lists of MCD, MPD and PMD do not name the subject of an item: there every item is a group of its own.
 * @param outcomes of items that were read before
 */
export function itemsToTry<T extends ListedText>(
  list: TextList,
  items: readonly T[],
  outcomes: ReadonlyMap<string, 'read' | 'ignored' | 'refused'>,
  now: Instant,
): T[][] {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    if (!isWithinWindow(list, item, now)) continue
    const key = officeKinds.includes(list.kind) || list.kind === 'swo' ? item.office : item.id
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  const chosen: T[][] = []
  for (const group of groups.values()) {
    group.sort((a, b) => b.issuedAt - a.issuedAt || (a.id < b.id ? -1 : 1))
    const read = group.findIndex(({ id }) => outcomes.get(id) === 'read')
    const newer = read < 0 ? group : group.slice(0, read)
    const open = newer.filter(({ id }) => outcomes.get(id) !== 'ignored')
    if (open.length === 0) continue
    // Items newer than one that was read are all read: an office may issue two products between two polls.
    if (read < 0) chosen.push(open)
    else for (const item of open) chosen.push([item])
  }
  return chosen
}
