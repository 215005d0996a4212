export { packGroups } from '../../../tile/assembly/slab'
export { maskValue, mirrored, roughness } from './field'
export { sampleBilinear, sampleNearest, sampleWind } from './sample'
export { fromDirection, turnWind } from './wind'

/** The first byte that callers may use. */
export function heapBase(): usize {
  return __heap_base
}
