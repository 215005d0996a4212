import { nth } from '../domain/nth.ts'
import { originOf } from './advection.ts'
import type { Motion, MotionFrame } from './motion.ts'
import { nodeGrid, smoothNodes } from './nodes.ts'

/** Growth and decay of echoes as they move, at nodes over the anchor frame; row-major, north first. */
export interface Trend {
  readonly nx: number
  readonly ny: number
  /** Frame pixels between nodes. */
  readonly spacing: number
  /** Change of reflectivity in steps of `TREND_QUANTUM`. */
  readonly values: Int8Array
}

/** Unit: dBZ a minute. */
export const TREND_QUANTUM = 0.02
/** Frame pixels between nodes, and the radius in nodes by which the measured trend is blurred. */
const SPACING = 8
const SPREAD = 2
/**
 * Minutes after which growth ends: storms grow fast and briefly, while decay continues until nothing is left. A longer
 * growth gains in young storms and loses in short-lived storms (test/bench/nowcast.ts).
 */
const GROWTH_MINUTES = 6
/** Z = 200 R^1.6: reflectivity and rain rate differ by this exponent. */
export const DECIBELS_A_DECADE = 16

/**
 * Estimates the trend of echoes from three frames: the differences along the trajectories between the newest and the
 * previous frame, and between the previous and the oldest. Growth counts only as far as both differences show it. The
 * trend is reduced by the correlation of the two over the whole frame, so that noise and errors of motion, which do not
 * persist, have no effect.
 * @returns undefined with fewer than three frames or without echoes that persist
 */
export function estimateTrend(frames: readonly MotionFrame[], motion: Motion): Trend | undefined {
  const [oldest, before, anchor] = [...frames].sort((a, b) => a.minutes - b.minutes).slice(-3)
  if (!oldest || !before || !anchor) return undefined
  const { nx, ny, shrink, values, unseen } = anchor.image
  const grid = nodeGrid(nx * shrink, ny * shrink, SPACING)
  const [first, second, weight] = [0, 1, 2].map(() => new Float32Array(grid.count)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const earlier = [before, oldest].map((frame) => ({ image: frame.image, origin: originOf(motion, -frame.minutes) }))
  const [late, early] = [1 / (anchor.minutes - before.minutes), 1 / (before.minutes - oldest.minutes)]
  const earlierSum = [0, 0]
  for (let j = 0; j < ny; j++) {
    const y = (j + 0.5) * shrink - 0.5
    const row = Math.round(y / SPACING) * grid.nx
    for (let i = 0; i < nx; i++) {
      if (unseen?.[j * nx + i]) continue
      const x = (i + 0.5) * shrink - 0.5
      let known = true
      for (let k = 0; k < 2 && known; k++) {
        const { image, origin } = nth(earlier, k)
        const { dx, dy } = origin(x, y)
        const column = Math.round((x + dx + 0.5) / shrink - 0.5)
        const line = Math.round((y + dy + 0.5) / shrink - 0.5)
        known = column >= 0 && line >= 0 && column < nx && line < ny && !image.unseen?.[line * nx + column]
        earlierSum[k] = known ? image.values[line * nx + column]! : 0
      }
      const now = values[j * nx + i]!
      if (!known || (now === 0 && earlierSum[0] === 0 && earlierSum[1] === 0)) continue
      const node = row + Math.round(x / SPACING)
      first[node]! += (now - nth(earlierSum, 0)) * late
      second[node]! += (nth(earlierSum, 0) - nth(earlierSum, 1)) * early
      weight[node]! += 1
    }
  }
  return trendOf(
    grid,
    [first, second, weight].map((sum) => smoothNodes(grid, sum, SPREAD)),
  )
}

function trendOf(grid: { nx: number; ny: number; count: number }, sums: readonly Float32Array[]): Trend | undefined {
  const [first, second, weight] = sums as [Float32Array, Float32Array, Float32Array]
  let [together, late, early] = [0, 0, 0]
  for (let k = 0; k < grid.count; k++) {
    const n = weight[k]!
    if (n < 1e-3) continue
    together += (first[k]! * second[k]!) / n
    late += first[k]! ** 2 / n
    early += second[k]! ** 2 / n
  }
  const persistence = Math.min(0.95, together / Math.sqrt(late * early))
  if (!(persistence > 0)) return undefined
  const values = new Int8Array(grid.count)
  for (let k = 0; k < grid.count; k++) {
    const n = weight[k]!
    if (n < 1e-3) continue
    const [a, b] = [first[k]! / n, second[k]! / n]
    const change = a > 0 && b > 0 ? Math.min(a, b) : a < 0 && b < 0 ? Math.max(a, b) : 0
    values[k] = Math.max(-127, Math.min(127, Math.round((persistence * change) / TREND_QUANTUM)))
  }
  return { nx: grid.nx, ny: grid.ny, spacing: SPACING, values }
}

/** dBZ by which the echo at a position of the anchor frame changes in this many minutes; bilinear between nodes. */
export function changeAt(trend: Trend | undefined, x: number, y: number, minutes: number): number {
  if (!trend || minutes <= 0) return 0
  const { nx, ny, spacing, values } = trend
  const fx = Math.min(Math.max(x / spacing, 0), nx - 1)
  const fy = Math.min(Math.max(y / spacing, 0), ny - 1)
  const i = Math.min(fx | 0, nx - 2)
  const j = Math.min(fy | 0, ny - 2)
  const px = fx - i
  const py = fy - j
  const k = j * nx + i
  const rate =
    TREND_QUANTUM *
    ((1 - py) * ((1 - px) * values[k]! + px * values[k + 1]!) +
      py * ((1 - px) * values[k + nx]! + px * values[k + nx + 1]!))
  return rate > 0 ? rate * GROWTH_MINUTES * (1 - Math.exp(-minutes / GROWTH_MINUTES)) : rate * minutes
}

/** Factor of a rain rate whose reflectivity changes by this many dBZ. */
export const rateFactor = (change: number): number => (change === 0 ? 1 : 10 ** (change / DECIBELS_A_DECADE))
