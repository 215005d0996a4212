import Negotiator from 'negotiator'

/** Whether an Accept header allows one of the media types (RFC 9110, 12.5.1). */
export function accepts(header: string | undefined, types: readonly string[]): boolean {
  // Nearly every client sends one of these: they need no parser.
  if (header === undefined || header === '*/*' || header === 'application/json') {
    return header !== 'application/json' || types.includes(header)
  }
  return new Negotiator({ headers: { accept: header } }).mediaType([...types]) !== undefined
}
