import { crc32 } from 'node:zlib'
import type { DomainId } from '../domain/domain.ts'
import { Fault } from '../domain/fault.ts'
import type { Instant } from '../domain/time.ts'
import type { FrameGrid } from './frame.ts'

/** Echo motion at nodes over a frame; see ingest/nowcast/motion.ts. */
export interface MotionNodes {
  readonly nx: number
  readonly ny: number
  readonly spacing: number
  /** Of `pace` frame pixels a minute. */
  readonly u: Float32Array | Int16Array
  readonly v: Float32Array | Int16Array
  readonly pace: number
}

/** Input of a file: frame pixels a minute, and the quality at each node, 0 to 1. */
export interface MotionFound extends Omit<MotionNodes, 'u' | 'v' | 'pace'> {
  readonly u: Float32Array
  readonly v: Float32Array
  readonly quality: Float32Array
}

export interface MotionHead {
  readonly domain: DomainId
  /** Time of the newest frame that it was computed from. */
  readonly anchor: Instant
  /** The dataset and the times of the frames; one time: nothing could be measured. */
  readonly product: string
  readonly from: readonly Instant[]
  readonly grid: FrameGrid
  readonly nx: number
  readonly ny: number
  readonly spacing: number
}

const MAGIC = 0x314d4648
const PROLOGUE = 16
/** Quantization of a velocity, frame pixels a minute: a drift of half a pixel in 90 minutes takes 11 steps. */
const VELOCITY_QUANTUM = 1 / 2048

/** Magic `HFM1`, length of the head, CRC-32 of everything after it, 0; head as JSON padded to 4; u and v as 16 bits, quality as bytes. */
export function writeMotion(head: Omit<MotionHead, 'nx' | 'ny' | 'spacing'>, nodes: MotionFound): Uint8Array {
  const { nx, ny, spacing } = nodes
  const text = Buffer.from(JSON.stringify({ ...head, nx, ny, spacing } satisfies MotionHead))
  const length = (text.length + 3) & ~3
  const count = nx * ny
  const bytes = new Uint8Array(PROLOGUE + length + count * 5)
  const view = new DataView(bytes.buffer)
  bytes.fill(0x20, PROLOGUE, PROLOGUE + length)
  bytes.set(text, PROLOGUE)
  const start = PROLOGUE + length
  for (let k = 0; k < count; k++) {
    view.setInt16(start + 2 * k, Math.round(nodes.u[k]! / VELOCITY_QUANTUM), true)
    view.setInt16(start + 2 * (count + k), Math.round(nodes.v[k]! / VELOCITY_QUANTUM), true)
    bytes[start + 4 * count + k] = Math.round(nodes.quality[k]! * 255)
  }
  view.setUint32(0, MAGIC, true)
  view.setUint32(4, length, true)
  view.setUint32(8, crc32(bytes.subarray(PROLOGUE)), true)
  return bytes
}

/** One read covers the motion of the largest domain. */
const FIRST_READ = 131_072

/** @throws Fault Corrupt, Missing or Refused */
export async function openMotion(
  objects: { range(key: string, from: number, length: number): Promise<Uint8Array> },
  key: string,
): Promise<{ head: MotionHead; nodes: MotionNodes }> {
  const start = await objects.range(key, 0, FIRST_READ)
  if (start.length < FIRST_READ) return readMotion(start, key)
  const parts = [start]
  for (let at = start.length, more = true; more; ) {
    const part = await objects.range(key, at, FIRST_READ)
    parts.push(part)
    at += part.length
    more = part.length === FIRST_READ
  }
  return readMotion(Buffer.concat(parts), key)
}

/** The nodes of a motion without copying: most are never read. @throws Fault Corrupt */
export function readMotion(bytes: Uint8Array, key: string): { head: MotionHead; nodes: MotionNodes } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (
    bytes.length < PROLOGUE ||
    view.getUint32(0, true) !== MAGIC ||
    crc32(bytes.subarray(PROLOGUE)) !== view.getUint32(8, true)
  ) {
    throw new Fault('Corrupt', `motion ${key}: wanted the bytes that were written, got others: publish it again`, {
      key,
    })
  }
  const length = view.getUint32(4, true)
  const head = JSON.parse(Buffer.from(bytes.subarray(PROLOGUE, PROLOGUE + length)).toString()) as MotionHead
  const { nx, ny, spacing } = head
  const count = nx * ny
  const start = PROLOGUE + length
  const [u, v] = [0, 2 * count].map((from) => wholeNumbers(bytes, start + from, count))
  return { head, nodes: { nx, ny, spacing, u: u!, v: v!, pace: VELOCITY_QUANTUM } }
}

/** 16 bits each, little-endian, at an even address of a copy. */
function wholeNumbers(bytes: Uint8Array, from: number, count: number): Int16Array {
  const part = bytes.subarray(from, from + 2 * count)
  const even = part.byteOffset % 2 === 0 ? part : Uint8Array.from(part)
  return new Int16Array(even.buffer, even.byteOffset, count)
}
