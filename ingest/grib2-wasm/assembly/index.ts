export { wanted, got } from './memory'
export { unpackFields } from './bits'
export { unpackSimple, unpackIeee, fillFloats, spread, countBits } from './simple'
export { unpackComplex } from './complex'
export { unpackPng, crc32 } from './png'
export { beginBlock, decodeSegment, storeBlock, storeEmptyBlock } from './code-block'
export { inverseLevel, samplesToFloats } from './wavelet'
export { finishLevel } from './last-level'
export { inverseLevel97, wavesToFloats } from './wavelet-9-7'
export { unpackAec } from './aec'
export { turnRows, columnsToRows } from './scan'

/** The first byte that the caller may use. */
export function heapBase(): usize {
  return __heap_base
}
