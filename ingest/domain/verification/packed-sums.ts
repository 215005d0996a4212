import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { Fault } from '../fault.ts'
import { nth } from '../nth.ts'
import { STATISTICS, slotsOf, VARIABLES, type VerifiedVariable } from './statistics.ts'

/**
 * Packed sums of a variable and day for several areas. Each slot has a piece, so that a slot can be read alone; the piece of a slot without
 * pairs is empty. A piece is compressed by zstd. For each statistic it has a header of 6 bytes (bytes per number, 1 if numbers are signed,
 * divisor as uint32 LE), then the lowest bytes of all areas, their next bytes and so on, because neighbouring bytes are then similar.
 */
export interface PackedSums {
  readonly bytes: Uint8Array
  /** End of the piece of each slot. */
  readonly ends: readonly number[]
}

const HEADER = 6
const MAX_PLANES = 6
const level = { params: { [constants.ZSTD_c_compressionLevel]: 19 } }

/**
 * Returns the factor that turns the sums of a statistic into integers. Errors are multiples of 0.1 °C and probabilities of 1 %; for wind,
 * 0.01 m/s is a hundredth of the step.
 */
function scaleOf(statistic: string): number {
  if (/^(?:error|absolute|squared|probability_\d)$/.test(statistic)) return 100
  return statistic === 'brier' || statistic === 'reference' ? 10_000 : 1
}

const scales = new Map(VARIABLES.map((variable) => [variable, STATISTICS[variable].map(scaleOf)]))

/**
 * Packs sums.
 * @param list sums of each area: slots × statistics
 */
export function packSums(variable: VerifiedVariable, list: readonly ArrayLike<number>[]): PackedSums {
  const width = scales.get(variable)!.length
  const pieces = slotsOf(variable).map((_, slot) => {
    if (list.every((sums) => sums[slot * width] === 0)) return new Uint8Array()
    const parts = scales
      .get(variable)!
      .map((scale, i) => packNumbers(list.map((sums) => Math.round(sums[slot * width + i]! * scale))))
    return zstdCompressSync(Buffer.concat(parts), level)
  })
  let end = 0
  return { bytes: Buffer.concat(pieces), ends: pieces.map(({ length }) => (end += length)) }
}

function packNumbers(numbers: readonly number[]): Uint8Array {
  const divisor = numbers.reduce(greatestDivisor, 0)
  const signed = numbers.some((number) => number < 0)
  const codes = numbers.map((value) => {
    const code = divisor === 0 ? 0 : value / divisor
    return signed ? (code < 0 ? -2 * code - 1 : 2 * code) : code
  })
  let planes = 0
  for (let most = codes.reduce((a, b) => Math.max(a, b), 0); most > 0; most = Math.floor(most / 256)) planes++
  if (planes > MAX_PLANES || divisor > 0xffff_ffff)
    throw new Fault('Invalid', `sums: numbers must be below 2^47, but one is ${Math.max(...numbers.map(Math.abs))}`)
  const bytes = Buffer.alloc(HEADER + planes * codes.length)
  bytes[0] = planes
  bytes[1] = signed ? 1 : 0
  bytes.writeUInt32LE(divisor, 2)
  for (let plane = 0; plane < planes; plane++)
    for (let i = 0; i < codes.length; i++)
      bytes[HEADER + plane * codes.length + i] = Math.floor(nth(codes, i) / 256 ** plane) % 256
  return bytes
}

/** Returns the greatest common divisor; if one of them is 0, the other number. */
function greatestDivisor(left: number, right: number): number {
  let [a, b] = [Math.abs(left), Math.abs(right)]
  while (b > 0) [a, b] = [b, a % b]
  return a
}

/**
 * Returns the statistics of one slot at several areas: areas × statistics.
 * @param count number of areas in the packed sums
 * @param places indexes of the requested areas
 * @throws Fault Corrupt if the bytes do not have the expected length
 */
export function unpackSlot(
  variable: VerifiedVariable,
  piece: Uint8Array,
  count: number,
  places: readonly number[],
): Float64Array {
  const width = scales.get(variable)!.length
  const values = new Float64Array(places.length * width)
  if (piece.length === 0) return values
  const bytes = zstdDecompressSync(piece, { maxOutputLength: width * (HEADER + MAX_PLANES * count) })
  let at = 0
  for (const [i, scale] of scales.get(variable)!.entries()) {
    const planes = bytes[at]!
    if (!(planes <= MAX_PLANES) || at + HEADER + planes * count > bytes.length)
      throw new Fault(
        'Corrupt',
        `sums of ${variable}: ${bytes.length} bytes are too few for ${width} statistics of ${count} areas`,
      )
    const signed = bytes[at + 1] === 1
    const divisor = bytes.readUInt32LE(at + 2)
    at += HEADER
    for (const [p, place] of places.entries()) {
      let code = 0
      for (let plane = planes - 1; plane >= 0; plane--) code = code * 256 + bytes[at + plane * count + place]!
      const number = !signed ? code : code % 2 === 1 ? -(code + 1) / 2 : code / 2
      values[p * width + i] = (number * divisor) / scale
    }
    at += planes * count
  }
  return values
}
