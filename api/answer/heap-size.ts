/** Bytes that V8 needs for an object with its map, for a member with a boxed number, and for the head of a string. */
const OBJECT_BYTES = 32
const MEMBER_BYTES = 20
const STRING_BYTES = 24
/** Number of items of a list that are measured; they represent the items between them. */
const SAMPLES = 8

/**
 * Estimates the bytes that a JSON value takes on the heap. Estimates were 1.1 to 2.4 times the measured size of answers
 * of 3 to 60 KB.
 */
export function heapBytes(value: unknown): number {
  if (typeof value === 'string') return MEMBER_BYTES + STRING_BYTES + value.length
  if (typeof value !== 'object' || value === null) return MEMBER_BYTES
  let sum = MEMBER_BYTES + OBJECT_BYTES
  if (Array.isArray(value)) {
    const step = Math.ceil(value.length / SAMPLES)
    for (let i = 0; i < value.length; i += step) sum += heapBytes(value[i]) * Math.min(step, value.length - i)
    return sum
  }
  for (const name in value) sum += heapBytes((value as Readonly<Record<string, unknown>>)[name])
  return sum
}
