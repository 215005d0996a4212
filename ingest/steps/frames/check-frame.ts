import { HOURLY_STAMP_TOLERANCE_MS } from '../../datasets/mrms.ts'
import type { MrmsDataset } from '../../domain/dataset/dataset.ts'
import type { DomainId } from '../../domain/domain.ts'
import { nth } from '../../domain/nth.ts'
import type { QuarantineReason } from '../../domain/quarantine.ts'
import { type Instant, isoSeconds, MINUTE, SECOND } from '../../domain/time.ts'
import type { FrameGrid } from '../../tile/frame.ts'
import type { FrameResult } from './work.ts'

/** Figures of a published frame, with which the next frame is compared. */
export interface FrameSummary {
  readonly time: Instant
  readonly noCoverage: number
  readonly dry: number
  /** The largest value; null if no pixel has a value. */
  readonly most?: number | null
}

export interface FrameFault {
  readonly reason: QuarantineReason
  readonly detail: string
}

/** The largest plausible value for each unit; for an amount in 24 hours it is twice the record of any state. */
const GREATEST: Readonly<Record<string, number>> = { 'mm/h': 1000, dBZ: 95, mm: 2200, '%': 100, index: 2, code: 100 }

/** Scans that are further apart are not compared. */
const MAX_APART_MS = 16 * MINUTE
/**
 * Between two scans echoes grow and decay by less than this factor. The share is added so that a first echo over a
 * small domain passes.
 */
const MAX_ECHO_FACTOR = 4
const CALM_SHARE = 0.005
/** The same limits for the maximum, which is the value of a single pixel. */
const MAX_MOST_FACTOR = 5
const CALM_MOST = 0.5
const MIN_MOST = 5

/** Corners of each domain's grid, degrees: west, south, east, north of the outermost pixels' edges. */
const EXTENTS: Readonly<Record<DomainId, readonly [number, number, number, number]>> = {
  conus: [-130, 20, -60, 55],
  alaska: [-176, 50, -126, 72],
  hawaii: [-164, 15, -151, 26],
}

/** Returns every reason to reject a frame. */
export function faultsOf(
  dataset: MrmsDataset,
  domain: DomainId,
  time: Instant,
  frame: FrameResult,
  before: FrameSummary | undefined,
): FrameFault[] {
  const wrong: FrameFault[] = []
  const add = (reason: QuarantineReason, detail: string) => wrong.push({ reason, detail })
  const { grid, noCoverage } = frame.head
  if (frame.parameter !== dataset.parameter)
    add('parameter', `the parameter must be ${dataset.parameter}, but is ${frame.parameter}`)
  const tolerance = dataset.cadenceSeconds >= 3600 ? HOURLY_STAMP_TOLERANCE_MS : SECOND
  if (Math.abs(frame.validTime - time) > tolerance) {
    add(
      'time',
      `the time of the message must be that of the file's name, ${isoSeconds(time)}, but is ${isoSeconds(frame.validTime)}`,
    )
  }
  const off = offExtent(grid, EXTENTS[domain])
  if (off) add('grid', off)
  const band = dataset.noCoverage[domain]
  if (band && (noCoverage < band[0] || noCoverage > band[1])) {
    const actual = noCoverage.toFixed(3)
    add('missing', `the share without coverage must be from ${band[0]} to ${band[1]}, but is ${actual}`)
  }
  const greatest = GREATEST[dataset.unit]
  if (greatest !== undefined && frame.most > greatest) {
    add('range', `values must be at most ${greatest} ${dataset.unit}, but reach ${frame.most}`)
  }
  const jump = before && unlike(before, time, frame)
  if (jump) add('jump', jump)
  return wrong
}

/** A scan that was emptied or filled, or that has another unit, differs strongly from the scan minutes before. */
function unlike(before: FrameSummary, time: Instant, { head, most }: FrameResult): string | undefined {
  if (time <= before.time || time - before.time > MAX_APART_MS) return undefined
  const [earlierShare, presentShare] = [before, head].map(({ noCoverage, dry }) => 1 - noCoverage - dry) as [
    number,
    number,
  ]
  if (factor(earlierShare + CALM_SHARE, presentShare + CALM_SHARE) > MAX_ECHO_FACTOR) {
    const percent = (share: number) => `${(share * 100).toFixed(1)} %`
    return `echoes cover ${percent(presentShare)} of the grid, but covered ${percent(earlierShare)} ${minutes(before, time)} before, which is not plausible`
  }
  if (
    before.most == null ||
    !(before.most >= MIN_MOST) ||
    Number.isNaN(most) ||
    head.unit === 'dBZ' ||
    head.unit === 'code'
  )
    return undefined
  if (factor(before.most + CALM_MOST, most + CALM_MOST) <= MAX_MOST_FACTOR) return undefined
  return `the maximum is ${most} ${head.unit}, but was ${before.most} ${minutes(before, time)} before, which is not plausible`
}

const minutes = ({ time: before }: FrameSummary, time: Instant) => `${Math.round((time - before) / MINUTE)} minutes`
const factor = (a: number, b: number) => (a > b ? a / b : b / a)

function offExtent(
  grid: FrameGrid,
  [west, south, east, north]: readonly [number, number, number, number],
): string | undefined {
  const edges = [
    grid.west - grid.dLon / 2,
    grid.north + grid.dLat / 2 - grid.ny * grid.dLat,
    grid.west - grid.dLon / 2 + grid.nx * grid.dLon,
    grid.north + grid.dLat / 2,
  ]
  const same = [west, south, east, north].every((edge, k) => Math.abs(edge - nth(edges, k)) < 0.02)
  if (same) return undefined
  return `the grid must cover ${[west, south, east, north].join(', ')}, but covers ${edges.map((edge) => edge.toFixed(3)).join(', ')}`
}
