import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem, tooLarge } from '../problem.ts'

type BodyParser = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void

export const hasBody = (request: IncomingMessage) =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0

/**
 * Maximum depth of nested lists and objects in a request. The deepest valid body, GeoJSON in a map scene, has 12
 * levels.
 */
const MAX_DEPTH = 32
/**
 * Maximum number of members of one object. The largest valid object, the properties of a GeoJSON feature, has a few
 * dozen.
 */
const MAX_MEMBERS = 500
/**
 * Maximum number of commas in a request. The largest valid body, ten layers of GeoJSON in a map scene, has 60,000. The
 * check takes 1 µs per value.
 */
const MAX_COMMAS = 65_536

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/**
 * Checks the text of a JSON body before it is parsed. Deep nesting would exhaust the stack of recursive code, and the check of too many
 * values would block the thread.
 * @throws Problem
 */
export function checkSize(bytes: Uint8Array): void {
  let depth = 0
  let commas = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    if (byte === QUOTE) {
      i = endOfString(bytes, i + 1)
    } else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > MAX_DEPTH) {
        throw new Problem(
          'bad-request',
          `The body must be JSON nested at most ${MAX_DEPTH} deep, but is deeper. Flatten it.`,
        )
      }
    } else if (byte === 0x5d || byte === 0x7d) depth--
    else if (byte === COMMA && ++commas > MAX_COMMAS) {
      throw new Problem(
        'payload-too-large',
        `The body must be JSON of at most ${MAX_COMMAS} values, but has more. Split it into several requests.`,
      )
    }
  }
}

/** Returns the index of the quote that ends a string; the length or more if the string does not end. */
function endOfString(bytes: Uint8Array, from: number): number {
  const quote = bytes.indexOf(QUOTE, from)
  if (quote < 0) return bytes.length
  if (bytes[quote - 1] !== BACKSLASH) return quote
  let at = from
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

/**
 * Rejects the member `__proto__` at any depth (prototype pollution), and objects with so many members that listing the unknown members
 * would take long.
 * @throws Problem
 */
export function checkMembers(value: unknown): void {
  if (value === null || typeof value !== 'object') return
  if (Object.hasOwn(value, '__proto__')) {
    throw new Problem(
      'bad-request',
      'The body has a member `__proto__`, which is not allowed. Remove it and try again.',
    )
  }
  const members = Object.values(value)
  if (members.length > MAX_MEMBERS && !Array.isArray(value)) {
    throw new Problem(
      'bad-request',
      `An object of the body must have at most ${MAX_MEMBERS} members, but has ${members.length}. Remove some and try again.`,
    )
  }
  for (const member of members) if (typeof member === 'object') checkMembers(member)
}

/**
 * Returns a body parser that rejects a body at the first byte over the limit. body-parser alone reads a body to its end before it reports
 * the excess, and a chunked body may never end.
 */
export function boundedBody(limit: number, parser: BodyParser): BodyParser {
  return (request, response, next) => {
    let bytes = 0
    let settled = false
    const settle = (error?: unknown) => {
      if (settled) return
      settled = true
      request.off('data', count)
      next(error)
    }
    const count = (part: Buffer) => {
      bytes += part.length
      if (bytes > limit) settle(tooLarge(limit))
    }
    parser(request, response, settle)
    if (!settled) request.on('data', count)
  }
}
