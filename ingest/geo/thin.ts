import { nth } from '../domain/nth.ts'
import type { Ring } from '../domain/shape/ring.ts'

/** Simplifies a closed ring with a tolerance in degrees, and returns it without its closing point. */
export function thin(ring: readonly (readonly number[])[], tolerance: number): Ring {
  const points = ring.slice(0, -1) as unknown as [number, number][]
  if (points.length < 5) return points
  const keep = new Uint8Array(points.length)
  let far = 0
  let farthest = -1
  for (let i = 1; i < points.length; i++) {
    const away = Math.hypot(nth(points, i)[0] - nth(points, 0)[0], nth(points, i)[1] - nth(points, 0)[1])
    if (away > farthest) {
      farthest = away
      far = i
    }
  }
  keep[0] = keep[far] = 1
  const stack: [number, number][] = [
    [0, far],
    [far, points.length],
  ]
  while (stack.length) {
    const [from, to] = stack.pop()!
    const a = nth(points, from)
    const b = nth(points, to % points.length)
    let worst = tolerance
    let at = -1
    for (let i = from + 1; i < to; i++) {
      const away = segment(nth(points, i), a, b)
      if (away > worst) {
        worst = away
        at = i
      }
    }
    if (at > 0) {
      keep[at] = 1
      stack.push([from, at], [at, to])
    }
  }
  return points.filter((_, i) => keep[i])
}

function segment(p: [number, number], a: [number, number], b: [number, number]): number {
  const dx = b[0] - a[0]
  const dy = b[1] - a[1]
  const length = dx * dx + dy * dy
  const t = length ? Math.min(1, Math.max(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length)) : 0
  return Math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)
}
