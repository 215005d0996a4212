import { join } from './codestream.ts'
import { corrupt } from './cursor.ts'
import { HeaderBits } from './header-bits.ts'
import type { Block, ImageTile, Segment } from './layout.ts'
import { BlockStyle } from './markers.ts'
import { packetOrder } from './progression.ts'

/** Upper limit of the passes of a code block: 3 × 38 bit planes. */
const ALL_PASSES = 128
/** Number of passes before raw passes alternate with those of the arithmetic coder (table D.9). */
const PASSES_BEFORE_BYPASS = 10

/** Reads the number of coding passes that a packet adds (table B.4). */
function readPasses(bits: HeaderBits): number {
  if (!bits.bit()) return 1
  if (!bits.bit()) return 2
  const two = bits.bits(2)
  if (two < 3) return 3 + two
  const five = bits.bits(5)
  if (five < 31) return 6 + five
  return 37 + bits.bits(7)
}

/** Returns the codeword segment for the next pass of a block (D.4.2, D.6); in the plain style, one segment has all passes. */
function openSegment(block: Block, style: number): Segment {
  const last = block.segments.at(-1)
  if (last && last.passes < last.capacity) return last
  let capacity = ALL_PASSES
  if (style & BlockStyle.terminateAll) capacity = 1
  else if (style & BlockStyle.bypass) {
    capacity = last ? (last.capacity === 2 ? 1 : 2) : PASSES_BEFORE_BYPASS
  }
  const segment = { first: block.passes, passes: 0, capacity, parts: [] }
  block.segments.push(segment)
  return segment
}

/** Reads the number of octets that a packet adds to each segment of a block (B.10.7). */
function readLengths(bits: HeaderBits, block: Block, style: number, lengths: [Segment, number][]): void {
  let passes = readPasses(bits)
  while (bits.bit()) block.lengthBits++
  while (passes > 0) {
    const segment = openSegment(block, style)
    const added = Math.min(passes, segment.capacity - segment.passes)
    const width = block.lengthBits + Math.floor(Math.log2(added))
    if (width > 32) corrupt(0, 'a segment length of at most 32 bits', width)
    segment.passes += added
    block.passes += added
    passes -= added
    lengths.push([segment, bits.bits(width)])
  }
}

/** Reads all packets of a tile, and assigns bit planes, passes and octets to each block (B.9, B.10). */
export function readPackets(tile: ImageTile): void {
  const octets = join(tile.parts.map(({ packets }) => packets))
  const packed = tile.parts.some(({ headers }) => headers !== undefined)
  const headers = packed ? join(tile.parts.map((part) => part.headers ?? new Uint8Array())) : octets
  const { sop, eph } = tile.order
  const { style } = tile.coding
  let at = 0
  let headerAt = 0
  for (const [layer, precinct] of packetOrder(tile)) {
    // Files that are truncated on purpose to limit their size end early; the available packets are decoded.
    if (packed ? headerAt >= headers.length : at >= octets.length) return
    if (sop && octets[at] === 0xff && octets[at + 1] === 0x91) at += 6
    const bits = new HeaderBits(headers, packed ? headerAt : at)
    const lengths: [Segment, number][] = []
    precinct.layersRead = layer + 1
    if (bits.bit()) {
      for (const band of precinct.bands) {
        for (const [k, block] of band.blocks.entries()) {
          const [x, y] = [k % band.across, Math.floor(k / band.across)]
          const included = block.included ? bits.bit() === 1 : band.inclusion.read(bits, x, y, layer + 1) <= layer
          if (!included) continue
          if (!block.included) {
            block.included = true
            const missing = band.zeroPlanes.read(bits, x, y, ALL_PASSES)
            block.planes = block.band.planes - missing
            if (block.planes < 0 || block.planes > 30) {
              corrupt(0, `${block.band.planes - 30} to ${block.band.planes} empty bit planes`, missing)
            }
          }
          readLengths(bits, block, style, lengths)
        }
      }
    }
    let end = bits.end()
    if (eph && headers[end] === 0xff && headers[end + 1] === 0x92) end += 2
    if (packed) headerAt = end
    else at = end
    for (const [segment, length] of lengths) {
      if (length > octets.length - at) corrupt(0, `a code block of at most ${octets.length - at} octets`, length)
      segment.parts.push(octets.subarray(at, at + length))
      at += length
    }
  }
}
