import { crc32, deflateSync, inflateSync } from 'node:zlib'
import type { DomainId } from '../domain/domain.ts'
import { Fault } from '../domain/fault.ts'
import type { Instant } from '../domain/time.ts'
import type { Calibration } from '../domain/verification/calibration.ts'
import type { FrameGrid } from './frame.ts'

/** Name under which motions are published, used like the id of a dataset. */
export const MOTION = 'mrms-motion'

/** Growth and decay of echoes at nodes over a frame; see ingest/nowcast/trend.ts. */
export interface MotionTrend {
  readonly nx: number
  readonly ny: number
  /** Frame pixels between nodes. */
  readonly spacing: number
  /** Unit: steps of 0.02 dBZ a minute. */
  readonly values: Int8Array
}

/** Change of echoes by scale at nodes over a frame; see ingest/nowcast/scales.ts. */
export interface MotionScales {
  /** From fine to coarse. */
  readonly levels: readonly MotionScaleLevel[]
  /** One element for each five minutes of lead. */
  readonly leads: readonly {
    readonly fine: number
    readonly smooth: readonly number[]
    readonly before: readonly number[]
    readonly matching: readonly number[]
  }[]
}

export interface MotionScaleLevel {
  readonly nx: number
  readonly ny: number
  /** Frame pixels between nodes. */
  readonly spacing: number
  /** Unit: steps of 0.15 emphasized decibels of rate. */
  readonly smooth: Uint8Array
  readonly before: Int8Array
}

/** Echo motion at nodes over a frame; see ingest/nowcast/motion.ts. */
export interface MotionNodes {
  readonly nx: number
  readonly ny: number
  readonly spacing: number
  /** Velocities in steps of `pace` frame pixels a minute. */
  readonly u: Float32Array | Int16Array
  readonly v: Float32Array | Int16Array
  readonly pace: number
  /** Growth and decay; absent if they could not be estimated. */
  readonly trend?: MotionTrend
  /** Change by scale; absent if it could not be estimated. */
  readonly scales?: MotionScales
  /** Correction of probabilities; absent if there was nothing to learn from. */
  readonly calibration?: Calibration
}

/** Input of a file: velocities in frame pixels a minute, and the quality at each node, 0 to 1. */
export interface MotionEstimate extends Omit<MotionNodes, 'u' | 'v' | 'pace' | 'trend' | 'scales' | 'calibration'> {
  readonly u: Float32Array
  readonly v: Float32Array
  readonly quality: Float32Array
}

/** Position of the trend in a file: deflated bytes after the quality. */
interface TrendHead extends Omit<MotionTrend, 'values'> {
  readonly bytes: number
}

/** Position of the scales in a file: deflated bytes after the trend; of each level the means, then the differences. */
interface ScalesHead extends Omit<MotionScales, 'levels'> {
  readonly levels: readonly Omit<MotionScaleLevel, 'smooth' | 'before'>[]
  readonly bytes: number
}

export interface MotionHead {
  readonly domain: DomainId
  /** Time of the newest frame behind the motion. */
  readonly anchor: Instant
  /** The dataset and the times of its frames; with a single time no motion could be measured. */
  readonly product: string
  readonly from: readonly Instant[]
  readonly grid: FrameGrid
  readonly nx: number
  readonly ny: number
  readonly spacing: number
  readonly trend?: TrendHead
  readonly scales?: ScalesHead
  readonly calibration?: Calibration
}

const MAGIC = 0x314d4648
const PROLOGUE = 16
/** Quantization of a velocity, frame pixels a minute: a drift of half a pixel in 90 minutes takes 11 steps. */
const VELOCITY_QUANTUM = 1 / 2048

/**
 * Magic `HFM1`, length of the head, CRC-32 of everything after it, 0; head as JSON padded to 4; u and v as 16 bits, quality as bytes, the
 * trend and the scales as deflated bytes if the head has them. Older readers skip them.
 */
export function writeMotion(
  head: Omit<MotionHead, 'nx' | 'ny' | 'spacing' | 'trend' | 'scales'>,
  nodes: MotionEstimate,
  { trend, scales }: Pick<MotionNodes, 'trend' | 'scales'> = {},
): Uint8Array {
  const { nx, ny, spacing } = nodes
  const packed = trend ? deflateSync(trend.values) : new Uint8Array(0)
  const apart = scales ? packScales(scales) : new Uint8Array(0)
  const described = {
    ...(trend && { trend: { nx: trend.nx, ny: trend.ny, spacing: trend.spacing, bytes: packed.length } }),
    ...(scales && { scales: scalesHead(scales, apart.length) }),
  }
  const text = Buffer.from(JSON.stringify({ ...head, nx, ny, spacing, ...described } satisfies MotionHead))
  const length = (text.length + 3) & ~3
  const count = nx * ny
  const bytes = new Uint8Array(PROLOGUE + length + count * 5 + packed.length + apart.length)
  const view = new DataView(bytes.buffer)
  bytes.fill(0x20, PROLOGUE, PROLOGUE + length)
  bytes.set(text, PROLOGUE)
  const start = PROLOGUE + length
  for (let k = 0; k < count; k++) {
    view.setInt16(start + 2 * k, Math.round(nodes.u[k]! / VELOCITY_QUANTUM), true)
    view.setInt16(start + 2 * (count + k), Math.round(nodes.v[k]! / VELOCITY_QUANTUM), true)
    bytes[start + 4 * count + k] = Math.round(nodes.quality[k]! * 255)
  }
  bytes.set(packed, start + 5 * count)
  bytes.set(apart, start + 5 * count + packed.length)
  view.setUint32(0, MAGIC, true)
  view.setUint32(4, length, true)
  view.setUint32(8, crc32(bytes.subarray(PROLOGUE)), true)
  return bytes
}

/** Bytes of a read, which cover the motion of the largest domain. */
const FIRST_READ = 262_144

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

/** Returns the nodes of a motion without copying, because most are never read. @throws Fault Corrupt */
export function readMotion(bytes: Uint8Array, key: string): { head: MotionHead; nodes: MotionNodes } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (
    bytes.length < PROLOGUE ||
    view.getUint32(0, true) !== MAGIC ||
    crc32(bytes.subarray(PROLOGUE)) !== view.getUint32(8, true)
  ) {
    throw new Fault('Corrupt', `motion ${key}: the stored bytes are damaged. Publish the motion again.`, {
      key,
    })
  }
  const length = view.getUint32(4, true)
  const head = JSON.parse(Buffer.from(bytes.subarray(PROLOGUE, PROLOGUE + length)).toString()) as MotionHead
  const { nx, ny, spacing } = head
  const count = nx * ny
  const start = PROLOGUE + length
  const [u, v] = [0, 2 * count].map((from) => wholeNumbers(bytes, start + from, count))
  const behind = start + 5 * count
  const trend = head.trend && readTrend(head.trend, bytes.subarray(behind), key)
  // Files without levels have an earlier form of the scales, which is not applied.
  const scales = head.scales?.levels && readScales(head.scales, bytes.subarray(behind + (head.trend?.bytes ?? 0)), key)
  const { calibration } = head
  const changes = { ...(trend && { trend }), ...(scales && { scales }), ...(calibration && { calibration }) }
  return { head, nodes: { nx, ny, spacing, u: u!, v: v!, pace: VELOCITY_QUANTUM, ...changes } }
}

function readTrend({ bytes, ...grid }: TrendHead, packed: Uint8Array, key: string): MotionTrend {
  const count = grid.nx * grid.ny
  const values = inflated(packed.subarray(0, bytes), count, `motion ${key}: trend`, key)
  return { ...grid, values: new Int8Array(values.buffer, values.byteOffset, count) }
}

const scalesHead = ({ levels, leads }: MotionScales, bytes: number): ScalesHead => ({
  levels: levels.map(({ nx, ny, spacing }) => ({ nx, ny, spacing })),
  ...{ leads, bytes },
})

function packScales({ levels }: MotionScales): Uint8Array {
  const parts = levels.flatMap(({ smooth, before }) => [smooth, Uint8Array.from(before)])
  return deflateSync(Buffer.concat(parts))
}

function readScales({ bytes, levels, leads }: ScalesHead, packed: Uint8Array, key: string): MotionScales {
  const count = levels.reduce((sum, { nx, ny }) => sum + 2 * nx * ny, 0)
  const values = inflated(packed.subarray(0, bytes), count, `motion ${key}: scales`, key)
  let from = 0
  const read = levels.map((level): MotionScaleLevel => {
    const nodes = level.nx * level.ny
    const smooth = values.subarray(from, from + nodes)
    const before = new Int8Array(values.buffer, values.byteOffset + from + nodes, nodes)
    from += 2 * nodes
    return { ...level, smooth, before }
  })
  return { levels: read, leads }
}

function inflated(packed: Uint8Array, count: number, what: string, key: string): Uint8Array {
  const values = inflateSync(packed, { maxOutputLength: Math.max(1, count) })
  if (values.length !== count)
    throw new Fault('Corrupt', `${what}: must inflate to ${count} bytes, but inflates to ${values.length}`, { key })
  return values
}

/** Copies 16-bit little-endian numbers to an even address. */
function wholeNumbers(bytes: Uint8Array, from: number, count: number): Int16Array {
  const part = bytes.subarray(from, from + 2 * count)
  const even = part.byteOffset % 2 === 0 ? part : Uint8Array.from(part)
  return new Int16Array(even.buffer, even.byteOffset, count)
}
