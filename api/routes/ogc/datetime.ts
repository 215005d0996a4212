import { Fault } from '../../../ingest/domain/fault.ts'
import { DAY, parseDate, parseInstant } from '../../../ingest/domain/time.ts'

/** A span of time, inclusive; an open end is undefined. */
export interface DateTimeInterval {
  readonly from: number | undefined
  readonly to: number | undefined
}

/**
 * `datetime` of the OGC interfaces: an instant, a date, or `start/end` with `..` for an open end.
 * @throws Fault Invalid
 */
export function parseInterval(text: string): DateTimeInterval {
  const parts = text.split('/')
  const [first = '', last] = parts
  if (parts.length > 2 || (last !== undefined && isOpen(first) && isOpen(last))) throw malformed(text)
  if (last === undefined) return { from: instantOf(first, text), to: endOf(first, text) }
  const from = isOpen(first) ? undefined : instantOf(first, text)
  const to = isOpen(last) ? undefined : endOf(last, text)
  if (from !== undefined && to !== undefined && to < from)
    throw new Fault('Invalid', `datetime: its end lies before its start in "${text.slice(0, 90)}".`, {
      field: 'datetime',
    })
  return { from, to }
}

const isOpen = (part: string) => part === '..' || part === ''

function instantOf(part: string, whole: string): number {
  const at = part.length === 10 ? parseDate(part) : parseInstant(part)
  if (Number.isNaN(at)) throw malformed(whole)
  return at
}

/** A date ends with its last millisecond. */
const endOf = (part: string, whole: string) => instantOf(part, whole) + (part.length === 10 ? DAY - 1 : 0)

const malformed = (text: string) =>
  new Fault(
    'Invalid',
    `datetime: wanted an instant such as 2026-08-20T12:00:00Z, or two with / between them (.. for an open end); got "${text.slice(0, 90)}".`,
    { field: 'datetime' },
  )
