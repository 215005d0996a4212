import { Fault, isFault } from '../../domain/fault.ts'
import { type QuarantineReason, reasonOf } from '../../domain/quarantine.ts'
import { DAY, floorTo, HOUR, type Instant } from '../../domain/time.ts'
import type { FeedDeps } from './feed.ts'

/** A row or feature that a decoder rejected. */
export interface RejectedRow {
  /** The name of the row; if it has none, the `reason` of the decoder. */
  readonly id?: string
  readonly reason: string
  readonly detail: string
  /** The row as received. */
  readonly source?: string
}

/** Number of rejected rows of a document that are recorded individually; the feed counts the others. */
const MAX_ROWS = 20
const PAGE = /^\s*(?:<!doctype html|<html)/i

/** Runs a decoder. Its fault gets the address and the bytes of the document, and the reason `html` if the document is an HTML page. */
export async function decoded<T>(url: string, bytes: Uint8Array, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!isFault(error, 'Corrupt')) throw error
    const page = PAGE.test(Buffer.from(bytes.subarray(0, 200)).toString('latin1'))
    const reason: QuarantineReason = page ? 'html' : reasonOf(error)
    throw new Fault('Corrupt', error.message, { ...error.details, url, bytes, reason }, error)
  }
}

/**
 * Puts a document of a feed into quarantine if its content is invalid, or if the address redirects or refuses. An
 * outage is not quarantined, because the feed's state records it.
 */
export async function quarantineDocument(
  { quarantine }: Pick<FeedDeps, 'quarantine'>,
  dataset: string,
  now: Instant,
  error: unknown,
  variable?: string,
): Promise<void> {
  if (!quarantine || !isFault(error)) return
  const { url, bytes, status } = error.details
  const refusal = typeof status === 'number' && status >= 300 && status < 500 && ![404, 408, 410, 429].includes(status)
  if (error.kind !== 'Corrupt' && !refusal) return
  await quarantine({
    dataset,
    run: floorTo(now, HOUR),
    variable,
    reason: refusal ? 'status' : reasonOf(error),
    detail: error.message,
    url: typeof url === 'string' ? url : undefined,
    bytes: bytes instanceof Uint8Array ? bytes : undefined,
  })
}

/** Puts rejected rows into quarantine, each at most once a day. */
export async function quarantineRows(
  { quarantine }: Pick<FeedDeps, 'quarantine'>,
  dataset: string,
  now: Instant,
  url: string,
  rejected: readonly RejectedRow[],
): Promise<void> {
  if (!quarantine) return
  const rows = new Map(rejected.map((row) => [row.id ?? row.reason, row]))
  for (const [variable, { reason, detail, source = detail }] of [...rows].slice(0, MAX_ROWS)) {
    await quarantine({
      dataset,
      run: floorTo(now, DAY),
      variable,
      reason: reason === 'doubled' ? 'doubled' : 'row',
      detail: `${reason}: ${detail}`,
      url,
      bytes: Buffer.from(source),
    })
  }
}
