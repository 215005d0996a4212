import { entryOf, nth } from '../../ingest/domain/nth.ts'
import { carry, dice, type Flow, flows, lattice, type RateFrame, type StormOptions, stormField } from './storms.ts'

/** Scenes with more than drifting storms: rain that stays on mountains, gaps of coverage, storms that enter, grow and turn. */
export interface Scene {
  readonly name: string
  readonly at: (minute: number) => RateFrame
}

type Sizes = readonly [nx: number, ny: number]

/** Storms on a grid larger than the visible one, so that some enter at the edge. They move from half an hour before the first scan. */
function entering(sizes: Sizes, seed: number, flow: Flow, options: StormOptions) {
  const [nx, ny] = sizes
  const margin = 260
  const wide = stormField(nx + 2 * margin, ny + 2 * margin, seed, true, options)
  const shifted: Flow = (x, y) => flow(x - margin, y - margin)
  return (minute: number) => crop(carry(wide(minute), shifted, minute + 30), margin, sizes)
}

function crop(frame: RateFrame, margin: number, [nx, ny]: Sizes): RateFrame {
  const values = new Float32Array(nx * ny)
  for (let j = 0; j < ny; j++) {
    const from = (j + margin) * frame.nx + margin
    values.set(frame.values.subarray(from, from + nx), j * nx)
  }
  return { nx, ny, values }
}

interface Ridge {
  readonly x: number
  readonly y: number
  readonly a: number
  readonly b: number
  readonly peak: number
}

const ridgesOf = ([nx, ny]: Sizes, seed: number, count: number): Ridge[] => {
  const random = dice(seed)
  return Array.from({ length: count }, (_, k) => ({
    x: nx * (0.12 + (0.76 * (k + 0.3 * random())) / count),
    y: ny * (0.2 + (0.6 * (k + 0.5 * random())) / count),
    a: 14 + 22 * random(),
    b: 6 + 9 * random(),
    peak: 2 + 9 * random(),
  }))
}

/** Orographic rain: it stays over ridges, and its strength follows the moist patches that drift over them. */
function orographic(sizes: Sizes, seed: number, ridges: readonly Ridge[], [u, v]: readonly [number, number]) {
  const [nx, ny] = sizes
  const noise = lattice(dice(seed), 256)
  return (minute: number, into: Float32Array): void => {
    for (const ridge of ridges) {
      const reach = Math.ceil(3 * Math.max(ridge.a, ridge.b))
      for (let j = Math.max(0, Math.floor(ridge.y - reach)); j < Math.min(ny, ridge.y + reach); j++) {
        for (let i = Math.max(0, Math.floor(ridge.x - reach)); i < Math.min(nx, ridge.x + reach); i++) {
          const [p, q] = [(i - ridge.x) / ridge.a, (j - ridge.y) / ridge.b]
          const lift = Math.exp(-0.5 * (p * p + q * q))
          const [x, y] = [i - u * minute + 4000, j - v * minute + 4000]
          const moist = 0.65 * noise(x / 42, y / 42) + 0.35 * noise(x / 13, y / 13 + 50)
          const relief = 0.6 + 0.8 * noise(i / 7 + 90, j / 7)
          const rate = ridge.peak * lift * relief * Math.max(0, 2.4 * moist - 0.35) - 0.15
          if (rate > nth(into, j * nx + i)) into[j * nx + i] = Math.round(rate * 10) / 10
        }
      }
    }
  }
}

/** No coverage (NaN) beyond the range of the radars and in the sectors that mountains block. */
function coverageOf([nx, ny]: Sizes, seed: number, count: number, range: number): Uint8Array {
  const random = dice(seed)
  const radars = Array.from({ length: count }, (_, k) => ({
    x: nx * (0.1 + (0.8 * (k + 0.5 * random())) / Math.max(1, count - 0.5)),
    y: ny * (0.15 + 0.7 * random()),
    blocked: 2 * Math.PI * random(),
    width: 0.25 + 0.5 * random(),
  }))
  const coverage = new Uint8Array(nx * ny)
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const covered = radars.some(({ x, y, blocked, width }) => {
        const [dx, dy] = [i - x, j - y]
        const turn = Math.abs(((Math.atan2(dy, dx) - blocked + 5 * Math.PI) % (2 * Math.PI)) - Math.PI)
        return dx * dx + dy * dy < range * range && (turn > width || dx * dx + dy * dy < 400)
      })
      if (covered) coverage[j * nx + i] = 1
    }
  }
  return coverage
}

function masked(frame: RateFrame, coverage: Uint8Array): RateFrame {
  return { ...frame, values: frame.values.map((rate, k) => (coverage[k] ? rate : Number.NaN)) }
}

/** Short-lived trade-wind showers that pass islands with stationary rain, seen by a few radars with gaps. A pixel is 0.5 km. */
function islands(sizes: Sizes, seed: number): Scene['at'] {
  const wind: Flow = (x, y) => [-0.78 + 0.1 * Math.sin((6 * y) / sizes[1]), 0.18 + 0.08 * Math.cos((6 * x) / sizes[0])]
  const showers = entering(sizes, seed, wind, { size: [3, 11], life: [25, 80], area: 12_000, peak: [0.4, 25] })
  const rain = orographic(sizes, seed + 1, ridgesOf(sizes, seed + 2, 6), [-0.6, 0.1])
  const coverage = coverageOf(sizes, seed + 3, 4, Math.min(sizes[0], sizes[1]) * 0.42)
  return (minute) => {
    const frame = showers(minute)
    rain(minute, frame.values)
    return masked(frame, coverage)
  }
}

/** Returns the scenes on a grid; a frame is drawn when it is requested. */
export function scenes(nx: number, ny: number): Scene[] {
  const sizes = [nx, ny] as const
  const flow = (kind: string) => entryOf(flows, kind)(nx, ny)
  const lazy = <T>(make: () => T) => {
    let value: T | undefined
    return () => (value ??= make())
  }
  const scene = (name: string, make: () => Scene['at']): Scene => {
    const at = lazy(make)
    return { name, at: (minute) => at()(minute) }
  }
  return [
    scene('islands, trade wind', () => islands(sizes, 21)),
    scene('islands, other showers', () => islands(sizes, 58)),
    scene('rain on mountains below passing storms', () => {
      const storms = entering(sizes, 33, flow('advecting'), { area: 60_000 })
      const rain = orographic(sizes, 34, ridgesOf(sizes, 35, 14), [0.7, -0.3])
      return (minute) => {
        const frame = storms(minute)
        rain(minute, frame.values)
        return frame
      }
    }),
    scene('growth of all storms', () => entering(sizes, 41, flow('advecting'), { born: [-45, 5], life: [100, 220] })),
    scene('rotation, growing and dying', () => entering(sizes, 43, flow('turning'), {})),
    scene('storms that enter, fast', () => entering(sizes, 47, flow('fast'), {})),
    scene('gaps of coverage', () => {
      const storms = entering(sizes, 51, flow('sheared'), {})
      const coverage = coverageOf(sizes, 52, 5, Math.min(nx, ny) * 0.36)
      return (minute) => masked(storms(minute), coverage)
    }),
    scene('few small storms', () =>
      entering(sizes, 61, flow('advecting'), { area: 150_000, size: [3, 9], life: [40, 120] }),
    ),
  ]
}
