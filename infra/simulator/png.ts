import { crc32, deflateSync } from 'node:zlib'
import { Octets } from './octets.ts'

/** Encodes a PNG of grey samples with 8 or 16 bits, or with 24 bits as red, green and blue. */
export function png(samples: Uint32Array, width: number, height: number, bits: 8 | 16 | 24): Uint8Array {
  const sampleBytes = bits / 8
  const rowBytes = width * sampleBytes + 1
  const raw = new Uint8Array(rowBytes * height)
  for (let j = 0, k = 0; j < height; j++) {
    let at = j * rowBytes
    raw[at++] = 0
    for (let i = 0; i < width; i++, k++)
      for (let b = sampleBytes - 1; b >= 0; b--) raw[at++] = (samples[k]! >>> (8 * b)) & 255
  }
  const chunk = (type: string, body: Uint8Array) => {
    const typeAndBody = Buffer.concat([Buffer.from(type), body])
    return new Octets().u32(body.length).bytes(typeAndBody).u32(crc32(typeAndBody)).done()
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
