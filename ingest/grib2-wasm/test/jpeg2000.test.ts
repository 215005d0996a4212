import { describe, expect, test } from 'vitest'
import { GribError, readMessages } from '../src/index.ts'
import { craft, scales } from './craft.ts'
import { withComponentMarkers, withPpm, withPpt } from './jpeg2000-markers.ts'
import streams from './jpeg2000-streams.json' with { type: 'json' }
import { type Encoder, encoded, read } from './openjpeg.ts'

const [NX, NY] = [131, 97]

function samples(bits: number, count: number): Uint16Array {
  const most = 2 ** bits - 1
  return Uint16Array.from({ length: count }, (_, k) => {
    const [x, y] = [k % NX, Math.floor(k / NX)]
    const wave = Math.sin(x / 13) * Math.cos(y / 9) + 0.05 * Math.sin(k * k)
    return Math.round(Math.max(0, Math.min(1, (wave + 1) / 2)) * most)
  })
}

function message(data: Uint8Array, nx: number, ny: number): Uint8Array {
  return craft({ nx, ny, packing: [0, 40, ...scales(0, 0, 0), 16, 0, 0, 255], values: nx * ny, data })
}

function field(octets: Uint8Array): Float32Array {
  const [message] = [...readMessages(octets)]
  const values = message!.values()
  // Decoding in place uses another path for the last level of the wavelet.
  expect(differing(message!.decode(), values)).toEqual([])
  return values
}

/** The first indexes at which two fields differ. */
function differing(actual: ArrayLike<number>, expected: ArrayLike<number>): number[] {
  expect(actual.length).toBe(expected.length)
  const indexes: number[] = []
  for (let k = 0; k < actual.length && indexes.length < 5; k++) if (actual[k] !== expected[k]) indexes.push(k)
  return indexes
}

function expectSame(bits: number, lossless: boolean, set: (encoder: Encoder) => void, nx = NX, ny = NY): void {
  const frame = { width: nx, height: ny, bitsPerSample: bits, componentCount: 1, isSigned: false }
  const values = samples(bits, nx * ny)
  const stream = encoded(frame, values, (encoder) => {
    encoder.setQuality(lossless, lossless ? 0 : 6)
    set(encoder)
  })
  const expected = read(stream)
  expect(expected.reversible).toBe(lossless)
  expect(differing(field(message(stream, nx, ny)), expected.values)).toEqual([])
  if (lossless) expect(differing(expected.values, values)).toEqual([])
}

const SETTINGS: readonly (readonly [name: string, set: (encoder: Encoder) => void])[] = [
  ['plain', () => {}],
  ['no decomposition', (encoder) => encoder.setDecompositions(0)],
  ['one decomposition', (encoder) => encoder.setDecompositions(1)],
  ['small code blocks', (encoder) => encoder.setBlockDimensions({ width: 16, height: 16 })],
  ['flat code blocks', (encoder) => encoder.setBlockDimensions({ width: 256, height: 4 })],
  ['tiles', (encoder) => encoder.setTileSize({ width: 64, height: 50 })],
]

/** Precincts of 64 × 64, and 32 × 32 below: several to each resolution. */
function precincts(encoder: Encoder): void {
  encoder.setBlockDimensions({ width: 16, height: 16 })
  encoder.setNumPrecincts(2)
  encoder.setPrecinct(0, { width: 64, height: 64 })
  encoder.setPrecinct(1, { width: 32, height: 32 })
}

describe.each([
  ['5/3 without loss', true],
  ['9/7 with loss', false],
] as const)('JPEG 2000 (5.40), %s: every sample equals that of OpenJPEG', (_name, lossless) => {
  test.each(SETTINGS)('%s', (_name, set) => {
    for (const bits of [9, 12, 16]) expectSame(bits, lossless, set)
  })

  test.each([0, 1, 2, 3, 4])('progression order %i over several precincts', (progression) => {
    expectSame(12, lossless, (encoder) => {
      precincts(encoder)
      encoder.setProgressionOrder(progression)
    })
  })

  test.each([
    [3, 40],
    [40, 2],
    [2, 2],
    [17, 5],
  ])('%i × %i', (nx, ny) => {
    expectSame(12, lossless, (encoder) => encoder.setDecompositions(1), nx, ny)
  })
})

test.each([
  [1024, 4, 2100, 21],
  [4, 1024, 21, 2100],
])('reads code blocks of %i × %i, the longest possible', (width, height, nx, ny) => {
  for (const lossless of [true, false]) {
    expectSame(
      12,
      lossless,
      (encoder) => {
        encoder.setDecompositions(1)
        encoder.setBlockDimensions({ width, height })
      },
      nx,
      ny,
    )
  }
})

test('derives steps from that of LL as if they were written out', () => {
  const frame = { width: NX, height: NY, bitsPerSample: 12, componentCount: 1, isSigned: false }
  const stream = encoded(frame, samples(12, NX * NY), (encoder) => {
    encoder.setQuality(false, 6)
    encoder.setDecompositions(3)
  })
  const at = stream.findIndex((octet, k) => octet === 0xff && stream[k + 1] === 0x5c)
  const length = stream[at + 2]! * 256 + stream[at + 3]!
  expect([length, stream[at + 4]! & 31]).toEqual([2 + 1 + 2 * 10, 2])
  const first = (stream[at + 5]! << 8) | stream[at + 6]!
  const head = stream.subarray(0, at)
  const tail = stream.subarray(at + 2 + length)
  // Table A.30, style 1: one step; E-5: an exponent less for each level above the coarsest.
  const derived = Buffer.concat([
    head,
    Buffer.from([0xff, 0x5c, 0, 5, (stream[at + 4]! & 0xe0) | 1, first >> 8, first & 255]),
    tail,
  ])
  const exponent = (k: number) => (first >> 11) - Math.max(0, Math.ceil(k / 3) - 1)
  const steps = Array.from({ length: 10 }, (_, k) => (exponent(k) << 11) | (first & 2047))
  const written = Buffer.concat([
    stream.subarray(0, at + 5),
    Buffer.from(steps.flatMap((step) => [step >> 8, step & 255])),
    tail,
  ])
  const actual = field(message(derived, NX, NY))
  expect(differing(actual, field(message(written, NX, NY)))).toEqual([])
  expect(differing(actual, read(derived).values)).toEqual([])
})

test('rejects several components', () => {
  const frame = { width: 8, height: 8, bitsPerSample: 8, componentCount: 3, isSigned: false }
  const stream = encoded(frame, new Uint16Array(96), (encoder) => encoder.setDecompositions(1))
  const refused = () => field(message(stream, 8, 8))
  expect(refused).toThrow(GribError)
  expect(refused).toThrow('expected one component, but found 3')
})

/** Small streams of opj_compress 2.5: layers, all code-block styles, POC, RGN, tile-parts, offsets, SOP, EPH. */
test.each(streams.map(({ options, stream }) => [options, Buffer.from(stream, 'base64')] as const))(
  'opj_compress %s',
  (_options, stream) => {
    const { values, frame } = read(stream)
    expect(differing(field(message(stream, frame.width, frame.height)), values)).toEqual([])
  },
)

const marked = streams.filter(({ options }) => options.includes('-SOP') && options.includes('-EPH'))

describe.each(marked.map(({ options, stream }) => [options, Buffer.from(stream, 'base64')] as const))(
  'markers that OpenJPEG reads and does not write, from %s',
  (_options, stream) => {
    test.each([
      ['packet headers in the main header (PPM)', withPpm],
      ['packet headers in tile-part headers (PPT)', withPpt],
      ['COC and QCC in the main header', (octets: Uint8Array) => withComponentMarkers(octets, 'main')],
      ['COC and QCC in the tile headers', (octets: Uint8Array) => withComponentMarkers(octets, 'tile')],
    ])('%s', (_markers, rewrite) => {
      const { values, frame } = read(stream)
      const rewritten = rewrite(stream)
      expect(differing(read(rewritten).values, values)).toEqual([])
      expect(differing(field(message(rewritten, frame.width, frame.height)), values)).toEqual([])
    })
  },
)

test('rejects only the message with an unreadable stream, and reads the next', () => {
  const [first, second] = streams.slice(0, 2).map(({ stream }) => Buffer.from(stream, 'base64'))
  const good = read(second!)
  const broken = Buffer.from(first!)
  // The style of code blocks asks for HTJ2K.
  broken[broken.indexOf(Buffer.from([0xff, 0x52])) + 12]! |= 0x40
  const { width, height } = read(first!).frame
  const file = Buffer.concat([message(broken, width, height), message(second!, good.frame.width, good.frame.height)])
  const [firstMessage, two] = [...readMessages(file)]
  expect(() => firstMessage!.values()).toThrow(
    /expected code blocks of JPEG 2000 part 1 \(not HTJ2K\), but found style/,
  )
  expect(differing(two!.values(), good.values)).toEqual([])
})
