import { hash } from 'node:crypto'
import { readMrms } from '../../decode/radar/mrms.ts'
import { nth } from '../../domain/nth.ts'
import type { Instant } from '../../domain/time.ts'
import { MINUTE } from '../../domain/time.ts'
import type { Calibration } from '../../domain/verification/calibration.ts'
import { reflectivityOf, strengthOf, type ValueKind } from '../../domain/weather/echo.ts'
import { countIn, decibelsOfStrength, emptyHistogram } from '../../nowcast/decibels.ts'
import type { Image } from '../../nowcast/image.ts'
import { estimateMotion, type Motion } from '../../nowcast/motion.ts'
import { nodeGrid } from '../../nowcast/nodes.ts'
import { estimateScales } from '../../nowcast/scale-estimate.ts'
import { estimateTrend } from '../../nowcast/trend.ts'
import { type FrameHead, NO_COVERAGE } from '../../tile/frame.ts'
import { eachUnit, valueIn } from '../../tile/frame-read.ts'
import { type FrameSubject, type WrittenFrame, writeFrame } from '../../tile/frame-write.ts'
import { writeMotion } from '../../tile/motion-file.ts'

// The frame tasks of a pool thread. They convert bytes to bytes without I/O.

export interface FrameTask {
  readonly kind: 'frame'
  readonly bytes: Uint8Array
  readonly subject: Pick<FrameSubject, 'product' | 'domain' | 'unit' | 'source'>
  readonly values: ValueKind
}

export interface FrameResult extends WrittenFrame {
  readonly parameter: string
  readonly validTime: Instant
}

/** Converts an upstream file to a frame. @throws Fault Corrupt */
export function makeFrame({ bytes, subject, values }: FrameTask): FrameResult {
  const { parameter, validTime, read, each, meaning, ...grid } = readMrms(bytes, subject.source)
  const written = writeFrame(
    { ...subject, sourceBytes: bytes.length, sourceSha256: hash('sha256', bytes), validTime, grid },
    { read, each, meaning, values },
  )
  return { ...written, parameter, validTime }
}

export interface MotionTask {
  readonly kind: 'motion'
  /** Complete frames of a product, oldest first; the last frame is the anchor. */
  readonly frames: readonly { readonly key: string; readonly bytes: Uint8Array }[]
  /** Correction of probabilities, which is stored with the motion. */
  readonly calibration?: Calibration
}

/** Spacing of motion nodes, km, and the maximum speed of an echo, m/s. */
const NODE_SPACING_KM = 36
const MAX_SPEED_MPS = 50
const KM_PER_DEGREE = 111.2

export function makeMotion({ frames, calibration }: MotionTask): { bytes: Uint8Array } {
  const read = frames.map(({ key, bytes }) => echoImage(bytes, key))
  const anchor = nth(read, read.length - 1).head
  const { grid, domain, validTime, product } = anchor
  const spacing = Math.max(16, 8 * Math.round(NODE_SPACING_KM / KM_PER_DEGREE / grid.dLat / 8))
  const narrow = Math.cos(((grid.north - (grid.ny * grid.dLat) / 2) * Math.PI) / 180)
  const limit = (MAX_SPEED_MPS * 0.06) / (grid.dLon * KM_PER_DEGREE * narrow)
  const images = read.map(({ head, image, decibels }) => ({
    minutes: (head.validTime - validTime) / MINUTE,
    image,
    decibels,
  }))
  const nodes = read.length > 1 ? estimateMotion(images, { spacing, limit }) : standing(grid.nx, grid.ny, spacing)
  const from = read.map(({ head: { validTime: at } }) => at)
  const head = { domain, anchor: validTime, product, from, grid, ...(calibration && { calibration }) }
  const changes = { trend: estimateTrend(images, nodes), scales: estimateScales(images, nodes) }
  return { bytes: writeMotion(head, nodes, changes) }
}

function standing(nx: number, ny: number, spacing: number): Motion {
  const grid = nodeGrid(nx, ny, spacing)
  const zeros = () => new Float32Array(grid.count)
  return { nx: grid.nx, ny: grid.ny, spacing, u: zeros(), v: zeros(), quality: zeros() }
}

/** Returns the echo strength at half the resolution of the frame, 0 without coverage, and the histogram of its pixels. */
function echoImage(bytes: Uint8Array, key: string): { head: FrameHead; image: Image; decibels: Float64Array } {
  let image: Image | undefined
  let strengths: Float32Array | undefined
  const counts = new Float64Array(65_536)
  const head = eachUnit(bytes, key, (codes, left, top, width, height, frameHead) => {
    image ??= {
      nx: frameHead.grid.nx >> 1,
      ny: frameHead.grid.ny >> 1,
      values: new Float32Array((frameHead.grid.nx >> 1) * (frameHead.grid.ny >> 1)),
      shrink: 2,
      unseen: new Uint8Array((frameHead.grid.nx >> 1) * (frameHead.grid.ny >> 1)),
    }
    strengths ??= strengthTable(frameHead)
    if (typeof codes === 'number') counts[codes]! += width * height
    else for (let k = 0; k < width * height; k++) counts[codes[k]!]!++
    if (typeof codes === 'number' && codes !== NO_COVERAGE && strengths[codes] === 0) return
    const { nx, ny, values, unseen } = image
    for (let j = 0; j < height; j++) {
      const row = (top + j) >> 1
      if (row >= ny) break
      for (let i = 0; i < width; i++) {
        const column = (left + i) >> 1
        if (column >= nx) break
        const code = typeof codes === 'number' ? codes : codes[j * width + i]!
        const strength = strengths[code]!
        if (strength > 0) values[row * nx + column]! += 0.25 * strength
        else if (code === NO_COVERAGE) unseen![row * nx + column] = 1
      }
    }
  })
  counts[NO_COVERAGE] = 0
  const decibels = emptyHistogram()
  for (let code = 0; code < counts.length; code++)
    if (counts[code]! > 0) countIn(decibels, decibelsOfStrength(strengths![code]!), counts[code]!)
  return { head, image: image!, decibels }
}

function strengthTable(head: FrameHead): Float32Array {
  const value = valueIn(head)
  return Float32Array.from({ length: 65_536 }, (_, code) => {
    const converted = value(code)
    if (Number.isNaN(converted)) return 0
    return strengthOf(head.unit === 'dBZ' ? converted : reflectivityOf(converted))
  })
}
