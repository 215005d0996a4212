import { GribError } from '../fault.ts'
import { allocateAt, copyIn, kernels, PADDING } from '../kernels.ts'
import { PORTION, type Unpacker, type UnpackTask } from './task.ts'

const SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
/** Number of channels by PNG colour type, as in template 7.41. Palettes (3) and grey with opacity (4) are not numbers. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 6: 4 }
/** CRC-32 of the letters IDAT. */
const IDAT_CRC = 0x35af061e
/** Octets of history to which deflate may refer, and space for matches and long rows after it. */
const WINDOW = 256 * 1024
/** Maximum length of a row in octets; three copies of a row are in memory. */
const LONGEST_ROW = 2 ** 26

interface PngImage {
  readonly columns: number
  readonly rows: number
  /** Bits of a pixel over all channels. */
  readonly depth: number
  /** Offset and length of the data of each IDAT, and of the part that its CRC covers. */
  readonly parts: readonly (readonly [at: number, length: number])[]
  readonly total: number
}

/** Octets of section 7 count from 1 and the PNG starts at octet 6. */
const octetOf = (at: number) => at + 6

function corrupt(at: number, expected: string, actual: string | number): never {
  throw new GribError('corrupt', 7, octetOf(at), expected, `${actual}`)
}

function readImage(octets: Uint8Array): PngImage {
  if (octets.length < 33) throw new GribError('truncated', 7, 6, 'a PNG of at least 33 octets', `${octets.length}`)
  if (SIGNATURE.some((octet, k) => octets[k] !== octet))
    corrupt(0, 'the signature of a PNG', `${[...octets.subarray(0, 8)]}`)
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength)
  if (view.getUint32(12) !== 0x49484452) corrupt(12, 'chunk IHDR', `0x${view.getUint32(12).toString(16)}`)
  const [columns, rows] = [view.getUint32(16), view.getUint32(20)]
  const [channelBits, colour, interlace] = [octets[24]!, octets[25]!, octets[28]!]
  const channels = CHANNELS[colour]
  if (!channels || ![1, 2, 4, 8, 16].includes(channelBits) || (channels > 1 && channelBits < 8)) {
    corrupt(24, 'a PNG of grey, of three or of four channels', `colour type ${colour} with ${channelBits} bits`)
  }
  const depth = channels * channelBits
  if (depth > 32) throw new GribError('unsupported', 7, octetOf(24), 'a PNG of at most 32 bits a pixel', `${depth}`)
  if (interlace) throw new GribError('unsupported', 7, octetOf(28), 'a PNG without interlacing', `method ${interlace}`)
  const parts: [number, number][] = []
  let total = 0
  for (let at = 8; at + 12 <= octets.length; ) {
    const length = view.getUint32(at)
    const kind = view.getUint32(at + 4)
    if (length > octets.length - at - 12) {
      throw new GribError(
        'truncated',
        7,
        octetOf(at),
        `a chunk of ${length} octets`,
        `${octets.length - at - 12} up to the end`,
      )
    }
    if (kind === 0x49444154) {
      parts.push([at + 8, length])
      total += length
    }
    at += length + 12
    if (kind === 0x49454e44) break
  }
  if (total < 6) corrupt(8, 'chunks IDAT of at least 6 octets', total)
  return { columns, rows, depth, parts, total }
}

const FAULTS: Readonly<
  Record<number, (expected: number, actual: number) => readonly [expected: string, actual: string]>
> = {
  10: (expected, actual) => ['a deflate block of type 0, 1 or 2 with a right length', `${expected} and ${actual}`],
  11: (expected, actual) => ['a valid Huffman code in the deflate stream', `codes ${expected}, ${actual}`],
  12: (expected, actual) => [`a deflate distance of at most ${expected}`, `${actual}`],
  13: () => ['deflate data for every row of the PNG', 'the end of the data'],
  14: (expected, actual) => [`a PNG row filter from 0 to ${expected}`, `${actual}`],
}

function run({ packing, octets, base, out, input, streaming, raw }: UnpackTask): void {
  const { columns, rows, depth, parts, total } = readImage(octets)
  if (columns * rows !== packing.values) {
    corrupt(16, `${packing.values} pixels, one a value`, `${columns} × ${rows} = ${columns * rows}`)
  }
  // Some writers use a whole octet for values of 1 to 7 bits.
  const { bits } = packing
  if (depth < bits || Math.ceil(depth / 8) !== Math.ceil(bits / 8)) {
    corrupt(24, `pixels for the ${bits} bits a value of section 5`, `${depth} bits a pixel`)
  }
  const rowOctets = Math.ceil((columns * depth) / 8)
  if (rowOctets > LONGEST_ROW) {
    throw new GribError('unsupported', 7, octetOf(16), `PNG rows of at most ${LONGEST_ROW} octets`, `${rowOctets}`)
  }
  const capacity = WINDOW + rowOctets
  const window = allocateAt(input + total + 4 + PADDING, capacity + PADDING)
  const buffers = allocateAt(window + capacity + PADDING, 2 * rowOctets + 512)
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength)
  let to = input
  for (const [at, length] of parts) {
    copyIn(octets.subarray(at, at + length), to)
    // The CRC covers the chunk's name too.
    const crc = kernels.crc32(IDAT_CRC, to, length) >>> 0
    const expected = view.getUint32(at + length)
    if (crc !== expected) corrupt(at + length, `a chunk with CRC ${expected.toString(16)}`, crc.toString(16))
    to += length
  }
  const head = view.getUint16(parts[0]![0])
  if (parts[0]![1] < 2 || (head & 0x0f00) !== 0x0800 || head % 31 !== 0 || head & 0x20) {
    corrupt(parts[0]![0], 'a zlib header without a dictionary', `0x${head.toString(16)}`)
  }
  const code = kernels.unpackPng(
    input,
    total,
    columns,
    rows,
    depth,
    window,
    capacity,
    buffers,
    base,
    packing.quantum,
    out,
    streaming,
    raw ?? false,
  )
  const fault = FAULTS[code]
  if (fault) corrupt(parts[0]![0], ...fault(kernels.wanted.value, kernels.got.value))
}

/** Returns the octets of a pixel if pixels are whole octets and the PNG has the shape of the grid; otherwise undefined. */
export function pixelOctets(octets: Uint8Array, nx: number, ny: number): number | undefined {
  const { columns, rows, depth } = readImage(octets)
  return columns === nx && rows === ny && depth % 8 === 0 ? depth / 8 : undefined
}

/** Decodes data template 5.41. The pixels are read row by row, whatever the shape of the PNG. */
export const png: Unpacker = {
  run,
  // A row of the PNG may be as long as the whole field.
  streams: (packing) => PORTION + packing.values,
}
