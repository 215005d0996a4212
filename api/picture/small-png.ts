import { nth } from '../../ingest/domain/nth.ts'
import { indexedPng, type PictureSize } from './radar.ts'

/** Number of bits of each channel by which colours are grouped, beginning with the finest grouping. */
const GROUPINGS = [5, 4, 3] as const
/** Numbers of colours of an indexed picture, in descending order. */
const COLOUR_COUNTS = [256, 64, 24] as const

/**
 * Encodes a picture with few colours, so that it has at most `maxBytes`. It uses the most frequent colours, and for
 * every other pixel the most similar of these. If no encoding is small enough, the coarsest is returned.
 * @param rgba red, green, blue and alpha of each pixel
 */
export function smallPng(rgba: Uint8ClampedArray, size: PictureSize, maxBytes: number): Buffer {
  let smallest = indexed(rgba, size, GROUPINGS[0], COLOUR_COUNTS[0])
  for (const [i, bits] of GROUPINGS.entries()) {
    if (smallest.length <= maxBytes) break
    if (i > 0) smallest = indexed(rgba, size, bits, COLOUR_COUNTS[i] ?? COLOUR_COUNTS[0])
  }
  return smallest
}

function indexed(rgba: Uint8ClampedArray, size: PictureSize, bits: number, count: number): Buffer {
  const shift = 8 - bits
  const groupOf = (i: number) =>
    ((rgba[i]! >> shift) << (2 * bits)) | ((rgba[i + 1]! >> shift) << bits) | (rgba[i + 2]! >> shift)
  const groups = 1 << (3 * bits)
  const pixels = new Uint32Array(groups)
  const sums = [new Float64Array(groups), new Float64Array(groups), new Float64Array(groups)] as const
  for (let i = 0; i < rgba.length; i += 4) {
    const group = groupOf(i)
    pixels[group]!++
    for (let channel = 0; channel < 3; channel++) nth(sums, channel)[group]! += rgba[i + channel]!
  }
  const used = Array.from(pixels.keys())
    .filter((group) => pixels[group]! > 0)
    .sort((a, b) => pixels[b]! - pixels[a]!)
  const colours = used
    .slice(0, count)
    .map((group) => sums.map((sum) => Math.round(sum[group]! / pixels[group]!)) as [number, number, number])
  const indexes = new Uint8Array(groups)
  for (const [rank, group] of used.entries()) {
    const mean = sums.map((sum) => sum[group]! / pixels[group]!)
    indexes[group] = rank < colours.length ? rank : nearestColour(mean, colours)
  }
  const raw = new Uint8Array(size.width * size.height)
  for (let i = 0; i < raw.length; i++) raw[i] = indexes[groupOf(4 * i)]!
  return indexedPng(raw, size, colours, undefined, 9)
}

function nearestColour(mean: readonly number[], colours: readonly (readonly [number, number, number])[]): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY]
  for (const [i, colour] of colours.entries()) {
    const distance = colour.reduce((sum, value, channel) => sum + (value - (mean[channel] ?? 0)) ** 2, 0)
    if (distance < least) [best, least] = [i, distance]
  }
  return best
}
