import { kernels, place, SLACK } from '../kernels.ts'
import { corrupt, type Header, readCodestream } from './jpeg2000/codestream.ts'
import { BLOCKS, layoutOf, type Tile } from './jpeg2000/layout.ts'
import { readPackets } from './jpeg2000/packets.ts'
import type { Task, Unpacker } from './task.ts'

/** Code blocks have at most 4096 coefficients; no valid one comes near so many octets. */
const BLOCK_OCTETS = 65536

/** Decodes the code blocks of a tile into coefficients at `to`, rows as long as the tile is wide. */
function decodeBlocks(tile: Tile, to: number, input: number): void {
  const memory = new Uint8Array(kernels.memory.buffer)
  const { style } = tile.coding
  for (const { precincts } of tile.resolutions) {
    for (const { bands } of precincts) {
      for (const { blocks } of bands) {
        for (const { x, y, w, h, band, planes, passes, parts } of blocks) {
          if (passes > Math.max(0, 3 * planes - 2))
            corrupt(0, `at most ${Math.max(0, 3 * planes - 2)} passes for ${planes} bit planes`, passes)
          let at = input
          for (const part of parts) {
            if (at + part.length > input + BLOCK_OCTETS)
              corrupt(0, `a code block of at most ${BLOCK_OCTETS} octets`, part.length)
            memory.set(part, at)
            at += part.length
          }
          // Two octets of ones end the data for the arithmetic decoder.
          memory[at] = 0xff
          memory[at + 1] = 0xff
          const out = to + (y * tile.w + x) * 4
          kernels.decodeBlock(
            input,
            w,
            h,
            band.kind,
            planes,
            passes,
            (style & 2) !== 0,
            (style & 32) !== 0,
            band.quantum,
            out,
            tile.w,
          )
        }
      }
    }
  }
}

function decodeTile(tile: Tile, header: Header, { packing, base, out, input }: Task): void {
  // A tile that is the whole image turns into floats where it stands.
  const octets = tile.w * tile.h * 4 + SLACK
  const whole = tile.w === header.x1 - header.x0 && tile.h === header.y1 - header.y0
  const coefficients = whole ? out : place(input + BLOCK_OCTETS + SLACK, octets)
  const scratch = place(
    whole ? input + BLOCK_OCTETS + SLACK : coefficients + octets,
    (Math.max(tile.w, tile.h) + 8) * 64,
  )
  const { reversible } = tile.coding
  const inverse = reversible ? kernels.inverseLevel : kernels.inverseLevel97
  readPackets(tile)
  decodeBlocks(tile, coefficients, input)
  for (const { x0, y0, x1, y1 } of tile.resolutions.slice(1)) {
    if (x1 > x0 && y1 > y0) inverse(coefficients, tile.w, x1 - x0, y1 - y0, x0 & 1, y0 & 1, scratch)
  }
  const { bits, signed } = header
  const shift = signed ? 0 : 2 ** (bits - 1)
  const least = signed ? -(2 ** (bits - 1)) : 0
  const most = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1
  const width = header.x1 - header.x0
  const to = out + (tile.y0 * width + tile.x0) * 4
  const finish = reversible ? kernels.samplesToFloats : kernels.wavesToFloats
  finish(coefficients, tile.w, tile.h, shift, least, most, base, packing.quantum, to, width)
}

/** Data template 5.40: one component, whatever shape the image has. */
export const jpeg2000: Unpacker = {
  run(task) {
    const { header, tiles } = readCodestream(task.octets)
    const [width, height] = [header.x1 - header.x0, header.y1 - header.y0]
    const { values } = task.packing
    if (width * height !== values)
      corrupt(4, `${values} samples, one a value`, `${width} × ${height} = ${width * height}`)
    place(task.input, BLOCK_OCTETS + SLACK)
    const budget = { left: BLOCKS }
    for (const data of tiles) decodeTile(layoutOf(header, data, budget), header, task)
  },
}
