import type { IncomingMessage, ServerResponse } from 'node:http'
import { Problem, tooLarge } from '../problem.ts'

type BodyParser = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void

export const hasBody = (request: IncomingMessage) =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0

/** Nested lists and objects of a request: the deepest valid one, GeoJSON in a map scene, has 12. */
const MAX_DEPTH = 32
/** The largest object that is asked for, the properties of a GeoJSON feature, has a few dozen. */
const MAX_MEMBERS = 500
/** Commas of a request: the largest valid one, ten layers of GeoJSON in a map scene, has 60,000. Each value costs a microsecond to check. */
const MAX_COMMAS = 65_536

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

/**
 * Refuses JSON that is nested too deeply, since recursive code would exhaust the stack, or that has too many values, whose check would
 * block the thread: before it is parsed. @throws Problem
 */
export function checkSize(bytes: Uint8Array): void {
  let depth = 0
  let commas = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte === QUOTE) {
      i = endOfString(bytes, i + 1)
    } else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > MAX_DEPTH) {
        throw new Problem('bad-request', `body: wanted JSON nested at most ${MAX_DEPTH} deep, got more.`)
      }
    } else if (byte === 0x5d || byte === 0x7d) depth--
    else if (byte === COMMA && ++commas > MAX_COMMAS) {
      throw new Problem('payload-too-large', `body: wanted JSON of at most ${MAX_COMMAS} values, got more.`)
    }
  }
}

/** Index of the quote that ends a string; the length or more where none does. */
function endOfString(bytes: Uint8Array, from: number): number {
  const quote = bytes.indexOf(QUOTE, from)
  if (quote < 0) return bytes.length
  if (bytes[quote - 1] !== BACKSLASH) return quote
  let at = from
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

/**
 * Refuses the member `__proto__` at any depth (prototype pollution), and objects of so many members that naming the unknown ones would
 * take long. @throws Problem
 */
export function checkMembers(value: unknown): void {
  if (value === null || typeof value !== 'object') return
  if (Object.hasOwn(value, '__proto__')) {
    throw new Problem('bad-request', 'body: a member may not be called __proto__.')
  }
  const members = Object.values(value)
  if (members.length > MAX_MEMBERS && !Array.isArray(value)) {
    throw new Problem(
      'bad-request',
      `body: wanted at most ${MAX_MEMBERS} members in one object, got ${members.length}.`,
    )
  }
  for (const member of members) if (typeof member === 'object') checkMembers(member)
}

/**
 * A body parser that refuses the first byte over its limit at once. body-parser alone reads such a body to its end before it
 * reports it, and one in chunks may have no end.
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
