import { Problem } from '../problem.ts'

/** Nested lists and objects of a request: the deepest valid one, GeoJSON in a map scene, has 12. */
const MAX_DEPTH = 32

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Refuses JSON that is nested too deeply, before it is parsed: recursive code would exhaust the stack. @throws Problem */
export function checkDepth(bytes: Uint8Array): void {
  let depth = 0
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!
    if (byte === QUOTE) {
      for (i++; i < bytes.length && bytes[i] !== QUOTE; i++) if (bytes[i] === BACKSLASH) i++
    } else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > MAX_DEPTH) {
        throw new Problem('bad-request', `body: wanted JSON nested at most ${MAX_DEPTH} deep, got more.`)
      }
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
}

/** Refuses the member `__proto__` at any depth (prototype pollution). @throws Problem */
export function checkMembers(value: unknown): void {
  if (value === null || typeof value !== 'object') return
  if (Object.hasOwn(value, '__proto__')) {
    throw new Problem('bad-request', 'body: a member may not be called __proto__.')
  }
  for (const member of Object.values(value)) if (typeof member === 'object') checkMembers(member)
}
