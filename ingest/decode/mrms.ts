import { gunzipSync, inflateSync } from 'node:zlib'
import { GribError, type Message, readMessages } from 'grib2-wasm'
import { Fault } from '../domain/fault.ts'
import type { Instant } from '../domain/time.ts'

/** One MRMS grid, decoded as far as whole octets go: its samples are still those of the file. */
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
  /** Rows as PNG keeps them: a filter octet, then samples of `each` octets, the high one first. */
  readonly octets: Uint8Array
  readonly each: 1 | 2
  readonly meaning: (sample: number) => number
}

/** Larger than any MRMS grid by far: what a bomb may cost. */
const MOST_OCTETS = 256 * 1024 * 1024

/**
 * Reads one MRMS file (`.grib2` or `.grib2.gz`, one message). PNG-packed fields are only inflated; any other packing goes through
 * its numbers. @throws Fault Corrupt
 */
export function readMrms(bytes: Uint8Array, source: string): MrmsGrid {
  try {
    const grib = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes, { maxOutputLength: MOST_OCTETS }) : bytes
    const messages = [...readMessages(grib)]
    if (messages.length !== 1) throw new Fault('Corrupt', `${source}: wanted one message, got ${messages.length}`)
    return gridOf(messages[0]!, source)
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

type Rows = Pick<MrmsGrid, 'octets' | 'each' | 'meaning'>

const IHDR = 0x49484452
const IDAT = 0x49444154

/** The rows of a PNG whose pixels are whole octets, one a grid point; undefined where the message is packed otherwise. */
function pictureRows(message: Message, source: string): Rows | undefined {
  const { packing, grid } = message
  const bitmap = message.section(6)?.[5]
  if (packing.template !== 41 || bitmap !== 255) return undefined
  const png = message.section(7)!.subarray(5)
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength)
  const parts: Uint8Array[] = []
  let header: { width: number; height: number; depth: number; colour: number; interlace: number } | undefined
  for (let at = 8; at + 12 <= png.length; ) {
    const length = view.getUint32(at)
    const kind = view.getUint32(at + 4)
    if (at + 12 + length > png.length) throw new Fault('Corrupt', `${source}: wanted a whole PNG chunk, it ends early`)
    if (kind === IHDR) {
      header = {
        width: view.getUint32(at + 8),
        height: view.getUint32(at + 12),
        depth: png[at + 16]!,
        colour: png[at + 17]!,
        interlace: png[at + 20]!,
      }
    }
    if (kind === IDAT) parts.push(png.subarray(at + 8, at + 8 + length))
    at += 12 + length
  }
  if (!header || header.width !== grid.nx || header.height !== grid.ny || header.interlace !== 0) return undefined
  const each =
    header.colour === 2 && header.depth === 8 ? 3 : header.colour === 0 && header.depth >= 8 ? header.depth / 8 : 0
  // Three octets hold -999 beside hundredths: their span is brought into two by the other way.
  if (each !== 1 && each !== 2) return undefined
  const size = grid.ny * (grid.nx * each + 1)
  if (size > MOST_OCTETS)
    throw new Fault('Corrupt', `${source}: wanted a grid below ${MOST_OCTETS} octets, got ${size}`)
  const octets = inflateSync(Buffer.concat(parts), { chunkSize: size + 64, maxOutputLength: size + 64 })
  const factor = 2 ** packing.binaryScale / 10 ** packing.decimalScale
  const reference = packing.reference / 10 ** packing.decimalScale
  return { octets, each, meaning: (sample) => reference + sample * factor }
}

/** Samples of two octets for any other packing: steps of the packing, the sentinels that lie far below moved up against the values. */
function numberRows(message: Message): Rows {
  const { grid, packing } = message
  const values = message.decode()
  const steps = 10 ** packing.decimalScale / 2 ** packing.binaryScale
  let most = Number.NEGATIVE_INFINITY
  for (const value of values) if (value > most) most = value
  const top = Math.round(most * steps)
  // The upper 60,000 steps as they are; below them only sentinels, each with a sample of its own.
  const floor = top - 60_000
  const far: number[] = [Number.NaN]
  const octets = new Uint8Array(grid.ny * (grid.nx * 2 + 1))
  for (let j = 0, k = 0, at = 0; j < grid.ny; j++) {
    at++
    for (let i = 0; i < grid.nx; i++, k++) {
      const step = Math.round(values[k]! * steps)
      let sample = step - floor + 1000
      if (!(step >= floor)) {
        sample = Number.isNaN(step) ? 0 : far.indexOf(step)
        if (sample < 0) sample = Math.min(far.push(step) - 1, 999)
      }
      octets[at++] = sample >> 8
      octets[at++] = sample & 255
    }
  }
  const meaning = (sample: number) =>
    sample === 0 ? -999 : (sample < 1000 ? far[sample]! : sample - 1000 + floor) / steps
  return { octets, each: 2, meaning }
}
