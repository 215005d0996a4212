import { corrupt } from './codestream.ts'
import { HeaderBits } from './header-bits.ts'
import type { Precinct, PrecinctBand, Tile } from './layout.ts'

/** Table B.4: how many coding passes a packet adds. */
function readPasses(bits: HeaderBits): number {
  if (!bits.bit()) return 1
  if (!bits.bit()) return 2
  const two = bits.bits(2)
  if (two < 3) return 3 + two
  const five = bits.bits(5)
  if (five < 31) return 6 + five
  return 37 + bits.bits(7)
}

/** The packets of a tile in their order: a precinct of a layer. One component, so components order nothing. */
function* order({ coding, resolutions }: Tile): Generator<readonly [layer: number, precinct: Precinct]> {
  const { progression, layers } = coding
  if (progression === 0) {
    for (let layer = 0; layer < layers; layer++) {
      for (const { precincts } of resolutions) for (const precinct of precincts) yield [layer, precinct]
    }
    return
  }
  if (progression === 1) {
    for (const { precincts } of resolutions) {
      for (let layer = 0; layer < layers; layer++) for (const precinct of precincts) yield [layer, precinct]
    }
    return
  }
  const precincts = resolutions.flatMap(({ precincts }) => precincts)
  // By position across resolutions (3, 4); within one (2) precincts stand so already. Sorting keeps resolutions in order.
  if (progression > 2) precincts.sort((a, b) => a.y - b.y || a.x - b.x)
  for (const precinct of precincts) for (let layer = 0; layer < layers; layer++) yield [layer, precinct]
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0]
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Reads all packets of a tile: each block learns its bit planes, passes and octets (B.9, B.10). */
export function readPackets(tile: Tile): void {
  const octets = join(tile.parts)
  const { sop, eph } = tile.coding
  let at = 0
  for (const [layer, precinct] of order(tile)) {
    // Files cut on purpose for a rate end early; what is there is decoded.
    if (at >= octets.length) return
    if (sop && octets[at] === 0xff && octets[at + 1] === 0x91) at += 6
    const bits = new HeaderBits(octets, at)
    const lengths: [PrecinctBand['blocks'][number], number][] = []
    if (bits.bit()) {
      for (const band of precinct.bands) {
        for (const [k, block] of band.blocks.entries()) {
          const [x, y] = [k % band.across, Math.floor(k / band.across)]
          const here = block.included ? bits.bit() === 1 : band.inclusion.read(bits, x, y, layer + 1) <= layer
          if (!here) continue
          if (!block.included) {
            block.included = true
            const missing = band.zeroPlanes.read(bits, x, y, 64)
            block.planes = block.band.planes - missing
            if (block.planes < 0 || block.planes > 30) {
              corrupt(0, `at most ${block.band.planes} empty bit planes`, missing)
            }
          }
          const passes = readPasses(bits)
          while (bits.bit()) block.lengthBits++
          const width = block.lengthBits + Math.floor(Math.log2(passes))
          if (width > 32) corrupt(0, 'a segment length of at most 32 bits', width)
          block.passes += passes
          lengths.push([block, bits.bits(width)])
        }
      }
    }
    at = bits.end()
    if (eph && octets[at] === 0xff && octets[at + 1] === 0x92) at += 2
    for (const [block, length] of lengths) {
      if (length > octets.length - at) corrupt(0, `a code block of at most ${octets.length - at} octets`, length)
      block.parts.push(octets.subarray(at, at + length))
      at += length
    }
  }
}
