import { nth } from '../../domain/nth.ts'
import { covers, type MultiPolygon, type Polygon, type Position, type Ring, shoelace } from '../../domain/shape/ring.ts'
import { outline } from './spc-outline.ts'

/** A line across the outlined area, and the positions of its two ends as distances along the outline. */
interface Piece {
  readonly line: readonly Position[]
  readonly from: number
  readonly to: number
}

/**
 * Returns the areas that outlook lines enclose. The area of a line lies to its right. A closed line is a polygon, or a hole if it runs
 * counterclockwise inside another polygon. Open lines are cut at the outline, or extended to it, and then joined along it clockwise. Lines
 * that contradict each other, for example because one has the wrong direction, are omitted.
 */
export function areaOf(lines: readonly (readonly Position[])[]): MultiPolygon {
  const outer: Ring[] = []
  const holes: Ring[] = []
  const pieces: Piece[] = []
  for (const line of chained(lines.map(withoutRepeats).filter((points) => points.length >= 2)).map(closedIfMeant)) {
    if (!samePlace(nth(line, 0), line.at(-1)!)) pieces.push(...inside(line))
    else if (line.length >= 4) (shoelace(line.slice(0, -1)) <= 0 ? outer : holes).push(line)
  }
  outer.push(...agreeing(joined(pieces), pieces))
  const polygons: [Ring, ...Ring[]][] = outer.map((ring) => [ring])
  for (const hole of holes) {
    const around = polygons.find(([ring]) => mostlyIn(hole, ring))
    // A ring in the wrong direction that lies in no other ring counts as an area, not as a hole.
    if (around) around.push(hole)
    else polygons.push([hole])
  }
  return polygons as readonly Polygon[]
}

/** Joins each line to the line that begins where it ends. */
function chained(lines: readonly (readonly Position[])[]): (readonly Position[])[] {
  const remaining = [...lines]
  for (let i = 0; i < remaining.length; i++) {
    const end = nth(remaining, i).at(-1)!
    const next = remaining.findIndex(
      (other, j) => j !== i && samePlace(nth(other, 0), end) && !samePlace(other.at(-1)!, nth(other, 0)),
    )
    if (next < 0 || samePlace(nth(nth(remaining, i), 0), end)) continue
    remaining[i] = [...nth(remaining, i), ...nth(remaining, next).slice(1)]
    remaining.splice(next, 1)
    i = -1
  }
  return remaining
}

/** Closes a line whose ends are much nearer to each other than to the edge. */
function closedIfMeant(line: readonly Position[]): readonly Position[] {
  const first = nth(line, 0)
  const last = line.at(-1)!
  if (samePlace(first, last) || line.length < 3 || !within(first) || !within(last)) return line
  const toEdge = Math.min(distance(first, nearest(first).at), distance(last, nearest(last).at))
  return distance(first, last) < toEdge / 2 ? [...line, first] : line
}

/** Returns the rings that overlap no other ring. Two rings overlap if most corners of the lines of one lie inside the other. */
function agreeing(rings: readonly Ring[], pieces: readonly Piece[]): Ring[] {
  const insides = pieces.flatMap(({ line }) => line.slice(1, -1))
  const on = (ring: Ring) => insides.filter((p) => ring.includes(p))
  return rings.filter((ring) =>
    rings.every((other) => other === ring || !(crosses(on(other), ring) || crosses(on(ring), other))),
  )
}

function crosses(corners: readonly Position[], ring: Ring): boolean {
  return corners.filter(([lon, lat]) => covers([[ring]], lon, lat)).length > corners.length / 2
}

function mostlyIn(ring: Ring, other: Ring): boolean {
  return ring.filter(([lon, lat]) => covers([[other]], lon, lat)).length > ring.length / 2
}

function within(p: Position): boolean {
  return covers([[outline]], p[0], p[1])
}

function samePlace(a: Position, b: Position): boolean {
  return a[0] === b[0] && a[1] === b[1]
}

function distance(a: Position, b: Position): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1])
}

function withoutRepeats(line: readonly Position[]): Position[] {
  return line.filter((p, i) => i === 0 || p[0] !== nth(line, i - 1)[0] || p[1] !== nth(line, i - 1)[1])
}

/** Cuts a line at the outline, and returns the parts inside it. */
function inside(line: readonly Position[]): Piece[] {
  const pieces: Piece[] = []
  let current: Position[] = []
  let from = 0
  const start = nth(line, 0)
  if (within(start)) {
    const edge = nearest(start)
    current = [edge.at]
    from = edge.along
  }
  for (let i = 0; i + 1 < line.length; i++) {
    for (const { at, along } of crossings(nth(line, i), nth(line, i + 1))) {
      if (current.length > 0) {
        pieces.push({ line: [...current, at], from, to: along })
        current = []
      } else {
        current = [at]
        from = along
      }
    }
    if (current.length > 0) current.push(nth(line, i + 1))
  }
  if (current.length > 0) {
    const edge = nearest(line.at(-1)!)
    pieces.push({ line: [...current.slice(0, -1), edge.at], from, to: edge.along })
  }
  return pieces
}

/** Returns where a segment crosses the outline, with the distance of each crossing from the outline's first corner. */
function crossings(a: Position, b: Position): { at: Position; along: number }[] {
  const meetings: { at: Position; along: number; t: number }[] = []
  for (let i = 0; i + 1 < outline.length; i++) {
    const c = nth(outline, i)
    const d = nth(outline, i + 1)
    const det = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
    if (det === 0) continue
    const t = ((c[0] - a[0]) * (d[1] - c[1]) - (c[1] - a[1]) * (d[0] - c[0])) / det
    const u = ((c[0] - a[0]) * (b[1] - a[1]) - (c[1] - a[1]) * (b[0] - a[0])) / det
    if (t <= 0 || t > 1 || u < 0 || u >= 1) continue
    meetings.push({ at: [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])], along: i + u, t })
  }
  return meetings.sort((x, y) => x.t - y.t)
}

function nearest(p: Position): { at: Position; along: number } {
  let best = { at: nth(outline, 0), along: 0 }
  let least = Infinity
  for (let i = 0; i + 1 < outline.length; i++) {
    const c = nth(outline, i)
    const d = nth(outline, i + 1)
    const dx = d[0] - c[0]
    const dy = d[1] - c[1]
    const u = Math.min(1, Math.max(0, ((p[0] - c[0]) * dx + (p[1] - c[1]) * dy) / (dx * dx + dy * dy)))
    const at: Position = [c[0] + u * dx, c[1] + u * dy]
    const distance = (at[0] - p[0]) ** 2 + (at[1] - p[1]) ** 2
    if (distance >= least) continue
    least = distance
    best = { at, along: i + u }
  }
  return best
}

/** Joins pieces into rings: the end of each piece continues clockwise along the outline to the beginning of the next piece. */
function joined(pieces: readonly Piece[]): Ring[] {
  const round = outline.length - 1
  const ahead = (from: number, to: number) => (to - from + round) % round
  const remaining = new Set(pieces)
  const rings: Ring[] = []
  for (const first of pieces) {
    if (!remaining.delete(first)) continue
    const ring: Position[] = [...first.line]
    for (let piece = first; ; ) {
      const end = piece.to
      const candidates = [first, ...remaining]
      const next = candidates.reduce((a, b) => (ahead(end, b.from) < ahead(end, a.from) ? b : a))
      const way = ahead(end, next.from)
      for (let corner = Math.floor(end) + 1; corner - end < way; corner++) ring.push(nth(outline, corner % round))
      if (next === first) break
      remaining.delete(next)
      ring.push(...next.line)
      piece = next
    }
    ring.push(nth(ring, 0))
    rings.push(withoutRepeats(ring))
  }
  return rings.filter((ring) => ring.length >= 4)
}
