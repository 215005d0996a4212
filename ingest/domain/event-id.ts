/**
 * The id of an event: the number of its row in the outbox, and the incarnation of the database that assigned the
 * number. Absent in ids of earlier releases.
 */
export interface EventId {
  readonly incarnation?: string
  readonly number: number
}

/** Returns the text of an id, such as `3f9a12bc-48121`. */
export function eventIdText({ incarnation, number }: EventId): string {
  return incarnation === undefined ? String(number) : `${incarnation}-${number}`
}

/** Parses `3f9a12bc-48121` or `48121`. @returns undefined for another text */
export function parseEventId(text: string): EventId | undefined {
  const [, incarnation, digits] = /^(?:([0-9a-f]{8})-)?(\d{1,16})$/.exec(text) ?? []
  const number = Number(digits)
  if (!Number.isSafeInteger(number)) return undefined
  return incarnation === undefined ? { number } : { incarnation, number }
}
