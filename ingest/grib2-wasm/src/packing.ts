import type { MessageSection } from './octets.ts'

/** The packing in section 5: value = (reference + integer × 2^binaryScale) / 10^decimalScale. */
export interface Packing {
  /** Number N of template 5.N. */
  readonly template: number
  /** Bits of an integer (of a group reference in 5.2 and 5.3, of a pixel in 5.40 and 5.41); 0 for a constant field. */
  readonly bits: number
  readonly reference: number
  readonly binaryScale: number
  readonly decimalScale: number
  /** The smallest step between two values, 2^binaryScale / 10^decimalScale; 0 for IEEE floats (5.4). */
  readonly quantum: number
  /** Number of packed values: the points that the bitmap marks as present. */
  readonly values: number
  /** Missing-value management of 5.2 and 5.3: 0 none, 1 primary, 2 primary and secondary; else 0. */
  readonly missingManagement: number
  readonly section: MessageSection
}

const NAMES: Readonly<Record<number, string>> = {
  0: 'simple',
  2: 'complex',
  3: 'complex with spatial differencing',
  4: 'IEEE floats',
  40: 'JPEG 2000',
  41: 'PNG',
  42: 'CCSDS',
}

/** Names of the data templates 5.N that this reader decodes. */
export function packingName(template: number): string | undefined {
  return NAMES[template]
}

export function readPacking(section: MessageSection): Packing {
  const values = section.u4(6)
  const template = section.u2(10)
  if (template === 4) {
    const precision = section.u1(12)
    if (precision !== 1 && precision !== 2)
      section.fail(12, 'precision 1 (32 bits) or 2 (64 bits)', precision, 'unsupported')
    const bits = precision * 32
    return {
      template,
      bits,
      reference: 0,
      binaryScale: 0,
      decimalScale: 0,
      quantum: 0,
      values,
      missingManagement: 0,
      section,
    }
  }
  if (NAMES[template] === undefined) {
    const none = { bits: 0, reference: Number.NaN, binaryScale: 0, decimalScale: 0, quantum: Number.NaN }
    return { template, ...none, values, missingManagement: 0, section }
  }
  const reference = section.f4(12)
  if (!Number.isFinite(reference)) section.fail(12, 'a finite reference value', reference)
  const binaryScale = section.s2(16)
  const decimalScale = section.s2(18)
  const bits = section.u1(20)
  const missingManagement = template === 2 || template === 3 ? section.u1(23) : 0
  if (missingManagement > 2) section.fail(23, 'missing-value management 0, 1 or 2', missingManagement)
  const quantum = 2 ** binaryScale * 10 ** -decimalScale
  return { template, bits, reference, binaryScale, decimalScale, quantum, values, missingManagement, section }
}
