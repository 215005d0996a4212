import { nth } from '../nth.ts'

type Corner = readonly [number, number]

/**
 * Maximum number of corners, because segments are compared in pairs. Warnings usually have 20 corners; the largest observed have a few
 * hundred.
 */
const MAX_CORNERS = 5000
/**
 * Maximum numbers of compared pairs of segments and of crossings. A star with 5,000 corners has 6 million crossings, which would take 5 GB
 * and an hour.
 */
const MAX_PAIRS = 2_000_000
const MAX_CROSSINGS = 5000
/** Distance below which two vertices are the same, degrees (0.1 mm). */
const SNAP = 1e-9

interface Vertex {
  readonly position: Corner
  readonly neighbours: Set<Vertex>
}

/**
 * Returns the boundary of everything that a closed ring encloses: the ring itself if it is simple, otherwise simple rings that touch at
 * most in single points. Parts without width (a line drawn back and forth) are omitted.
 * @returns undefined if nothing is enclosed, if the ring has more than 5,000 corners, or if it crosses itself thousands of times
 */
export function outlineOf<Ring extends readonly Corner[]>(
  ring: Ring,
): readonly (Ring | readonly Corner[])[] | undefined {
  if (ring.length > MAX_CORNERS) return undefined
  const crossings = crossingsOf(ring)
  if (!crossings) return undefined
  if (crossings.every((list) => list.length === 0) && !repeats(ring)) return [ring]
  const start = graphOf(ring, crossings)
  const loops = simpleLoops(outerWalk(start))
  return loops.length > 0 ? loops : undefined
}

function repeats(ring: readonly Corner[]): boolean {
  const corners = new Set(ring.slice(1).map(keyOf))
  return corners.size !== ring.length - 1
}

const keyOf = ([lon, lat]: Corner) => `${Math.round(lon / SNAP)},${Math.round(lat / SNAP)}`

/**
 * Returns for each segment the points at which another segment crosses, touches or overlaps it, without its own ends.
 * @returns undefined if there are too many
 */
function crossingsOf(ring: readonly Corner[]): Corner[][] | undefined {
  const count = ring.length - 1
  let pairs = 0
  let crossings = 0
  const crossingsBySide: Corner[][] = Array.from({ length: count }, () => [])
  const byWest = Array.from({ length: count }, (_, i) => i).sort((i, j) => westOf(ring, i) - westOf(ring, j))
  for (let a = 0; a < count; a++) {
    const i = nth(byWest, a)
    const east = Math.max(nth(ring, i)[0], nth(ring, i + 1)[0]) + SNAP
    for (let b = a + 1; b < count; b++) {
      const j = nth(byWest, b)
      if (westOf(ring, j) > east) break
      crossings += addCrossing(ring, i, j, crossingsBySide)
      if (++pairs > MAX_PAIRS || crossings > MAX_CROSSINGS) return undefined
    }
  }
  return crossingsBySide
}

const westOf = (ring: readonly Corner[], i: number) => Math.min(nth(ring, i)[0], nth(ring, i + 1)[0])

/**
 * Adds the crossing of two segments.
 * @returns the number of added points
 */
function addCrossing(ring: readonly Corner[], i: number, j: number, crossingsBySide: Corner[][]): number {
  const [p, q, r, s] = [nth(ring, i), nth(ring, i + 1), nth(ring, j), nth(ring, j + 1)]
  if (Math.max(p[1], q[1]) + SNAP < Math.min(r[1], s[1]) || Math.max(r[1], s[1]) + SNAP < Math.min(p[1], q[1])) return 0
  const before = nth(crossingsBySide, i).length + nth(crossingsBySide, j).length
  // One segment ends on the other: they touch, or they are parallel and overlap.
  for (const end of [r, s]) if (isOn(end, p, q)) nth(crossingsBySide, i).push(end)
  for (const end of [p, q]) if (isOn(end, r, s)) nth(crossingsBySide, j).push(end)
  const touches = nth(crossingsBySide, i).length + nth(crossingsBySide, j).length - before
  const [dx, dy, ex, ey] = [q[0] - p[0], q[1] - p[1], s[0] - r[0], s[1] - r[1]]
  const cross = dx * ey - dy * ex
  if (cross === 0) return touches
  const t = ((r[0] - p[0]) * ey - (r[1] - p[1]) * ex) / cross
  const u = ((r[0] - p[0]) * dy - (r[1] - p[1]) * dx) / cross
  if (t <= 0 || t >= 1 || u <= 0 || u >= 1) return touches
  const at: Corner = [p[0] + t * dx, p[1] + t * dy]
  if ([p, q, r, s].some((end) => isSame(end, at))) return touches
  nth(crossingsBySide, i).push(at)
  nth(crossingsBySide, j).push(at)
  return touches + 2
}

const isSame = (a: Corner, b: Corner) => Math.abs(a[0] - b[0]) <= SNAP && Math.abs(a[1] - b[1]) <= SNAP

/** Returns whether a point lies between the ends of a segment and is not one of them. */
function isOn(point: Corner, p: Corner, q: Corner): boolean {
  if (isSame(point, p) || isSame(point, q)) return false
  const [dx, dy] = [q[0] - p[0], q[1] - p[1]]
  const length = Math.hypot(dx, dy)
  if (length === 0) return false
  const along = ((point[0] - p[0]) * dx + (point[1] - p[1]) * dy) / length
  const apart = Math.abs((point[0] - p[0]) * dy - (point[1] - p[1]) * dx) / length
  return along > 0 && along < length && apart <= SNAP
}

/**
 * Builds a planar graph of the ring.
 * @returns its southernmost vertex; of several, the westernmost
 */
function graphOf(ring: readonly Corner[], crossings: readonly Corner[][]): Vertex {
  const vertices = new Map<string, Vertex>()
  const vertexAt = (position: Corner): Vertex => {
    const key = keyOf(position)
    let vertex = vertices.get(key)
    if (!vertex) vertices.set(key, (vertex = { position, neighbours: new Set() }))
    return vertex
  }
  for (let i = 0; i + 1 < ring.length; i++) {
    const from = nth(ring, i)
    const along = (point: Corner) => Math.hypot(point[0] - from[0], point[1] - from[1])
    const points = [from, ...nth(crossings, i).toSorted((a, b) => along(a) - along(b)), nth(ring, i + 1)]
    for (let k = 0; k + 1 < points.length; k++) {
      const [a, b] = [vertexAt(nth(points, k)), vertexAt(nth(points, k + 1))]
      if (a === b) continue
      a.neighbours.add(b)
      b.neighbours.add(a)
    }
  }
  let start: Vertex | undefined
  for (const vertex of vertices.values()) {
    const [lon, lat] = vertex.position
    if (!start || lat < start.position[1] || (lat === start.position[1] && lon < start.position[0])) start = vertex
  }
  return start!
}

/** Walks once around the outside, counterclockwise, taking the rightmost edge at every vertex. */
function outerWalk(start: Vertex): Vertex[] {
  const walk: Vertex[] = []
  const first = nextAround(start, -Math.PI / 2)
  if (!first) return walk
  let [from, to] = [start, first]
  // The walk uses each edge at most once in each direction.
  const walked = new Map<Vertex, Set<Vertex>>()
  while (!walked.get(from)?.has(to)) {
    const ways = walked.get(from) ?? new Set()
    walked.set(from, ways.add(to))
    walk.push(from)
    const next = nextAround(to, angleOf(to, from), from)!
    ;[from, to] = [to, next]
  }
  return walk
}

const angleOf = (at: Vertex, to: Vertex) => Math.atan2(to.position[1] - at.position[1], to.position[0] - at.position[0])

/** Returns the first neighbour counterclockwise from an angle. The vertex from which the walk arrived is the last choice. */
function nextAround(at: Vertex, angle: number, from?: Vertex): Vertex | undefined {
  let best: Vertex | undefined
  let least = Infinity
  for (const neighbour of at.neighbours) {
    let turn = (angleOf(at, neighbour) - angle) % (2 * Math.PI)
    if (turn < 0) turn += 2 * Math.PI
    if (neighbour === from) turn = 2 * Math.PI
    if (turn < least) [best, least] = [neighbour, turn]
  }
  return best
}

/** Splits the walk where it returns to a vertex. */
function simpleLoops(walk: readonly Vertex[]): Corner[][] {
  const loops: Corner[][] = []
  const path: Vertex[] = []
  const indexOf = new Map<Vertex, number>()
  for (const vertex of [...walk, ...walk.slice(0, 1)]) {
    const before = indexOf.get(vertex)
    if (before !== undefined) {
      const loop = path.splice(before)
      for (const corner of loop) indexOf.delete(corner)
      if (loop.length >= 3) loops.push([...loop, nth(loop, 0)].map(({ position }) => position))
    }
    indexOf.set(vertex, path.length)
    path.push(vertex)
  }
  return loops
}
