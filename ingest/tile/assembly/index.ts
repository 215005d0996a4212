export { decodeCell } from './decode'
export { encodeBlock } from './encode'
export { packGroups, unpackGroup } from './slab'
export { turnGroup } from './weave'

/** The first byte that callers may use. */
export function heapBase(): usize {
  return __heap_base
}
