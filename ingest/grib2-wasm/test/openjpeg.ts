import { createRequire } from 'node:module'

export interface Encoder {
  getDecodedBuffer(frame: Frame): Uint8Array
  getEncodedBuffer(): Uint8Array
  setQuality(lossless: boolean, rate: number): void
  setDecompositions(count: number): void
  setProgressionOrder(order: number): void
  setTileSize(size: Size): void
  setBlockDimensions(size: Size): void
  setNumPrecincts(count: number): void
  setPrecinct(index: number, size: Size): void
  encode(): void
  delete(): void
}

interface Decoder {
  getEncodedBuffer(octets: number): Uint8Array
  getDecodedBuffer(): Uint8Array
  getIsReversible(): boolean
  getFrameInfo(): Frame
  decode(): void
  delete(): void
}

interface Frame {
  readonly width: number
  readonly height: number
  readonly bitsPerSample: number
  readonly componentCount: number
  readonly isSigned: boolean
}
type Size = { readonly width: number; readonly height: number }

/** OpenJPEG, compiled to WebAssembly. It writes codestreams, and its decoded values are the reference. */
const load: (options: object) => Promise<{ J2KEncoder: new () => Encoder; J2KDecoder: new () => Decoder }> =
  createRequire(import.meta.url)('@cornerstonejs/codec-openjpeg/wasmjs')
const openjpeg = await load({ print: () => {}, printErr: () => {} })

/** Returns a JPEG 2000 codestream of 16-bit words with the settings of `set`. */
export function encoded(frame: Frame, values: Uint16Array, set: (encoder: Encoder) => void): Uint8Array {
  const encoder = new openjpeg.J2KEncoder()
  try {
    encoder.getDecodedBuffer(frame).set(new Uint8Array(values.buffer))
    set(encoder)
    encoder.encode()
    return encoder.getEncodedBuffer().slice()
  } finally {
    encoder.delete()
  }
}

/** Decodes a codestream with OpenJPEG. */
export function read(stream: Uint8Array): {
  readonly values: Uint16Array | Uint8Array
  readonly frame: Frame
  readonly reversible: boolean
} {
  const decoder = new openjpeg.J2KDecoder()
  try {
    decoder.getEncodedBuffer(stream.length).set(stream)
    decoder.decode()
    const frame = decoder.getFrameInfo()
    const octets = decoder.getDecodedBuffer().slice()
    return {
      values: frame.bitsPerSample > 8 ? new Uint16Array(octets.buffer) : octets,
      frame,
      reversible: decoder.getIsReversible(),
    }
  } finally {
    decoder.delete()
  }
}
