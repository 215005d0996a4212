import { nth } from '../../ingest/domain/nth.ts'

/** A precipitation rate on a grid, mm/h, row-major, north first; NaN without coverage. */
export interface RateFrame {
  readonly nx: number
  readonly ny: number
  readonly values: Float32Array
}

/** A known flow: the velocity at a position, pixels a minute. */
export type Flow = (x: number, y: number) => readonly [u: number, v: number]

/** Returns numbers in [0, 1) that are the same on every machine (mulberry32). */
export function dice(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** Flows to score on; the rotation is about the middle of the grid. */
export const flows: Record<string, (nx: number, ny: number) => Flow> = {
  advecting: (nx) => (x, y) => [0.95 + 0.12 * Math.sin((9 * x) / nx), -0.35 + 0.1 * Math.cos((9 * y) / nx)],
  fast: (nx) => (x, y) => [2.4 + 0.1 * Math.sin((11 * x) / nx), -1.1 + 0.1 * Math.cos((7 * y) / nx)],
  sheared: (nx, ny) => (x, y) => [0.5 + 0.9 * (y / ny), 0.45 * Math.sin((2 * Math.PI * x) / nx)],
  turning: (nx, ny) => (x, y) => {
    const rx = (x - nx / 2) / nx
    const ry = (y - ny / 2) / nx
    const spin = 4.5 * Math.exp(-(rx * rx + ry * ry) / 0.08)
    return [0.35 - spin * ry, spin * rx]
  },
}

interface Cell {
  x: number
  y: number
  a: number
  b: number
  angle: number
  peak: number
  born: number
  life: number
}

export interface StormOptions {
  /** Pixels of the grid for each storm. */
  readonly area?: number
  /** Half widths of the smallest and the largest storm, pixels. */
  readonly size?: readonly [number, number]
  /** Rates of the weakest and the strongest storm, mm/h. */
  readonly peak?: readonly [number, number]
  /** Minutes in which the first and the last storm begin, and the shortest and longest lifetime, minutes. */
  readonly born?: readonly [number, number]
  readonly life?: readonly [number, number]
}

/**
 * Returns storms in the coordinates of minute 0: many cells of many sizes, with lattice noise. With `lifetimes` each storm grows and
 * decays along a half sine; without them, all stay the same.
 */
export function stormField(nx: number, ny: number, seed: number, lifetimes: boolean, options: StormOptions = {}) {
  const { area = 40_000, size: [smallest, largest] = [3, 41], peak: [least, most] = [0.4, 60] } = options
  const { born: [first, last] = [-200, 40], life: [shortest, longest] = [90, 240] } = options
  const random = dice(seed)
  const count = Math.round((nx * ny) / area)
  const cells: Cell[] = []
  for (let n = 0; n < count; n++) {
    // Storms are clustered: two of three are near the previous storm.
    const before = cells[cells.length - 1]
    const near = before && random() < 0.8
    const x = near ? before.x + (random() - 0.5) * 220 : random() * nx
    const y = near ? before.y + (random() - 0.5) * 160 : random() * ny
    const size = smallest + (largest - smallest) * random() ** 3
    cells.push({
      x,
      y,
      a: size * (0.7 + 1.2 * random()),
      b: size,
      angle: random() * Math.PI,
      peak: least * (most / least) ** random(),
      born: first + (last - first) * random(),
      life: shortest + (longest - shortest) * random(),
    })
  }
  const noise = lattice(random, 256)
  return (minute: number): RateFrame => {
    const values = new Float32Array(nx * ny)
    for (const cell of cells) {
      const age = (minute - cell.born) / cell.life
      const strength = lifetimes ? (age > 0 && age < 1 ? Math.sin(Math.PI * age) : 0) : 1
      if (strength <= 0.01) continue
      const grow = lifetimes ? 0.6 + 0.4 * strength : 1
      drawCell(values, nx, ny, cell, strength * cell.peak, grow)
    }
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        const k = j * nx + i
        if (values[k] === 0) continue
        const texture = noise(i / 11, j / 11) * 0.6 + noise(i / 29 + 40, j / 29) * 0.4
        const rate = nth(values, k) * Math.exp(3.2 * (texture - 0.5)) - 0.06
        values[k] = rate < 0.05 ? 0 : Math.round(rate * 10) / 10
      }
    }
    return { nx, ny, values }
  }
}

function drawCell(values: Float32Array, nx: number, ny: number, cell: Cell, peak: number, grow: number): void {
  const a = cell.a * grow
  const b = cell.b * grow
  const reach = 3.2 * Math.max(a, b)
  const cos = Math.cos(cell.angle)
  const sin = Math.sin(cell.angle)
  for (let j = Math.max(0, Math.ceil(cell.y - reach)); j <= Math.min(ny - 1, cell.y + reach); j++) {
    for (let i = Math.max(0, Math.ceil(cell.x - reach)); i <= Math.min(nx - 1, cell.x + reach); i++) {
      const dx = i - cell.x
      const dy = j - cell.y
      const p = (dx * cos + dy * sin) / a
      const q = (dy * cos - dx * sin) / b
      const rate = peak * Math.exp(-0.5 * (p * p + q * q))
      if (rate > nth(values, j * nx + i)) values[j * nx + i] = rate
    }
  }
}

export function lattice(random: () => number, size: number): (x: number, y: number) => number {
  const knots = Float32Array.from({ length: size * size }, random)
  const at = (i: number, j: number) => nth(knots, (j & (size - 1)) * size + (i & (size - 1)))
  return (x, y) => {
    const i = Math.floor(x)
    const j = Math.floor(y)
    const fx = x - i
    const fy = y - j
    const sx = fx * fx * (3 - 2 * fx)
    const sy = fy * fy * (3 - 2 * fy)
    return (1 - sy) * ((1 - sx) * at(i, j) + sx * at(i + 1, j)) + sy * ((1 - sx) * at(i, j + 1) + sx * at(i + 1, j + 1))
  }
}

/**
 * Advects a frame along a known flow for some minutes (negative: backwards), taking the nearest pixel at the origin. Trajectories are
 * computed by fourth-order Runge-Kutta in one-minute steps of the flow itself, so that the truth is independent of the code under test.
 */
export function carry(frame: RateFrame, flow: Flow, minutes: number): RateFrame {
  const { nx, ny, values } = frame
  const spacing = 16
  const columns = Math.ceil((nx - 1) / spacing) + 1
  const rows = Math.ceil((ny - 1) / spacing) + 1
  const dx = new Float32Array(columns * rows)
  const dy = new Float32Array(columns * rows)
  const step = -Math.sign(minutes)
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      let x = i * spacing
      let y = j * spacing
      for (let minute = 0; minute < Math.abs(minutes); minute++) {
        const [u1, v1] = flow(x, y)
        const [u2, v2] = flow(x + (step * u1) / 2, y + (step * v1) / 2)
        const [u3, v3] = flow(x + (step * u2) / 2, y + (step * v2) / 2)
        const [u4, v4] = flow(x + step * u3, y + step * v3)
        x += (step * (u1 + 2 * u2 + 2 * u3 + u4)) / 6
        y += (step * (v1 + 2 * v2 + 2 * v3 + v4)) / 6
      }
      dx[j * columns + i] = x - i * spacing
      dy[j * columns + i] = y - j * spacing
    }
  }
  const out = new Float32Array(nx * ny)
  carryInto(out, values, nx, ny, { nx: columns, ny: rows, spacing }, dx, dy)
  return { nx, ny, values: out }
}

/** Fills `out` with the nearest pixel at each pixel's displacement, NaN where that lies outside. */
export function carryInto(
  out: Float32Array,
  values: Float32Array,
  nx: number,
  ny: number,
  nodes: { nx: number; ny: number; spacing: number },
  dx: Float32Array,
  dy: Float32Array,
): void {
  for (let j = 0; j < ny; j++) {
    const fy = j / nodes.spacing
    const j0 = Math.min(fy | 0, nodes.ny - 2)
    const py = fy - j0
    for (let i = 0; i < nx; i++) {
      const fx = i / nodes.spacing
      const i0 = Math.min(fx | 0, nodes.nx - 2)
      const px = fx - i0
      const k = j0 * nodes.nx + i0
      const m = k + nodes.nx
      const x =
        i +
        (1 - py) * ((1 - px) * nth(dx, k) + px * nth(dx, k + 1)) +
        py * ((1 - px) * nth(dx, m) + px * nth(dx, m + 1))
      const y =
        j +
        (1 - py) * ((1 - px) * nth(dy, k) + px * nth(dy, k + 1)) +
        py * ((1 - px) * nth(dy, m) + px * nth(dy, m + 1))
      const xi = Math.round(x)
      const yi = Math.round(y)
      out[j * nx + i] = xi >= 0 && yi >= 0 && xi < nx && yi < ny ? nth(values, yi * nx + xi) : Number.NaN
    }
  }
}
