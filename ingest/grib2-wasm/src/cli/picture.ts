import { deflateSync } from 'node:zlib'
import type { Message } from '../message.ts'

const WIDEST = 1600

/** Colour stops from dark blue to yellow with evenly increasing lightness; colours between them are interpolated. */
const STOPS = [
  [48, 18, 59],
  [65, 90, 200],
  [45, 160, 230],
  [40, 200, 150],
  [150, 230, 70],
  [245, 200, 50],
  [235, 100, 30],
  [130, 10, 10],
]

function colour(share: number): readonly [red: number, green: number, blue: number] {
  const position = share * (STOPS.length - 1)
  const low = Math.min(STOPS.length - 2, Math.floor(position))
  const part = position - low
  const mixed = STOPS[low]!.map((from, k) => Math.round(from + part * (STOPS[low + 1]![k]! - from)))
  return [mixed[0]!, mixed[1]!, mixed[2]!]
}

const CRC = Uint32Array.from({ length: 256 }, (_, octet) => {
  let crc = octet
  for (let k = 0; k < 8; k++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  return crc
})

/** This function replaces the one of `node:zlib`, which exists only since Node 22.2. */
function crc32(octets: Uint8Array): number {
  let crc = 0xffffffff
  for (const octet of octets) crc = (crc >>> 8) ^ CRC[(crc ^ octet) & 255]!
  return ~crc >>> 0
}

function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(data.length, 0)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), body.length + 4)
  return chunk
}

/** Returns a picture of a field as PNG octets: every nth point, with north at the top, and missing points transparent. */
export function picture(message: Message): Uint8Array {
  const { nx, ny, scan } = message.grid
  const values = message.decode()
  const every = Math.max(1, Math.ceil(Math.max(nx, ny) / WIDEST))
  const [width, height] = [Math.ceil(nx / every), Math.ceil(ny / every)]
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value < min) min = value
    if (value > max) max = value
  }
  const span = max > min ? max - min : 1
  const pixels = Buffer.alloc(height * (width * 4 + 1))
  for (let y = 0; y < height; y++) {
    const j = scan & 0x40 ? ny - 1 - y * every : y * every
    for (let x = 0; x < width; x++) {
      const i = scan & 0x80 ? nx - 1 - x * every : x * every
      const value = values[j * nx + i]!
      if (Number.isNaN(value)) continue
      const at = y * (width * 4 + 1) + 1 + x * 4
      const [red, green, blue] = colour((value - min) / span)
      pixels[at] = red
      pixels[at + 1] = green
      pixels[at + 2] = blue
      pixels[at + 3] = 255
    }
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([8, 6, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(pixels)),
    chunk('IEND', new Uint8Array()),
  ])
}
