import { deflateSync } from 'node:zlib'
import { Octets } from './octets.ts'

const CRC = Int32Array.from({ length: 256 }, (_, i) => {
  let c = i
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1
  return c
})

function crc32(bytes: Uint8Array): number {
  let c = -1
  for (const byte of bytes) c = CRC[(c ^ byte) & 255] ^ (c >>> 8)
  return (c ^ -1) >>> 0
}

/** A PNG of grey samples of 8 or 16 bits, or of 24 bits as red, green, blue. */
export function png(samples: Uint32Array, width: number, height: number, bits: 8 | 16 | 24): Uint8Array {
  const each = bits / 8
  const row = width * each + 1
  const raw = new Uint8Array(row * height)
  for (let j = 0, k = 0; j < height; j++) {
    let at = j * row
    raw[at++] = 0
    for (let i = 0; i < width; i++, k++) for (let b = each - 1; b >= 0; b--) raw[at++] = (samples[k] >>> (8 * b)) & 255
  }
  const chunk = (type: string, body: Uint8Array) => {
    const named = Buffer.concat([Buffer.from(type), body])
    return new Octets().u32(body.length).bytes(named).u32(crc32(named)).done()
  }
  const header = new Octets()
    .u32(width)
    .u32(height)
    .u8(bits === 16 ? 16 : 8, bits === 24 ? 2 : 0, 0, 0, 0)
    .done()
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw, { level: 1 })),
    chunk('IEND', new Uint8Array()),
  ])
}
