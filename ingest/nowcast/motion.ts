import { nth } from '../domain/nth.ts'
import { blur, type Image, pyramid } from './image.ts'
import { type NodeGrid, nodeGrid, sampleNodes, smoothNodes } from './nodes.ts'

/** Velocities of echoes. Nodes lie every `spacing` frame pixels, the first at pixel 0,0; row-major, north first. */
export interface Motion {
  readonly nx: number
  readonly ny: number
  /** Frame pixels between nodes. */
  readonly spacing: number
  /** Frame pixels a minute towards greater i (east). */
  readonly u: Float32Array
  /** Frame pixels a minute towards greater j (south). */
  readonly v: Float32Array
  /** 0: taken from neighbours and the whole frame; 1: measured on strong, consistent structure. */
  readonly quality: Float32Array
}

export interface MotionFrame {
  /** Minutes after the anchor; the anchor itself is 0, the others are negative. */
  readonly minutes: number
  /** Echo strength in dB above the threshold; 0 without echo or coverage. */
  readonly image: Image
  /** Histogram of the decibels of all covered pixels of the frame; the image averages them. Only the anchor needs it. */
  readonly decibels?: Float64Array
}

export interface MotionOptions {
  /** Frame pixels between nodes of the result. */
  readonly spacing: number
  /** Upper limit of the speed, frame pixels a minute. */
  readonly limit: number
}

/**
 * Schedule of the search: image levels from coarse to fine, blur of the normal equations in nodes, and number of
 * rounds.
 */
const LADDER = [
  { level: 5, spread: 3.6, rounds: 6 },
  { level: 4, spread: 2.4, rounds: 5 },
  { level: 3, spread: 1.8, rounds: 4 },
  { level: 2, spread: 1.3, rounds: 3 },
  { level: 1, spread: 1.6, rounds: 3 },
  { level: 0, spread: 1.6, rounds: 2 },
] as const

/**
 * Weight of the residual variance of a window. Structure that changes while it moves (growth, rain that stays on
 * mountains) is a weaker sign of motion than structure that stays, and its nodes take more of their neighbours' motion.
 * With 50 the skill is up to 0.07 higher than with 5 for small and short-lived showers, and up to 0.03 lower for
 * growing storms in a rotating flow. Skill is the mean CSI that `npm run bench:nowcast` prints.
 */
const RESIDUAL_WEIGHT = 50

/**
 * Estimates dense echo motion from a few frames by coarse-to-fine least squares on brightness constancy (Lucas and
 * Kanade 1981). All pairs of neighbouring frames and the pair of the first and last are solved together for one
 * velocity, in windows that overlap smoothly from node to node. A local offset is solved along with the velocity, so
 * that growth or decay of a whole echo is not mistaken for motion. Residuals are weighted by Cauchy's function, so that
 * echoes that appear between two frames have little weight. Without echo the field is filled from its neighbours, and
 * finally from the mean of the frame.
 *
 * @param frames two or more frames of one size; the last is the anchor
 */
export function estimateMotion(frames: readonly MotionFrame[], options: MotionOptions): Motion {
  const ordered = [...frames].sort((a, b) => a.minutes - b.minutes)
  const anchor = nth(ordered, ordered.length - 1)
  const levels = ordered.map((frame) => pyramid(frame.image, LADDER[0].level + 1))
  const fullWidth = anchor.image.nx * anchor.image.shrink
  const fullHeight = anchor.image.ny * anchor.image.shrink
  const nodes = nodeGrid(fullWidth, fullHeight, options.spacing)
  const state: MotionState = {
    nodes,
    u: new Float32Array(nodes.count),
    v: new Float32Array(nodes.count),
    weight: new Float32Array(nodes.count),
  }
  const pairs = framePairs(ordered.map((frame) => frame.minutes))
  for (const { level, spread, rounds } of LADDER) {
    const images = levels.map((pyramid) => nth(pyramid, Math.min(level, pyramid.length - 1)))
    const smooth = images.map(blur)
    for (let round = 0; round < rounds; round++) refine(state, smooth, pairs, spread, options.limit)
  }
  return {
    nx: nodes.nx,
    ny: nodes.ny,
    spacing: options.spacing,
    u: state.u,
    v: state.v,
    quality: state.weight.map((weight) => weight / (weight + 400)),
  }
}

interface MotionState {
  readonly nodes: NodeGrid
  u: Float32Array
  v: Float32Array
  weight: Float32Array
}

interface Pair {
  readonly from: number
  readonly to: number
  readonly minutes: number
}

/**
 * Neighbours in time, and the first with the last: the long pair is the most accurate, the short pairs prevent false
 * matches.
 */
function framePairs(minutes: readonly number[]): Pair[] {
  const pairs: Pair[] = []
  for (let i = 1; i < minutes.length; i++)
    pairs.push({ from: i - 1, to: i, minutes: nth(minutes, i) - nth(minutes, i - 1) })
  const last = minutes.length - 1
  if (last > 1) pairs.push({ from: 0, to: last, minutes: nth(minutes, last) - nth(minutes, 0) })
  return pairs
}

/**
 * Runs one Gauss-Newton round over all pairs: gathers the normal equations at the nodes, blurs them, solves them and
 * adds the result.
 */
function refine(
  state: MotionState,
  images: readonly Image[],
  pairs: readonly Pair[],
  spread: number,
  limit: number,
): void {
  const { nodes } = state
  const sums = gather(state, images, pairs)
  const [xx, xy, yy, xt, yt, x1, y1, t1, n1, tt] = sums.map((sum) => smoothNodes(nodes, sum, spread))
  const du = new Float32Array(nodes.count)
  const dv = new Float32Array(nodes.count)
  const weight = new Float32Array(nodes.count)
  for (let k = 0; k < nodes.count; k++) {
    const n = n1![k]!
    if (n < 1e-6) continue
    // Centring every product on the window's means eliminates the offset.
    const axx = xx![k]! - (x1![k]! * x1![k]!) / n
    const axy = xy![k]! - (x1![k]! * y1![k]!) / n
    const ayy = yy![k]! - (y1![k]! * y1![k]!) / n
    const bx = xt![k]! - (x1![k]! * t1![k]!) / n
    const by = yt![k]! - (y1![k]! * t1![k]!) / n
    const ridge = 0.01 * (axx + ayy) + 1e-3
    const determinant = (axx + ridge) * (ayy + ridge) - axy * axy
    if (!(determinant > 1e-12)) continue
    du[k] = ((ayy + ridge) * bx - axy * by) / determinant
    dv[k] = ((axx + ridge) * by - axy * bx) / determinant
    const trace = axx + ayy
    const least = 0.5 * (trace - Math.sqrt(Math.max(0, (axx - ayy) ** 2 + 4 * axy * axy)))
    const residual = Math.max(0, tt![k]! - (t1![k]! * t1![k]!) / n - bx * du[k]! - by * dv[k]!) / n
    weight[k] = Math.max(0, least) / (1 + RESIDUAL_WEIGHT * residual)
  }
  for (let k = 0; k < nodes.count; k++) {
    state.u[k]! += du[k]!
    state.v[k]! += dv[k]!
    const speed = Math.hypot(state.u[k]!, state.v[k]!)
    if (speed > limit) {
      state.u[k]! *= limit / speed
      state.v[k]! *= limit / speed
      weight[k]! *= 0.05
    }
  }
  state.weight = weight
  fill(state)
}

/** Weight at which a node takes half of its motion from its neighbours. */
const HALF_CONFIDENCE = 25

/** Nodes of low quality take the motion of better nodes nearby; the radius grows until it contains such a node. */
function fill(state: MotionState): void {
  const { nodes, weight } = state
  const confidence = weight.map((value) => value / (value + HALF_CONFIDENCE))
  let carriedU: Float32Array = state.u.map((value, k) => value * confidence[k]!)
  let carriedV: Float32Array = state.v.map((value, k) => value * confidence[k]!)
  let carried: Float32Array = confidence
  const trust = Float32Array.from(confidence)
  const outU = Float32Array.from(carriedU)
  const outV = Float32Array.from(carriedV)
  for (const spread of [1, 3, 8, 24, 64]) {
    carriedU = smoothNodes(nodes, carriedU, spread)
    carriedV = smoothNodes(nodes, carriedV, spread)
    carried = smoothNodes(nodes, carried, spread)
    for (let k = 0; k < nodes.count; k++) {
      const doubt = 1 - trust[k]!
      if (doubt <= 0 || carried[k]! < 1e-9) continue
      const share = doubt * Math.min(1, (carried[k]! * 4) / spread)
      outU[k]! += (share * carriedU[k]!) / carried[k]!
      outV[k]! += (share * carriedV[k]!) / carried[k]!
      trust[k]! += share
    }
  }
  const total = confidence.reduce((sum, value) => sum + value, 0)
  const meanU = total > 0 ? state.u.reduce((sum, value, k) => sum + value * confidence[k]!, 0) / total : 0
  const meanV = total > 0 ? state.v.reduce((sum, value, k) => sum + value * confidence[k]!, 0) / total : 0
  for (let k = 0; k < nodes.count; k++) {
    outU[k]! += (1 - trust[k]!) * meanU
    outV[k]! += (1 - trust[k]!) * meanV
  }
  state.u = outU
  state.v = outV
}

/**
 * Sums of products of gradients (in x and y) and differences in time (t), spread bilinearly to the four nodes around
 * each pixel.
 */
function gather(state: MotionState, images: readonly Image[], pairs: readonly Pair[]): Float32Array[] {
  const { nodes } = state
  const sums = Array.from({ length: 10 }, () => new Float32Array(nodes.count))
  const [xx, xy, yy, xt, yt, x1, y1, t1, n1, tt] = sums as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ]
  const { nx, ny, shrink } = nth(images, 0)
  const perPixel = shrink / nodes.spacing
  const offset = (0.5 * (shrink - 1)) / nodes.spacing
  const columns = sampleNodes(nx, perPixel, offset, nodes.nx)
  const rows = sampleNodes(ny, perPixel, offset, nodes.ny)
  for (const pair of pairs) {
    const before = nth(images, pair.from).values
    const after = nth(images, pair.to).values
    const [hiddenBefore, hiddenAfter] = [nth(images, pair.from).unseen, nth(images, pair.to).unseen]
    const step = pair.minutes / shrink
    for (let j = 1; j < ny - 1; j++) {
      const j0 = rows.index[j]!
      const fy = rows.fraction[j]!
      for (let i = 1; i < nx - 1; i++) {
        const at = j * nx + i
        const i0 = columns.index[i]!
        const fx = columns.fraction[i]!
        const k = j0 * nodes.nx + i0
        const gx1 = 0.5 * (after[at + 1]! - after[at - 1]!)
        const gy1 = 0.5 * (after[at + nx]! - after[at - nx]!)
        if (gx1 === 0 && gy1 === 0 && after[at] === 0) continue
        // The edge of coverage does not move with the echoes, so its pixels are excluded.
        if (hiddenAfter?.[at]) continue
        const w00 = (1 - fx) * (1 - fy)
        const w10 = fx * (1 - fy)
        const w01 = (1 - fx) * fy
        const w11 = fx * fy
        const k01 = k + nodes.nx
        const u = w00 * state.u[k]! + w10 * state.u[k + 1]! + w01 * state.u[k01]! + w11 * state.u[k01 + 1]!
        const v = w00 * state.v[k]! + w10 * state.v[k + 1]! + w01 * state.v[k01]! + w11 * state.v[k01 + 1]!
        const x = i - u * step
        const y = j - v * step
        if (!(x >= 1 && y >= 1 && x < nx - 2 && y < ny - 2)) continue
        const xi = x | 0
        const yi = y | 0
        const px = x - xi
        const py = y - yi
        const b = yi * nx + xi
        if (hiddenBefore?.[b]) continue
        const c00 = before[b]!
        const c10 = before[b + 1]!
        const c01 = before[b + nx]!
        const c11 = before[b + nx + 1]!
        const earlier = (1 - py) * ((1 - px) * c00 + px * c10) + py * ((1 - px) * c01 + px * c11)
        const gx0 = (1 - py) * (c10 - c00) + py * (c11 - c01)
        const gy0 = (1 - px) * (c01 - c00) + px * (c11 - c10)
        // Because after(p) = before(p - d), a longer d along the gradient lowers the value that arrives.
        const residual = earlier - after[at]!
        const robust = 1 / (1 + (residual * residual) / 36)
        const gx = 0.5 * (gx0 + gx1) * step
        const gy = 0.5 * (gy0 + gy1) * step
        for (let corner = 0; corner < 4; corner++) {
          const w = robust * (corner === 0 ? w00 : corner === 1 ? w10 : corner === 2 ? w01 : w11)
          const node = corner === 0 ? k : corner === 1 ? k + 1 : corner === 2 ? k01 : k01 + 1
          xx[node]! += w * gx * gx
          xy[node]! += w * gx * gy
          yy[node]! += w * gy * gy
          xt[node]! += w * gx * residual
          yt[node]! += w * gy * residual
          x1[node]! += w * gx
          y1[node]! += w * gy
          t1[node]! += w * residual
          n1[node]! += w
          tt[node]! += w * residual * residual
        }
      }
    }
  }
  return sums
}
