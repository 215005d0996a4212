import { crc32 } from 'node:zlib'
import { Fault } from '../domain/fault.ts'
import type { Instant } from '../domain/time.ts'

/** What one satellite contributes to the window. */
export interface SatelliteShare {
  readonly id: string
  readonly subpoint: number
  /** south, north, west, east. */
  readonly bounds: readonly [number, number, number, number]
  /** Start time of every file in the window, ascending, without unreadable files. */
  readonly granules: readonly Instant[]
  readonly rejected: readonly Instant[]
}

export interface FlashHead {
  /** The window's end: the newest time that any satellite has covered. */
  readonly end: Instant
  readonly minutes: number
  readonly satellites: readonly SatelliteShare[]
  readonly flashes: number
}

/** Flashes of good quality in the window; flashes that both satellites saw are merged. */
export interface Flashes {
  readonly head: FlashHead
  /** Seconds before the window's end. */
  readonly age: Float32Array
  readonly lat: Float32Array
  readonly lon: Float32Array
  /** Index of the satellite in the head. */
  readonly satellite: Uint8Array
}

const MAGIC = 0x31464648
const PROLOGUE = 16

/**
 * Magic `HFF1`, length of the head, CRC-32 of everything after it, 0; head as JSON padded to 4; ages, latitudes, longitudes, satellites.
 */
export function writeFlashes({ head, age, lat, lon, satellite }: Flashes): Uint8Array {
  const text = Buffer.from(JSON.stringify(head))
  const length = (text.length + 3) & ~3
  const bytes = new Uint8Array(PROLOGUE + length + 13 * head.flashes)
  bytes.fill(0x20, PROLOGUE, PROLOGUE + length)
  bytes.set(text, PROLOGUE)
  let at = PROLOGUE + length
  for (const column of [age, lat, lon]) {
    bytes.set(new Uint8Array(column.buffer, column.byteOffset, column.byteLength), at)
    at += column.byteLength
  }
  bytes.set(satellite, at)
  const view = new DataView(bytes.buffer)
  view.setUint32(0, MAGIC, true)
  view.setUint32(4, length, true)
  view.setUint32(8, crc32(bytes.subarray(PROLOGUE)), true)
  return bytes
}

/** @throws Fault Corrupt */
export function readFlashes(bytes: Uint8Array, key: string): Flashes {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const sound =
    bytes.length >= PROLOGUE &&
    view.getUint32(0, true) === MAGIC &&
    crc32(bytes.subarray(PROLOGUE)) === view.getUint32(8, true)
  if (!sound)
    throw new Fault('Corrupt', `flashes ${key}: the stored bytes are damaged. The next sweep replaces them.`, { key })
  const length = view.getUint32(4, true)
  const head = JSON.parse(Buffer.from(bytes.subarray(PROLOGUE, PROLOGUE + length)).toString()) as FlashHead
  const count = head.flashes
  const start = PROLOGUE + length
  // Copies, because a Buffer's own slice shares its memory, which may be unaligned.
  const copy = (from: number, to: number) => Uint8Array.from(bytes.subarray(start + from, start + to))
  const column = (k: number) => new Float32Array(copy(4 * count * k, 4 * count * (k + 1)).buffer)
  return { head, age: column(0), lat: column(1), lon: column(2), satellite: copy(12 * count, 13 * count) }
}
