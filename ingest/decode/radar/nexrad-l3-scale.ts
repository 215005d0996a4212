import { nth } from '../../domain/nth.ts'
import { corrupt } from './nexrad-l3-cursor.ts'

export type Unit =
  | 'dBZ'
  | 'm/s'
  | 'kt'
  | 'in'
  | '0.01 in'
  | 'in/h'
  | 'kg/m2'
  | 'kft'
  | 'dB'
  | 'deg/km'
  | 'ratio'
  | 'class'

type ValueCoding = 'legacy' | 'digital' | 'generic' | 'vil' | 'tops' | 'class'

export interface ProductKind {
  readonly code: number
  readonly title: string
  readonly unit: Unit
  readonly coding: ValueCoding
  /** Length of a gate along the beam, m; for raster products, the side of a pixel. */
  readonly gateMeters: number
}

const kind = (code: number, title: string, unit: Unit, coding: ValueCoding, gateMeters: number): ProductKind => ({
  code,
  title,
  unit,
  coding,
  gateMeters,
})

/** The products with decoded values, from table III of the ICD for RPG to class 1 users (2620001). */
export const PRODUCTS: ReadonlyMap<number, ProductKind> = new Map(
  [
    kind(19, 'Base reflectivity', 'dBZ', 'legacy', 1000),
    kind(20, 'Base reflectivity, long range', 'dBZ', 'legacy', 2000),
    kind(27, 'Base velocity', 'kt', 'legacy', 1000),
    kind(30, 'Base spectrum width', 'kt', 'legacy', 1000),
    kind(32, 'Hybrid scan reflectivity', 'dBZ', 'digital', 1000),
    kind(37, 'Composite reflectivity', 'dBZ', 'legacy', 1000),
    kind(38, 'Composite reflectivity, long range', 'dBZ', 'legacy', 4000),
    kind(56, 'Storm-relative velocity', 'kt', 'legacy', 1000),
    kind(57, 'Vertically integrated liquid', 'kg/m2', 'legacy', 4000),
    kind(65, 'Layer composite reflectivity, low', 'dBZ', 'legacy', 4000),
    kind(66, 'Layer composite reflectivity, middle', 'dBZ', 'legacy', 4000),
    kind(67, 'Layer composite reflectivity, low, no anomalous propagation', 'dBZ', 'legacy', 4000),
    kind(78, 'One-hour precipitation', 'in', 'legacy', 2000),
    kind(79, 'Three-hour precipitation', 'in', 'legacy', 2000),
    kind(80, 'Storm-total precipitation', 'in', 'legacy', 2000),
    kind(90, 'Layer composite reflectivity, high', 'dBZ', 'legacy', 4000),
    kind(94, 'Digital base reflectivity', 'dBZ', 'digital', 1000),
    kind(99, 'Digital base velocity', 'm/s', 'digital', 250),
    kind(134, 'Digital vertically integrated liquid', 'kg/m2', 'vil', 1000),
    kind(135, 'Enhanced echo tops', 'kft', 'tops', 1000),
    kind(153, 'Super-resolution reflectivity', 'dBZ', 'digital', 250),
    kind(154, 'Super-resolution velocity', 'm/s', 'digital', 250),
    kind(159, 'Differential reflectivity', 'dB', 'generic', 250),
    kind(161, 'Correlation coefficient', 'ratio', 'generic', 250),
    kind(163, 'Specific differential phase', 'deg/km', 'generic', 250),
    kind(165, 'Hydrometeor classification', 'class', 'class', 250),
    kind(167, 'Super-resolution correlation coefficient', 'ratio', 'generic', 250),
    kind(169, 'One-hour accumulation', 'in', 'legacy', 2000),
    kind(170, 'Digital one-hour accumulation', '0.01 in', 'generic', 250),
    kind(171, 'Storm-total accumulation', 'in', 'legacy', 2000),
    kind(172, 'Digital storm-total accumulation', '0.01 in', 'generic', 250),
    kind(173, 'Digital accumulation of a chosen period', '0.01 in', 'generic', 250),
    kind(174, 'Digital one-hour difference of accumulations', '0.01 in', 'generic', 250),
    kind(175, 'Digital storm-total difference of accumulations', '0.01 in', 'generic', 250),
    kind(176, 'Digital precipitation rate', 'in/h', 'generic', 250),
    kind(177, 'Hybrid hydrometeor classification', 'class', 'class', 250),
    kind(180, 'Terminal radar reflectivity', 'dBZ', 'digital', 150),
    kind(181, 'Terminal radar reflectivity, 16 levels', 'dBZ', 'legacy', 150),
    kind(182, 'Terminal radar velocity', 'm/s', 'digital', 150),
    kind(183, 'Terminal radar velocity, 16 levels', 'kt', 'legacy', 150),
    kind(186, 'Terminal radar reflectivity, long range', 'dBZ', 'digital', 300),
    kind(187, 'Terminal radar reflectivity, long range, 16 levels', 'dBZ', 'legacy', 300),
  ].map((row) => [row.code, row]),
)

export interface Scale {
  /** The value of each level; NaN if the level stands for below threshold, missing or range folded. */
  readonly values: Float64Array
  /** The level of range-folded gates (an echo whose distance is ambiguous), if the product has one. */
  readonly foldedLevel: number | undefined
}

/** Decodes a 16-bit float of the ICD: a sign bit, 5 bits of exponent with bias 16, and 10 bits of fraction. */
function half(word: number): number {
  const exponent = (word >> 10) & 31
  const fraction = (word & 1023) / 1024
  const size = exponent === 0 ? 2 * fraction : 2 ** (exponent - 16) * (1 + fraction)
  return word & 0x8000 ? -size : size
}

function single(high: number, low: number): number {
  const view = new DataView(new ArrayBuffer(4))
  view.setUint16(0, high)
  view.setUint16(2, low)
  return view.getFloat32(0)
}

const signed = (word: number) => (word << 16) >> 16

const RANGE_FOLDED = 3

/** Scale of 16 levels. Each threshold word has flags in its high byte and the value of the level in its low byte. */
function legacyScale(thresholds: readonly number[]): Scale {
  const values = new Float64Array(256).fill(Number.NaN)
  let foldedLevel: number | undefined
  for (const [level, word] of thresholds.entries()) {
    const [flags, number] = [word >> 8, word & 255]
    if (flags & 0x80) {
      // Threshold words with this flag have codes: 1 is below threshold, 2 no data, 3 range folded. Higher codes are classes.
      if (number === RANGE_FOLDED) foldedLevel = level
      else if (number > RANGE_FOLDED) values[level] = number
      continue
    }
    const step = flags & 0x40 ? 0.01 : flags & 0x20 ? 0.05 : flags & 0x10 ? 0.1 : 1
    values[level] = number * step * (flags & 1 ? -1 : 1)
  }
  return { values, foldedLevel }
}

/** Scale of levels 2 to 255, with the smallest value and the increment in tenths. In velocity products level 1 means range folded. */
function digitalScale(thresholds: readonly number[], velocity: boolean): Scale {
  const values = new Float64Array(256).fill(Number.NaN)
  const [least, step, count] = [signed(nth(thresholds, 0)) * 0.1, nth(thresholds, 1) * 0.1, nth(thresholds, 2)]
  for (let k = 0; k < Math.min(count, 254); k++) values[k + 2] = least + k * step
  return { values, foldedLevel: velocity ? 1 : undefined }
}

/** Scale with value = (level − offset) / scale. Some leading and trailing levels are flags. */
function genericScale(thresholds: readonly number[]): Scale {
  const scale = single(nth(thresholds, 0), nth(thresholds, 1))
  const offset = single(nth(thresholds, 2), nth(thresholds, 3))
  const [most, leading, trailing] = [nth(thresholds, 5), nth(thresholds, 6), nth(thresholds, 7)]
  if (!(scale !== 0) || !Number.isFinite(offset)) corrupt('a scale other than 0', scale)
  const values = new Float64Array(Math.max(256, most + 1)).fill(Number.NaN)
  for (let level = leading; level <= most - trailing; level++) values[level] = (level - offset) / scale
  return { values, foldedLevel: leading > 1 ? 1 : undefined }
}

/** Scale of vertically integrated liquid: linear below a level, logarithmic from that level on. Level 255 is reserved. */
function liquidScale(thresholds: readonly number[]): Scale {
  const values = new Float64Array(256).fill(Number.NaN)
  const [linear, offset, start, logarithmic, shift] = [
    half(nth(thresholds, 0)),
    half(nth(thresholds, 1)),
    nth(thresholds, 2),
    half(nth(thresholds, 3)),
    half(nth(thresholds, 4)),
  ]
  for (let level = 2; level < 255; level++) {
    values[level] = level < start ? (level - offset) / linear : Math.exp((level - shift) / logarithmic)
  }
  return { values, foldedLevel: undefined }
}

/** Scale of echo tops. One bit of a level marks an echo that extends above the highest beam. */
function topsScale(thresholds: readonly number[]): Scale {
  const values = new Float64Array(256).fill(Number.NaN)
  const [mask, scale, offset] = [nth(thresholds, 0), nth(thresholds, 1), signed(nth(thresholds, 2))]
  if (scale === 0) corrupt('a scale other than 0', scale)
  for (let level = 2; level < 256; level++) values[level] = ((level & mask) - offset) / scale
  return { values, foldedLevel: undefined }
}

/** Scale of classes, which are multiples of ten. In products 165 and 177, 140 is unknown and 150 is range folded. */
function classScale(): Scale {
  const values = new Float64Array(256).fill(Number.NaN)
  for (let level = 10; level < 256; level++) values[level] = Math.floor(level / 10)
  values[150] = Number.NaN
  return { values, foldedLevel: 150 }
}

/** Returns the scale of a product from the 16 threshold words in its description. */
export function scaleOf({ coding, unit }: ProductKind, thresholds: readonly number[]): Scale {
  if (coding === 'legacy') return legacyScale(thresholds)
  if (coding === 'digital') return digitalScale(thresholds, unit === 'm/s')
  if (coding === 'generic') return genericScale(thresholds)
  if (coding === 'vil') return liquidScale(thresholds)
  if (coding === 'tops') return topsScale(thresholds)
  return classScale()
}
