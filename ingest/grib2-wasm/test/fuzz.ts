/**
 * Seeded mutations of real and made messages: truncations, flipped bits in every section, absurd sizes. Each case has to
 * end within 2 s, in values or in a `GribError`. `node test/fuzz.ts [SEED]` goes on until it is stopped.
 */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { GribError, readMessages } from '../src/index.ts'
import { craft, craftPng, craftSimple, scales } from './craft.ts'
import { withPpm } from './jpeg2000-markers.ts'
import streams from './jpeg2000-streams.json' with { type: 'json' }
import { encoded } from './openjpeg.ts'

interface Seed {
  readonly name: string
  readonly octets: Uint8Array
  /** Relative frequency of the mutation; expensive mutations are rare. */
  readonly weight: number
}

const fixtures = fileURLToPath(new URL('../../../../shared/fixtures/binary/', import.meta.url))

/** Fixtures, with the maximum number of octets (the first messages of a long file) and a relative frequency. */
const REAL: readonly (readonly [file: string, octets: number, weight: number])[] = [
  ['other_us/nam.t00z.awp21100.tm00.grib2', 60_000, 60],
  ['gfs/nomads-crop-20260729t18z-f000.grib2', 5_000, 60],
  ['gfs/nomads_subset_f003.grib2', 30_000, 40],
  ['other_us/aqm.t12z.ave_1hr_o3-HI-mercator.grib2', 40_000, 40],
  ['other_us/s2s-pdt9-pdt10-pdt12.grib2', 2_200, 10],
  ['edge/scanning_mode_with_bitmap.grib2', 200, 20],
  ['edge/eccodes_jpeg.grib2', 41_000, 15],
  ['gfs/cfstmpk.grib2', 33_000, 15],
  ['gfs/gdas.t00z.pgrb2.1p00.f000.grib2', 160_000, 10],
  ['ndfd/ds.waveh.5.grib', 260_000, 5],
  ['ndfd/ds.critfireo.bin', 300_000, 5],
  ['edge/ecmwf_ccsds_20250912120000-0h-oper-fc.89.grib2', 800_000, 10],
  ['mrms/GUAM_MRMS_MultiSensor_QPE_01H_Pass1_00.00_20220601-120000.grib2.gz', 60_000, 5],
  ['other_us/st4_conus.2022081004.01h.grb2', 240_000, 4],
]

/** mulberry32, a small generator with a seed, which is sufficient to choose octets. */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

export function seeds(): Seed[] {
  const samples = Array.from({ length: 40 * 30 }, (_, k) => Math.round(100 + 99 * Math.sin(k / 17) * Math.cos(k / 130)))
  const bitmap = Array.from({ length: 150 }, (_, k) => (k % 3 ? 0xff : 0))
  const list: Seed[] = [
    { name: 'simple', octets: craftSimple(40, 30, samples, 9), weight: 20 },
    { name: 'bitmap', octets: craftSimple(40, 30, samples.slice(0, 800), 9, { bitmap }), weight: 20 },
    { name: 'alternating', octets: craftSimple(40, 30, samples, 13, { scan: 0x50 }), weight: 10 },
    ...[1, 4, 8, 16, 24, 32].map((bits) => {
      const values = samples.map((value) => value % 2 ** Math.min(bits, 16))
      return { name: `png ${bits}`, octets: craftPng([40, 30], values, bits), weight: 10 }
    }),
    ...[true, false].map((lossless) => ({
      name: `JPEG 2000, ${lossless ? '5/3' : '9/7'}`,
      octets: jpeg2000(Uint16Array.from(samples), lossless),
      weight: 20,
    })),
    // Layers, every code-block style, regions of interest, progression changes, tile-parts, packed headers.
    ...streams.slice(0, 24).map(({ stream, options }, k) => {
      const octets = Buffer.from(stream, 'base64')
      const packed = options.includes('-SOP') && options.includes('-EPH')
      return { name: `JPEG 2000 ${k}`, octets: wrapped(packed ? withPpm(octets) : octets), weight: 3 }
    }),
  ]
  for (const [file, length, weight] of REAL) {
    if (!existsSync(fixtures + file)) continue
    const raw = readFileSync(fixtures + file)
    const octets = file.endsWith('.gz') ? gunzipSync(raw) : raw
    let end = 0
    for (const { offset, byteLength } of readMessages(octets))
      if (offset + byteLength <= length) end = offset + byteLength
    list.push({ name: file, octets: octets.subarray(0, end), weight })
  }
  return list
}

/** Returns a message around a codestream; its size is that of SIZ. */
function wrapped(data: Uint8Array): Uint8Array {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const [nx, ny] = [view.getUint32(8) - view.getUint32(16), view.getUint32(12) - view.getUint32(20)]
  return craft({ nx, ny, packing: [0, 40, ...scales(0, 0, 0), 16, 0, 0, 255], values: nx * ny, data })
}

/** 40 × 30 samples in tiles with several precincts each, in order of position. */
function jpeg2000(values: Uint16Array, lossless: boolean): Uint8Array {
  const frame = { width: 40, height: 30, bitsPerSample: 12, componentCount: 1, isSigned: false }
  const data = encoded(frame, values, (encoder) => {
    encoder.setQuality(lossless, lossless ? 0 : 4)
    encoder.setDecompositions(2)
    encoder.setTileSize({ width: 32, height: 32 })
    encoder.setBlockDimensions({ width: 8, height: 8 })
    encoder.setNumPrecincts(1)
    encoder.setPrecinct(0, { width: 16, height: 16 })
    encoder.setProgressionOrder(3)
  })
  return craft({ nx: 40, ny: 30, packing: [0, 40, ...scales(0, 0, 0), 12, 0, 0, 255], values: 1200, data })
}

/** Offsets of the sections of the first messages, so that mutations reach every section. */
function sections(octets: Uint8Array): number[] {
  const view = new DataView(octets.buffer, octets.byteOffset, octets.byteLength)
  const starts = [0]
  for (let at = 16; at + 5 <= octets.length && starts.length < 40; ) {
    starts.push(at)
    const length = view.getUint32(at)
    if (length < 5 || length === 0x37373737) break
    at += length
  }
  return starts
}

const ABSURD = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 65535 * 2 ** 16, 1 << 26]

/** One to four changes: bits flipped, octets set, absurd numbers written, parts cut out, doubled or dropped at the end. */
function mutate(original: Uint8Array, next: () => number): Uint8Array {
  let octets = new Uint8Array(original)
  const starts = sections(original)
  const below = (limit: number) => Math.floor(next() * limit)
  for (let changes = next() < 0.7 ? 1 : 1 + below(4); changes > 0; changes--) {
    const start = starts[below(starts.length)]!
    // Most changes are in the heads of sections, whose numbers determine everything else.
    const at = Math.min(octets.length - 1, next() < 0.5 ? start + below(72) : below(octets.length))
    const kind = next()
    if (kind < 0.45) octets[at]! ^= 1 << below(8)
    else if (kind < 0.65) octets[at] = below(256)
    else if (kind < 0.85) {
      const value = ABSURD[below(ABSURD.length)]!
      const width = [1, 2, 4][below(3)]!
      for (let k = 0; k < width && at + k < octets.length; k++)
        octets[at + k] = Math.floor(value / 256 ** (width - 1 - k)) & 255
    } else if (kind < 0.92) octets = octets.slice(0, at + 1)
    else if (kind < 0.96) {
      octets.copyWithin(at, at + below(32))
    } else {
      const length = below(64)
      octets = Uint8Array.from(
        [...octets.subarray(0, at), ...octets.subarray(at, at + length), ...octets.subarray(at)].slice(0, 300_000),
      )
    }
    if (octets.length === 0) return octets
  }
  return octets
}

export interface Tally {
  cases: number
  values: number
  faults: number
  slowest: number
  peak: number
}

/** A forbidden failure, with the data to reproduce it. */
export class Broken extends Error {}

/** Reads everything that can be read of mutated octets. */
function readAll(octets: Uint8Array): number {
  let values = 0
  for (const message of readMessages(octets)) {
    const { product, grid, packing } = message
    if (product.name === '' || packing.template < 0) throw new Broken('a field without a name')
    const field = message.values()
    if (field.length !== grid.points) throw new Broken(`expected ${grid.points} values, but found ${field.length}`)
    values += field.length
    const [lat, lon] = grid.toLatLon(0, 0)
    grid.toIndex(lat, lon)
    grid.windRotation(grid.nx - 1, grid.ny - 1)
  }
  return values
}

/**
 * Runs one case.
 * @throws Broken if the result is anything but values or a complete `GribError`, or if it takes too long
 */
export function checkSeed(seed: number, list: readonly Seed[], tally: Tally): void {
  const next = random(seed)
  let ticket = next() * list.reduce((sum, { weight }) => sum + weight, 0)
  const chosen = list.find(({ weight }) => (ticket -= weight) < 0) ?? list[0]
  const octets = mutate(chosen!.octets, next)
  const from = performance.now()
  try {
    tally.values += readAll(octets)
  } catch (cause) {
    const isDescribed =
      cause instanceof GribError &&
      cause.section >= 0 &&
      cause.octet > 0 &&
      cause.expected !== '' &&
      cause.actual !== ''
    if (!isDescribed) throw new Broken(`seed ${seed} (${chosen!.name}): ${(cause as Error).stack}`)
    tally.faults++
  }
  const took = performance.now() - from
  tally.cases++
  tally.slowest = Math.max(tally.slowest, took)
  if (took > 2000)
    throw new Broken(`seed ${seed} (${chosen!.name}): expected an end within 2 s, but found ${took.toFixed(0)} ms`)
  if (tally.cases % 16 === 0) {
    tally.peak = Math.max(tally.peak, process.memoryUsage.rss())
    if (tally.peak > 2 ** 30)
      throw new Broken(`seed ${seed} (${chosen!.name}): expected under 1 GB, but found ${tally.peak} octets`)
  }
}

export function fresh(): Tally {
  return { cases: 0, values: 0, faults: 0, slowest: 0, peak: 0 }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const first = Number(process.argv[2] ?? 1)
  const list = seeds()
  const tally = fresh()
  console.log(`mutating ${list.length} messages from seed ${first} on; stop with Ctrl-C`)
  for (let seed = first; ; seed++) {
    checkSeed(seed, list, tally)
    if (tally.cases % 5000 === 0) {
      const { cases, faults, slowest, peak } = tally
      console.log(
        `${cases} cases, ${faults} faults, slowest ${slowest.toFixed(0)} ms, peak ${(peak / 2 ** 20).toFixed(0)} MB`,
      )
    }
  }
}
