import { allocateAt, emit, kernels, PADDING } from '../kernels.ts'
import { readCodestream } from './jpeg2000/codestream.ts'
import { corrupt } from './jpeg2000/cursor.ts'
import { BLOCKS, type Block, type ImageTile, layoutOf, sizeOf } from './jpeg2000/layout.ts'
import type { Header } from './jpeg2000/markers.ts'
import { readPackets } from './jpeg2000/packets.ts'
import { PORTION, type Unpacker, type UnpackTask } from './task.ts'

/** Maximum octets of a code block. Code blocks have at most 4096 coefficients, and valid ones have far fewer octets. */
const BLOCK_OCTETS = 65536

/** Decodes one code block to `out`, with rows `stride` words apart; `input` has `BLOCK_OCTETS` for a codeword segment. */
function decodeBlock(block: Block, tile: ImageTile, memory: Uint8Array, input: number, out: number): void {
  const { w, h, band, planes, passes, segments } = block
  const most = Math.max(0, 3 * planes - 2)
  if (passes > most) corrupt(0, `at most ${most} passes for ${planes} bit planes`, passes)
  if (passes === 0) {
    kernels.storeEmptyBlock(w, h, out, tile.w)
    return
  }
  kernels.beginBlock(w, h)
  for (const { first, passes, parts } of segments) {
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
    kernels.decodeSegment(input, band.kind, planes, first, first + passes, tile.coding.style)
  }
  kernels.storeBlock(tile.regionShift, band.quantum, out, tile.w)
}

/** Decodes the code blocks of a tile into coefficients at `to`; rows are as long as the tile is wide. */
function decodeBlocks(tile: ImageTile, to: number, input: number): void {
  const memory = new Uint8Array(kernels.memory.buffer)
  for (const { precincts } of tile.resolutions) {
    for (const { bands } of precincts) {
      for (const { blocks } of bands) {
        for (const block of blocks) decodeBlock(block, tile, memory, input, to + (block.y * tile.w + block.x) * 4)
      }
    }
  }
}

function decodeTile(tile: ImageTile, header: Header, { packing, base, out, input, streaming }: UnpackTask): void {
  // A tile that is the whole image is converted to floats in place.
  const octets = tile.w * tile.h * 4 + PADDING
  const [width, height] = sizeOf(header)
  const isSingleTile = tile.w === width && tile.h === height
  const coefficients = isSingleTile ? out : allocateAt(input + BLOCK_OCTETS + PADDING, octets)
  const { reversible } = tile.coding
  const last = tile.resolutions.at(-1)!
  // The last level, which is three quarters of the work, can emit floats row by row.
  const emits =
    streaming &&
    isSingleTile &&
    reversible &&
    tile.resolutions.length > 1 &&
    !(last.x0 & 1 || last.y0 & 1) &&
    tile.w > 3 &&
    tile.h > 1
  const scratch = allocateAt(
    isSingleTile ? input + BLOCK_OCTETS + PADDING : coefficients + octets,
    (Math.max(tile.w, tile.h) + 16) * 64 + (emits ? (PORTION + 2 * tile.w) * 4 : 0),
  )
  const inverse = reversible ? kernels.inverseLevel : kernels.inverseLevel97
  readPackets(tile)
  decodeBlocks(tile, coefficients, input)
  for (const { x0, y0, x1, y1 } of tile.resolutions.slice(1, emits ? -1 : undefined)) {
    if (x1 > x0 && y1 > y0) inverse(coefficients, tile.w, x1 - x0, y1 - y0, x0 & 1, y0 & 1, scratch)
  }
  const { bits, signed } = header
  const shift = signed ? 0 : 2 ** (bits - 1)
  const least = signed ? -(2 ** (bits - 1)) : 0
  const most = signed ? 2 ** (bits - 1) - 1 : 2 ** bits - 1
  if (emits) {
    kernels.finishLevel(coefficients, tile.w, tile.h, shift, least, most, base, packing.quantum, scratch)
    return
  }
  const finish = reversible ? kernels.samplesToFloats : kernels.wavesToFloats
  const rows = Math.floor(PORTION / width)
  if (streaming && isSingleTile && rows > 0) {
    // Floats are emitted while they are in the cache, from the memory after the coefficients.
    const portion = out + packing.values * 4
    for (let y = 0; y < tile.h; y += rows) {
      const h = Math.min(rows, tile.h - y)
      const from = coefficients + y * tile.w * 4
      finish(from, tile.w, h, shift, least, most, base, packing.quantum, portion, width)
      emit(portion, h * width)
    }
    return
  }
  const to = out + (tile.y0 * width + tile.x0) * 4
  finish(coefficients, tile.w, tile.h, shift, least, most, base, packing.quantum, to, width)
  if (streaming && isSingleTile) emit(out, packing.values)
}

/** Decodes data template 5.40: one component, whatever the shape of the image. */
export const jpeg2000: Unpacker = {
  streams: ({ values }) => values + PORTION,
  run(task) {
    const { header, tiles } = readCodestream(task.octets)
    const [width, height] = sizeOf(header)
    const { values } = task.packing
    if (width * height !== values)
      corrupt(4, `${values} samples, one a value`, `${width} × ${height} = ${width * height}`)
    allocateAt(task.input, BLOCK_OCTETS + PADDING)
    const budget = { remaining: BLOCKS }
    for (const data of tiles) decodeTile(layoutOf(header, data, budget), header, task)
    if (task.streaming && tiles.length > 1) emit(task.out, values)
  },
}
