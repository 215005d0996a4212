import { describe, expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { sampleKernels, statisticsSize } from '../../ingest/steps/grid/kernels.ts'
import { lay } from '../../ingest/tile/kernels.ts'
import { seeded } from './made-slabs.ts'

const nx = 37
const ny = 23
const points = nx * ny
const random = seeded(11)

/** 501 cells at random places, some of them on points and on the grid's edges. */
const cells = Array.from({ length: 501 }, (_, k) => {
  const i = k < 20 ? nx - 1 : k < 40 ? Math.floor(random() * nx) : random() * (nx - 1)
  const j = k > 10 && k < 30 ? ny - 1 : k < 40 ? Math.floor(random() * ny) : random() * (ny - 1)
  return { i, j }
})

function place(field: Float32Array, other = field) {
  const kernels = sampleKernels()
  const at = lay(kernels, {
    statistics: statisticsSize,
    moreStatistics: statisticsSize,
    map: cells.length * 8,
    field: points * 4 + 64,
    other: points * 4 + 64,
    codes: cells.length * 2,
    more: cells.length * 2,
  })
  const { buffer } = kernels.memory
  const view = new DataView(buffer)
  cells.forEach(({ i, j }, k) => {
    const left = Math.min(Math.floor(i), nx - 2)
    const low = Math.min(Math.floor(j), ny - 2)
    view.setUint32(at.map + k * 8, low * nx + left, true)
    view.setUint16(at.map + k * 8 + 4, Math.round((i - left) * 65535), true)
    view.setUint16(at.map + k * 8 + 6, Math.round((j - low) * 65535), true)
  })
  new Float32Array(buffer, at.field, points).set(field)
  new Float32Array(buffer, at.other, points).set(other)
  const codes = new Int16Array(buffer, at.codes, cells.length)
  const more = new Int16Array(buffer, at.more, cells.length)
  const statistics = (from = at.statistics) => {
    const words = new DataView(buffer, from, statisticsSize)
    return {
      least: words.getInt32(0, true),
      most: words.getInt32(4, true),
      sum: Number(words.getBigInt64(8, true)),
      missing: words.getInt32(16, true),
      rejected: words.getInt32(20, true),
      beyond: words.getInt32(24, true),
    }
  }
  return { kernels, at, codes, more, statistics }
}

/** The rule in its simplest form. */
function mean(field: Float32Array, i: number, j: number, counts: (value: number) => boolean): number {
  const left = Math.min(Math.floor(i), nx - 2)
  const low = Math.min(Math.floor(j), ny - 2)
  let [sum, weight] = [0, 0]
  for (const [di, dj] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const) {
    const value = nth(field, (low + dj) * nx + left + di)
    if (!counts(value)) continue
    const w = (di ? i - left : 1 - (i - left)) * (dj ? j - low : 1 - (j - low))
    sum += w * value
    weight += w
  }
  return weight > 0.001 ? sum / weight : Number.NaN
}

const smooth = Float32Array.from(
  { length: points },
  (_, p) => 280 + 10 * Math.sin((p % nx) / 5) + Math.floor(p / nx) / 3,
)

describe('smooth fields', () => {
  test.each([0, 0.02, 0.4, 1])('are not affected by a share of %d of missing points', (share) => {
    const field = smooth.map((value) => (random() < share ? Number.NaN : value))
    // Values out of range are treated as missing and counted, also beside other values.
    if (share === 0.02) for (let k = 0; k < 300; k++) field[k] = 9999
    const { kernels, at, codes, statistics } = place(field)
    kernels.sampleBilinear(at.field, nx, at.map, cells.length, 180, 340, 10, -1000, 800, 2400, at.codes, at.statistics)
    const counts = (value: number) => value >= 180 && value <= 340
    let [missing, rejected, sum, least, most] = [0, 0, 0, 99999, -99999]
    for (const [to, { i, j }] of cells.entries()) {
      const expected = mean(field, i, j, counts)
      const corner = Math.min(Math.floor(j), ny - 2) * nx + Math.min(Math.floor(i), nx - 2)
      if ([0, 1, nx, nx + 1].some((step) => field[corner + step] === 9999)) rejected++
      if (Number.isNaN(expected)) {
        missing++
        expect(codes[to]).toBe(-32768)
      } else {
        expect(Math.abs(nth(codes, to) - (expected * 10 - 1000))).toBeLessThanOrEqual(0.51)
        sum += nth(codes, to)
        least = Math.min(least, nth(codes, to))
        most = Math.max(most, nth(codes, to))
      }
    }
    expect(statistics()).toMatchObject({ missing, rejected, beyond: 0, sum })
    expect(missing === cells.length).toBe(share === 1)
    expect(statistics()).toMatchObject(share === 1 ? { missing } : { least, most })
  })

  test('report codes that do not fit 16 bits', () => {
    const { kernels, at, statistics } = place(smooth)
    kernels.sampleBilinear(at.field, nx, at.map, cells.length, 180, 340, 1000, 0, 0, 340_000, at.codes, at.statistics)
    expect(statistics().beyond).toBe(1)
  })

  test('clamp values that exceed the range by a rounding error', () => {
    const field = smooth.map(() => 100.3)
    const { kernels, at, codes, statistics } = place(field)
    kernels.sampleBilinear(at.field, nx, at.map, cells.length, -1, 101, 1, 0, 0, 100, at.codes, at.statistics)
    expect(new Set(codes)).toEqual(new Set([100]))
    expect(statistics().missing).toBe(0)
  })
})

test('samples categories from the nearest point', () => {
  const field = Float32Array.from({ length: points }, () => (random() < 0.2 ? Number.NaN : Math.floor(random() * 9)))
  const { kernels, at, codes, statistics } = place(field)
  kernels.sampleNearest(at.field, nx, at.map, cells.length, 0, 9, 1, 0, 0, 9, at.codes, at.statistics)
  let missing = 0
  for (const [to, { i, j }] of cells.entries()) {
    const expected = nth(field, Math.round(j) * nx + Math.round(i))
    if (Number.isNaN(expected)) missing++
    expect(codes[to]).toBe(Number.isNaN(expected) ? -32768 : expected)
  }
  expect(statistics().missing).toBe(missing)
})

describe('wind', () => {
  const east = Float32Array.from({ length: points }, (_, p) => 12 * Math.sin(p / 31) + 0.3)
  const north = Float32Array.from({ length: points }, (_, p) => 9 * Math.cos(p / 17))
  const bearing = (x: number, y: number) => ((((Math.atan2(x, y) * 180) / Math.PI) % 360) + 360) % 360
  const apart = (angle: number, other: number) => Math.abs(((angle - other + 540) % 360) - 180)

  test('becomes speed and the direction from which it blows', () => {
    const { kernels, at, codes, more, statistics } = place(east, north)
    kernels.sampleWind(
      at.field,
      at.other,
      nx,
      at.map,
      cells.length,
      250,
      20,
      1,
      180,
      at.codes,
      at.more,
      at.statistics,
      at.moreStatistics,
    )
    for (const [to, { i, j }] of cells.entries()) {
      const x = mean(east, i, j, () => true)
      const y = mean(north, i, j, () => true)
      expect(Math.abs(nth(codes, to) - Math.hypot(x, y) * 20)).toBeLessThanOrEqual(0.51)
      // In wind of 0.1 m/s or less any direction is accepted.
      expect(Math.hypot(x, y) > 0.1 ? apart(nth(more, to), bearing(-x, -y)) : 0).toBeLessThanOrEqual(0.52)
      expect(more[to]).toBeGreaterThanOrEqual(0)
      expect(more[to]).toBeLessThan(360)
    }
    expect(statistics().missing).toBe(0)
  })

  test('is rejected and counted if it is impossible', () => {
    const storm = north.map((value, p) => (p < points / 2 ? value : value + 300))
    const { kernels, at, codes, more, statistics } = place(east, storm)
    kernels.sampleWind(
      at.field,
      at.other,
      nx,
      at.map,
      cells.length,
      130,
      20,
      1,
      180,
      at.codes,
      at.more,
      at.statistics,
      at.moreStatistics,
    )
    const refused = (p: number) => Math.hypot(nth(east, p), nth(storm, p)) > 130
    const [x, y] = [east, storm].map((field) => field.map((value, p) => (refused(p) ? Number.NaN : value)))
    let [missing, rejected] = [0, 0]
    for (const [to, { i, j }] of cells.entries()) {
      const corner = Math.min(Math.floor(j), ny - 2) * nx + Math.min(Math.floor(i), nx - 2)
      if ([0, 1, nx, nx + 1].some((step) => refused(corner + step))) rejected++
      // A rejected point counts for neither component.
      const [u, v] = [x!, y!].map((field) => mean(field, i, j, (value) => !Number.isNaN(value)))
      if (Number.isNaN(u!)) {
        missing++
        expect(codes[to]).toBe(-32768)
      } else {
        expect(Math.abs(nth(codes, to) - Math.hypot(u!, v!) * 20)).toBeLessThanOrEqual(0.51)
        expect(apart(nth(more, to), bearing(-u!, -v!))).toBeLessThanOrEqual(0.52)
      }
    }
    expect(missing).toBeGreaterThan(cells.length / 4)
    expect(rejected).toBeGreaterThan(missing)
    expect(statistics()).toMatchObject({ missing, rejected })
    const unknown = place(
      east,
      north.map(() => Number.NaN),
    )
    const { kernels: none, at: there } = unknown
    none.sampleWind(
      there.field,
      there.other,
      nx,
      there.map,
      cells.length,
      130,
      20,
      1,
      180,
      there.codes,
      there.more,
      there.statistics,
      there.moreStatistics,
    )
    expect(unknown.statistics()).toMatchObject({ missing: cells.length, rejected: 0 })
  })

  test('averages directions as vectors of speed, across north and in calm air', () => {
    const speed = Float32Array.from({ length: points }, (_, p) => (p % 3 === 0 ? 0 : 5 + (p % 7)))
    const direction = Float32Array.from({ length: points }, (_, p) => (350 + (p % 21)) % 360)
    const { kernels, at, more } = place(direction, speed)
    kernels.fromDirection(at.field, at.other, points)
    kernels.sampleWind(
      at.field,
      at.other,
      nx,
      at.map,
      cells.length,
      250,
      1,
      1,
      0,
      0,
      at.more,
      at.statistics,
      at.moreStatistics,
    )
    const part = (turn: (angle: number) => number) =>
      direction.map((degrees, p) => Math.max(nth(speed, p), 0.01) * turn((degrees * Math.PI) / 180))
    const [x, y] = [part(Math.sin), part(Math.cos)]
    for (const [to, { i, j }] of cells.entries()) {
      const expected = bearing(
        mean(x, i, j, () => true),
        mean(y, i, j, () => true),
      )
      expect(apart(nth(more, to), expected)).toBeLessThanOrEqual(0.52)
    }
  })

  test('ignores an invalid speed or direction', () => {
    const speed = Float32Array.from({ length: points }, (_, p) => 5 + (p % 7))
    const direction = Float32Array.from({ length: points }, (_, p) => 200 + (p % 21))
    const broken = new Map([
      [40, -9999],
      [300, 1e20],
      [500, 9999],
    ])
    const harmed = (field: Float32Array) => field.map((value, p) => broken.get(p) ?? value)
    const known = new Float32Array(speed.map((value, p) => (broken.has(p) ? Number.NaN : value)))
    const sampled = (directionField: Float32Array, by: Float32Array) => {
      const { kernels, at, more, statistics } = place(directionField, by)
      kernels.fromDirection(at.field, at.other, points)
      kernels.sampleWind(
        at.field,
        at.other,
        nx,
        at.map,
        cells.length,
        250,
        1,
        1,
        0,
        0,
        at.more,
        at.statistics,
        at.moreStatistics,
      )
      return { directions: [...more], rejected: statistics(at.moreStatistics).rejected }
    }
    const expected = sampled(direction, known)
    const bySpeed = sampled(direction, harmed(speed))
    const byDirection = sampled(harmed(direction), speed)
    expect(bySpeed.directions).toEqual(expected.directions)
    expect(byDirection.directions).toEqual(expected.directions)
    expect(expected.rejected).toBe(0)
    expect(bySpeed.rejected).toBeGreaterThan(3)
    expect(byDirection.rejected).toBe(bySpeed.rejected)
  })

  test('rotates grid-relative components to true north point by point', () => {
    const { kernels, at } = place(east, north)
    const angles = Float64Array.from({ length: points }, (_, p) => 0.5 * Math.sin(p / 50))
    const room = lay(kernels, { before: at.more + cells.length * 2, angles: points * 8 }).angles
    const laid = new Float32Array(kernels.memory.buffer, room, points * 2)
    angles.forEach((angle, p) => {
      laid[p] = Math.cos(angle)
      laid[points + p] = Math.sin(angle)
    })
    kernels.turnWind(at.field, at.other, points, room)
    const turned = [at.field, at.other].map((from) => new Float32Array(kernels.memory.buffer, from, points))
    angles.forEach((angle, p) => {
      expect(nth(turned, 0)[p]).toBeCloseTo(nth(east, p) * Math.cos(angle) + nth(north, p) * Math.sin(angle), 4)
      expect(nth(turned, 1)[p]).toBeCloseTo(nth(north, p) * Math.cos(angle) - nth(east, p) * Math.sin(angle), 4)
    })
  })
})

/** Reverses every second row. */
const boustrophedon = (field: Float32Array, width = nx) =>
  field.map((value, p) => {
    const [j, i] = [Math.floor(p / width), p % width]
    return j % 2 ? nth(field, j * width + width - 1 - i) : value
  })

test('distinguishes a mirrored field from a correct field by roughness', () => {
  const right = place(smooth)
  const wrong = place(boustrophedon(smooth))
  expect(right.kernels.roughness(right.at.field, nx, ny)).toBeLessThan(1.5)
  expect(right.kernels.mirrored()).toBeLessThan(0.7)
  expect(wrong.kernels.roughness(wrong.at.field, nx, ny)).toBeGreaterThan(3)
  expect(wrong.kernels.mirrored()).toBeGreaterThan(1.5)
  const flat = place(smooth.map(() => 5))
  expect(flat.kernels.roughness(flat.at.field, nx, ny)).toBeNaN()
  expect(flat.kernels.mirrored()).toBeNaN()
})

test('recognizes a nearly constant field such as rain along a narrow front', () => {
  const [width, height] = [200, 120]
  const kernels = sampleKernels()
  const at = lay(kernels, { field: width * height * 4 })
  const measured = (field: Float32Array) => {
    new Float32Array(kernels.memory.buffer, at.field, field.length).set(field)
    return { roughness: kernels.roughness(at.field, width, height), mirrored: kernels.mirrored() }
  }
  const front = Float32Array.from({ length: width * height }, (_, p) => {
    const [j, i] = [Math.floor(p / width), p % width]
    return Math.max(0, 1 - Math.abs(i - width / 4 - j / 3) / 2)
  })
  expect(measured(front).mirrored).toBeLessThan(0.5)
  const wrong = measured(boustrophedon(front, width))
  expect(wrong.roughness).toBeLessThan(3)
  expect(wrong.mirrored).toBeGreaterThan(2)
})

test('values that mean "missing" are blanked, but similar numbers are not', () => {
  const field = smooth.map((value, p) => (p % 4 === 1 ? 20_000 : p % 4 === 2 ? 19_990 : value))
  const { kernels, at } = place(field)
  kernels.maskValue(at.field, points, 20_000, 0.5)
  const blanked = new Float32Array(kernels.memory.buffer, at.field, points)
  for (const [p, value] of field.entries()) expect(blanked[p]).toEqual(value === 20_000 ? Number.NaN : value)
})
