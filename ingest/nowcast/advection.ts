import { nth } from '../domain/nth.ts'

/** Motion of echoes in the form that trajectories need; the nodes are those of `Motion`. */
export interface EchoFlow {
  readonly nx: number
  readonly ny: number
  readonly spacing: number
  /** Unit of the velocities: `pace` frame pixels a minute; 1 if absent. */
  readonly u: Float32Array | Int16Array
  readonly v: Float32Array | Int16Array
  readonly pace?: number
}

/** A position on a frame in pixels; 0,0 is the centre of the north-western pixel. */
export interface FramePosition {
  readonly x: number
  readonly y: number
}

/** Minutes of one step of a trajectory. */
export const STRETCH = 5

/** Velocity at a position, frame pixels a minute, bilinear between nodes; beyond the edge the velocity at the edge. */
export function velocity(motion: EchoFlow, x: number, y: number, out: { u: number; v: number }): void {
  const fx = Math.min(Math.max(x / motion.spacing, 0), motion.nx - 1)
  const fy = Math.min(Math.max(y / motion.spacing, 0), motion.ny - 1)
  const i = Math.min(fx | 0, motion.nx - 2)
  const j = Math.min(fy | 0, motion.ny - 2)
  const px = fx - i
  const py = fy - j
  const k = j * motion.nx + i
  const below = k + motion.nx
  const { u, v, pace = 1 } = motion
  out.u = pace * ((1 - py) * ((1 - px) * u[k]! + px * u[k + 1]!) + py * ((1 - px) * u[below]! + px * u[below + 1]!))
  out.v = pace * ((1 - py) * ((1 - px) * v[k]! + px * v[k + 1]!) + py * ((1 - px) * v[below]! + px * v[below + 1]!))
}

/**
 * Moves one step back along the motion by the velocity at the step's middle, determined in three fixed-point rounds
 * (Staniforth and Cote 1991). The field of motion itself is stationary.
 */
function stepBack(motion: EchoFlow, at: { x: number; y: number }, flow: { u: number; v: number }): void {
  velocity(motion, at.x, at.y, flow)
  let dx = flow.u * STRETCH
  let dy = flow.v * STRETCH
  for (let round = 0; round < 3; round++) {
    velocity(motion, at.x - dx / 2, at.y - dy / 2, flow)
    dx = flow.u * STRETCH
    dy = flow.v * STRETCH
  }
  at.x -= dx
  at.y -= dy
}

/**
 * Returns the origins of the echoes that arrive at a position (backward semi-Lagrangian advection).
 * @returns the origin after 0, 1, … `stretches` steps of five minutes
 */
export function backTrajectory(motion: EchoFlow, at: FramePosition, stretches: number): FramePosition[] {
  const place = { ...at }
  const flow = { u: 0, v: 0 }
  const origins: FramePosition[] = [at]
  for (let stretch = 0; stretch < stretches; stretch++) {
    stepBack(motion, place, flow)
    origins.push({ ...place })
  }
  return origins
}

interface Trajectories {
  readonly steps: { readonly dx: Float32Array; readonly dy: Float32Array }[]
  /** Position of each node's trajectory after the last step. */
  readonly x: Float64Array
  readonly y: Float64Array
}

/** Computed on demand, because pictures of one motion need the steps in sequence. */
const cachedTrajectories = new WeakMap<EchoFlow, Trajectories>()

/**
 * Origins of the echoes that arrive at every node, after each step. The trajectories are smooth enough to interpolate
 * between nodes.
 */
export function nodeTrajectories(motion: EchoFlow, stretches: number): Trajectories['steps'] {
  const { nx, spacing } = motion
  const count = nx * motion.ny
  let known = cachedTrajectories.get(motion)
  if (!known) {
    known = {
      steps: [{ dx: new Float32Array(count), dy: new Float32Array(count) }],
      x: Float64Array.from({ length: count }, (_, k) => (k % nx) * spacing),
      y: Float64Array.from({ length: count }, (_, k) => Math.floor(k / nx) * spacing),
    }
    cachedTrajectories.set(motion, known)
  }
  const { steps, x, y } = known
  const at = { x: 0, y: 0 }
  const flow = { u: 0, v: 0 }
  while (steps.length <= stretches) {
    const dx = new Float32Array(count)
    const dy = new Float32Array(count)
    for (let k = 0; k < count; k++) {
      at.x = x[k]!
      at.y = y[k]!
      stepBack(motion, at, flow)
      x[k] = at.x
      y[k] = at.y
      dx[k] = at.x - (k % nx) * spacing
      dy[k] = at.y - Math.floor(k / nx) * spacing
    }
    steps.push({ dx, dy })
  }
  return steps.slice(0, stretches + 1)
}

/** Displacement from any position to its origin after this many steps, bilinear between the nodes' trajectories. */
export function displacements(
  motion: EchoFlow,
  stretches: number,
): (x: number, y: number) => { dx: number; dy: number } {
  const last = nth(nodeTrajectories(motion, stretches), stretches)
  const smooth: EchoFlow = { ...motion, u: last.dx, v: last.dy, pace: 1 }
  const flow = { u: 0, v: 0 }
  const out = { dx: 0, dy: 0 }
  return (x, y) => {
    velocity(smooth, x, y, flow)
    out.dx = flow.u
    out.dy = flow.v
    return out
  }
}

/**
 * Displacement from any position to the place of its echo this many minutes earlier; the number need not be whole
 * steps.
 */
export function originOf(motion: EchoFlow, minutes: number): (x: number, y: number) => { dx: number; dy: number } {
  const stretches = Math.max(1, Math.round(minutes / STRETCH))
  return displacements({ ...motion, pace: ((motion.pace ?? 1) * minutes) / (stretches * STRETCH) }, stretches)
}
