import { gunzipSync } from 'node:zlib'
import { GribError, type Message, readMessages } from 'grib2-wasm'
import { Fault } from '../domain/fault.ts'
import type { Instant } from '../domain/time.ts'

/** One MRMS grid, with the samples as the file packs them. */
export interface MrmsGrid {
  /** Name in MRMS's table, or `var209-…` where the table has none. */
  readonly parameter: string
  readonly validTime: Instant
  readonly nx: number
  readonly ny: number
  /** Degrees of the first pixel's centre, and from pixel to pixel eastwards and southwards. */
  readonly north: number
  readonly west: number
  readonly dLat: number
  readonly dLon: number
  /** Bytes a sample, high byte first. */
  readonly each: 1 | 2
  /** Streams the samples, some whole rows at a time; a portion is valid during its call only. @throws Fault Corrupt */
  readonly read: (take: (rows: Uint8Array) => void) => void
  readonly meaning: (sample: number) => number
}

/** Limit of the unpacked size, far above any MRMS grid: bounds a decompression bomb. */
const MAX_BYTES = 256 * 1024 * 1024

/**
 * Reads one MRMS file (`.grib2` or `.grib2.gz`, one message). The samples of PNG-packed fields are passed on without unpacking; any other
 * packing is unpacked to numbers first. @throws Fault Corrupt
 */
export function readMrms(bytes: Uint8Array, source: string): MrmsGrid {
  return named(source, () => {
    const grib = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes
    const messages = [...readMessages(grib)]
    if (messages.length !== 1) throw new Fault('Corrupt', `${source}: wanted one message, got ${messages.length}`)
    return gridOf(messages[0]!, source)
  })
}

/** Adds the name of the file to a fault of its bytes. */
function named<T>(source: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (error instanceof Fault) throw error
    const reason = error instanceof GribError ? error.message : `wanted gzip and PNG, got: ${(error as Error).message}`
    throw new Fault('Corrupt', `${source}: ${reason}; fetch it again`, { source }, error)
  }
}

function gridOf(message: Message, source: string): MrmsGrid {
  const { grid, product } = message
  if (grid.template !== 0 || grid.scan !== 0) {
    const got = `template 3.${grid.template}, scanning ${grid.scan}`
    throw new Fault('Corrupt', `${source}: wanted a latitude-longitude grid from the north-west, got ${got}`)
  }
  const { nx, ny } = grid
  const [north, west] = grid.toLatLon(0, 0)
  const [south] = grid.toLatLon(0, ny - 1)
  const { lonStep } = grid.numbers as { lonStep: number }
  return {
    parameter: product.name,
    validTime: (product.end ?? product.referenceTime).getTime(),
    nx,
    ny,
    north: rounded(north),
    west: rounded(west),
    dLat: rounded((north - south) / (ny - 1)),
    dLon: rounded(lonStep),
    ...(pictureRows(message, source) ?? numberRows(message)),
  }
}

const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

type Rows = Pick<MrmsGrid, 'read' | 'each' | 'meaning'>

/** The samples of a PNG whose pixels are whole bytes, one a grid point; undefined where the message is packed otherwise. */
function pictureRows(message: Message, source: string): Rows | undefined {
  const { packing } = message
  const samples = message.samples()
  // Three-byte samples (-999 beside hundredths) span too much for two bytes: `numberRows` moves the sentinels closer.
  if (samples?.octets !== 1 && samples?.octets !== 2) return undefined
  const factor = 2 ** packing.binaryScale / 10 ** packing.decimalScale
  const reference = packing.reference / 10 ** packing.decimalScale
  return {
    each: samples.octets,
    read: (take) => named(source, () => samples.read(take)),
    meaning: (sample) => reference + sample * factor,
  }
}

/** Samples of two bytes for any other packing: steps of the packing, with the sentinels far below the values moved to just below them. */
function numberRows(message: Message): Rows {
  const { packing } = message
  const values = message.decode()
  const steps = 10 ** packing.decimalScale / 2 ** packing.binaryScale
  let most = Number.NEGATIVE_INFINITY
  for (const value of values) if (value > most) most = value
  const top = Math.round(most * steps)
  // The upper 60,000 steps are unchanged; below them lie only sentinels, and each gets a sample of its own.
  const floor = top - 60_000
  const far: number[] = [Number.NaN]
  const octets = new Uint8Array(2 * values.length)
  let last = Number.NaN
  let sample = 0
  for (let k = 0; k < values.length; k++) {
    const value = values[k]!
    // Neighbouring values are mostly equal, so the last result is reused.
    if (value !== last) {
      last = value
      const step = Math.round(value * steps)
      sample = step - floor + 1000
      if (!(step >= floor)) {
        sample = Number.isNaN(step) ? 0 : far.indexOf(step)
        if (sample < 0) sample = Math.min(far.push(step) - 1, 999)
      }
    }
    octets[2 * k] = sample >> 8
    octets[2 * k + 1] = sample & 255
  }
  const meaning = (sample: number) =>
    sample === 0 ? -999 : (sample < 1000 ? far[sample]! : sample - 1000 + floor) / steps
  return { each: 2, read: (take) => take(octets), meaning }
}
