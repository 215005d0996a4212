import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nth } from '../../../ingest/domain/nth.ts'
import { covers, normalizedOutline, type Position, squareDegrees } from '../../../ingest/domain/shape/ring.ts'
import { outlineOf } from '../../../ingest/domain/shape/ring-outline.ts'

const closed = (...points: [number, number][]): Position[] => [...points, nth(points, 0)]

test('covers two lobes whose signed areas cancel', () => {
  // A bow tie: its shoelace area is 0.
  const bow = closed([-100, 40], [-99, 41], [-99, 40], [-100, 41])
  const area = normalizedOutline([[bow]])!
  expect(area).toHaveLength(2)
  expect(squareDegrees(area)).toBeCloseTo(0.5, 9)
  for (const [lon, lat, inside] of [
    [-99.9, 40.5, true],
    [-99.1, 40.5, true],
    [-99.5, 40.9, false],
    [-99.5, 40.1, false],
  ] as const)
    expect(covers(area, lon, lat), `${lon},${lat}`).toBe(inside)
})

test('covers the middle of a star, which an even-odd test leaves out', () => {
  const star = Array.from({ length: 5 }, (_, i): [number, number] => {
    const angle = (i * 4 * Math.PI) / 5
    return [-100 + Math.sin(angle), 40 + Math.cos(angle)]
  })
  const area = normalizedOutline([[closed(...star)]])!
  expect(covers(area, -100, 40)).toBe(true)
  expect(covers(area, -99, 41)).toBe(false)
})

test('rejects a star of thousands of corners before computing millions of crossings', () => {
  const corners = 4999
  const star = Array.from({ length: corners }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * ((i * ((corners - 1) / 2)) % corners)) / corners
    return [-100 + Math.sin(angle), 40 + Math.cos(angle)]
  })
  expect(normalizedOutline([[closed(...star)]])).toBeUndefined()
  // This ring is not rejected, because a person may have drawn it.
  expect(normalizedOutline([[closed(...star.filter((_, i) => i % 250 === 0))]])).toBeDefined()
})

test('keeps a simple ring unchanged, and removes a line that goes back over itself', () => {
  const square = closed([0, 0], [1, 0], [1, 1], [0, 1])
  expect(outlineOf(square)).toEqual([square])
  expect(outlineOf(square)![0]).toBe(square)
  expect(outlineOf(closed([0, 0], [1, 1], [2, 2], [1, 1]))).toBeUndefined()
  // A spike is removed, and the area remains.
  const spiked = normalizedOutline([[closed([0, 0], [1, 0], [3, 0.5], [1, 0], [1, 1], [0, 1])]])!
  expect(squareDegrees(spiked)).toBeCloseTo(1, 9)
  expect(outlineOf(Array.from({ length: 5001 }, (_, i): Position => [i / 100, (i * i) % 7]))).toBeUndefined()
})

test('covers exactly the points around which a random line winds', () => {
  const corner = fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 }))
  fc.assert(
    fc.property(fc.array(corner, { minLength: 3, maxLength: 14 }), (corners) => {
      const ring = closed(...(corners as [number, number][]))
      const area = normalizedOutline([[ring]])
      const outside = reachable(ring)
      for (let x = 0; x < GRID; x++) {
        for (let y = 0; y < GRID; y++) {
          const [lon, lat] = [centre(x), centre(y)]
          const inside = area !== undefined && covers(area, lon, lat)
          const isWound = nth(outside, x)[y] === 'free' && winding(ring, lon, lat) !== 0
          // On the line itself, and in a loop that winds back, either result is right.
          const expected = nth(outside, x)[y] === 'outside' ? false : isWound ? true : inside
          expect(inside, `${lon},${lat} of ${JSON.stringify(ring)}`).toBe(expected)
        }
      }
    }),
    { seed: 19, numRuns: 300 },
  )
})

const GRID = 60
const STEP = 14 / GRID
const centre = (i: number) => -1 + (i + 0.5) * STEP

/** A raster of the ring: cells on the line, cells reached from the border, and the rest. */
function reachable(ring: readonly Position[]): ('line' | 'outside' | 'free')[][] {
  const cells = Array.from({ length: GRID }, (_, x) =>
    Array.from({ length: GRID }, (_, y) => (nearLine(ring, centre(x), centre(y)) ? 'line' : 'free') as never),
  ) as ('line' | 'outside' | 'free')[][]
  const queue: [number, number][] = [[0, 0]]
  while (queue.length) {
    const [x, y] = queue.pop()!
    if (cells[x]?.[y] !== 'free') continue
    nth(cells, x)[y] = 'outside'
    queue.push([x + 1, y], [x - 1, y], [x, y + 1], [x, y - 1])
  }
  return cells
}

function nearLine(ring: readonly Position[], x: number, y: number): boolean {
  for (let i = 0; i + 1 < ring.length; i++) {
    const [ax, ay] = nth(ring, i)
    const [bx, by] = nth(ring, i + 1)
    const square = (bx - ax) ** 2 + (by - ay) ** 2
    const t = square ? Math.max(0, Math.min(1, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / square)) : 0
    if (Math.hypot(ax + t * (bx - ax) - x, ay + t * (by - ay) - y) <= STEP) return true
  }
  return false
}

function winding(ring: readonly Position[], x: number, y: number): number {
  let turns = 0
  for (let i = 0; i + 1 < ring.length; i++) {
    const [ax, ay] = nth(ring, i)
    const [bx, by] = nth(ring, i + 1)
    const left = (bx - ax) * (y - ay) - (x - ax) * (by - ay)
    if (ay <= y && by > y && left > 0) turns++
    if (ay > y && by <= y && left < 0) turns--
  }
  return turns
}
