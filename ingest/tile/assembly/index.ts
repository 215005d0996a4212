export { decodeCell } from './decode'
export { encodeBlock } from './encode'
export { packGroups, unpackGroup } from './slab'
export { turnGroup } from './weave'

/** The first octet that callers may use. */
export function heapBase(): usize {
  return __heap_base
}
