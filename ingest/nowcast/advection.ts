/** Where echoes go, as those who follow them need it; nodes as in `Motion`. */
export interface Flow {
  readonly nx: number
  readonly ny: number
  readonly spacing: number
  /** Of `pace` frame pixels a minute, or of one. */
  readonly u: Float32Array | Int16Array
  readonly v: Float32Array | Int16Array
  readonly pace?: number
}

/** A place on a frame in pixels; 0,0 is the centre of the north-western pixel. */
export interface Place {
  readonly x: number
  readonly y: number
}

/** Minutes that one stretch of a trajectory lasts. */
export const STRETCH = 5

/** Velocity at a place, frame pixels a minute, bilinear between nodes; beyond the edge the edge's. */
export function velocity(motion: Flow, x: number, y: number, out: { u: number; v: number }): void {
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
 * Where what arrives at a place came from: backward semi-Lagrangian, each stretch by the velocity at its middle,
 * found in three fixed-point rounds (Staniforth and Cote 1991). The field of motion moves with nothing: it stands.
 * @returns the origin after 0, 1, … `stretches` stretches of five minutes
 */
export function backTrajectory(motion: Flow, at: Place, stretches: number): Place[] {
  const origins: Place[] = [at]
  let { x, y } = at
  const flow = { u: 0, v: 0 }
  for (let stretch = 0; stretch < stretches; stretch++) {
    velocity(motion, x, y, flow)
    let dx = flow.u * STRETCH
    let dy = flow.v * STRETCH
    for (let round = 0; round < 3; round++) {
      velocity(motion, x - dx / 2, y - dy / 2, flow)
      dx = flow.u * STRETCH
      dy = flow.v * STRETCH
    }
    x -= dx
    y -= dy
    origins.push({ x, y })
  }
  return origins
}

/** Origins of every node's arrivals after each stretch: the whole frame's trajectories, smooth enough to interpolate between nodes. */
export function nodeTrajectories(motion: Flow, stretches: number): { dx: Float32Array; dy: Float32Array }[] {
  const count = motion.nx * motion.ny
  const steps = Array.from({ length: stretches + 1 }, () => ({
    dx: new Float32Array(count),
    dy: new Float32Array(count),
  }))
  for (let j = 0; j < motion.ny; j++) {
    for (let i = 0; i < motion.nx; i++) {
      const at = { x: i * motion.spacing, y: j * motion.spacing }
      const origins = backTrajectory(motion, at, stretches)
      origins.forEach((origin, step) => {
        steps[step]!.dx[j * motion.nx + i] = origin.x - at.x
        steps[step]!.dy[j * motion.nx + i] = origin.y - at.y
      })
    }
  }
  return steps
}

/** From where, relative to any place, what arrives there after so many stretches came: bilinear between the nodes' own trajectories. */
export function displacements(motion: Flow, stretches: number): (x: number, y: number) => { dx: number; dy: number } {
  const last = nodeTrajectories(motion, stretches)[stretches]!
  const smooth: Flow = { ...motion, u: last.dx, v: last.dy, pace: 1 }
  const flow = { u: 0, v: 0 }
  const out = { dx: 0, dy: 0 }
  return (x, y) => {
    velocity(smooth, x, y, flow)
    out.dx = flow.u
    out.dy = flow.v
    return out
  }
}
