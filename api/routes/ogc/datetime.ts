import { DAY, parseDate, parseInstant } from '../../../ingest/domain/time.ts'
import { displayed, invalidValue } from '../../query/query.ts'

/** A span of time that includes both ends; an open end is undefined. */
export interface DateTimeInterval {
  readonly from: number | undefined
  readonly to: number | undefined
}

/**
 * Parses `datetime` of the OGC interfaces: an instant, a date, or `start/end` with `..` for an open end.
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
    throw invalidValue('datetime', 'an interval whose end is not before its start', displayed(text))
  return { from, to }
}

const isOpen = (part: string) => part === '..' || part === ''

function instantOf(part: string, text: string): number {
  const at = part.length === 10 ? parseDate(part) : parseInstant(part)
  if (Number.isNaN(at)) throw malformed(text)
  return at
}

/** Returns the end of an instant or a date: a date ends with its last millisecond. */
const endOf = (part: string, text: string) => instantOf(part, text) + (part.length === 10 ? DAY - 1 : 0)

const malformed = (text: string) =>
  invalidValue(
    'datetime',
    'an instant such as 2026-08-20T12:00:00Z, or two with / between them (.. for an open end)',
    displayed(text),
  )
