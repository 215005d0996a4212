import { createHash } from 'node:crypto'

/**
 * Returns a bill of materials (CycloneDX) that is the same whenever it is written: with a given time in place of the clock, and a serial
 * number that follows from its content in place of a random one.
 * @param seconds time since 1970
 */
export function reproducibleBill(text: string, seconds: number): string {
  const bill = JSON.parse(text) as { serialNumber?: string; metadata?: { timestamp?: string } }
  const timed = { ...bill, metadata: { ...bill.metadata, timestamp: new Date(seconds * 1000).toISOString() } }
  const digest = createHash('sha256')
    .update(JSON.stringify({ ...timed, serialNumber: undefined }))
    .digest('hex')
  return `${JSON.stringify({ ...timed, serialNumber: `urn:uuid:${uuidOf(digest)}` }, null, 2)}\n`
}

/** A UUID of version 8 (RFC 9562), whose bits are those of a digest. */
function uuidOf(digest: string): string {
  const variant = ((Number.parseInt(digest.slice(16, 17), 16) & 3) | 8).toString(16)
  const parts = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `${variant}${digest.slice(17, 20)}`,
  ]
  return [...parts, digest.slice(20, 32)].join('-')
}
