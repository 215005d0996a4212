import { parseInstant } from '../../../ingest/domain/time.ts'
import { zone } from '../../../ingest/domain/timezone.ts'

const ZONED = /(Z|[+-]\d{2}:?\d{2})$/

/** Returns whether a text is an ISO date-time, with or without a zone. */
export const isTime = (text: string): boolean => !Number.isNaN(parseInstant(ZONED.test(text) ? text : `${text}Z`))

/** Returns the instant of an ISO date-time, which without a zone is local; NaN if the text is no date-time. */
export function instantAt(text: string, timezone: string): number {
  if (ZONED.test(text)) return parseInstant(text)
  const wall = parseInstant(`${text}Z`)
  const { offset } = zone(timezone)
  // The UTC offset depends on the instant itself. Two iterations converge, also across a DST change.
  let at = wall
  for (let i = 0; i < 2; i++) at = wall - offset(at)
  return at
}
