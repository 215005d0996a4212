import { nth } from '../domain/nth.ts'

/** Mean radius of the earth, km. */
export const EARTH_KM = 6371.0088

export function distanceKm(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const rad = Math.PI / 180
  const dLat = Math.sin(((lat2 - lat1) * rad) / 2)
  const dLon = Math.sin(((lon2 - lon1) * rad) / 2)
  const h = dLat * dLat + Math.cos(lat1 * rad) * Math.cos(lat2 * rad) * dLon * dLon
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)))
}

export interface Near {
  readonly index: number
  readonly km: number
}

export interface PointTree {
  /**
   * Returns the nearest `count` points that `accept` allows and that are at most `km` away, nearest first. Points at the same distance are
   * in table order.
   */
  near(lat: number, lon: number, count?: number, km?: number, accept?: (index: number) => boolean): Near[]
  /** Returns the same points without their distances. */
  indexesNear(lat: number, lon: number, count: number, km: number, accept?: (index: number) => boolean): number[]
}

/** Builds a k-d tree over unit vectors, so that the antimeridian and the poles need no special case. */
export function pointTree(lats: ArrayLike<number>, lons: ArrayLike<number>): PointTree {
  const count = lats.length
  const xyz = new Float64Array(count * 3)
  for (let i = 0; i < count; i++) unit(lats[i]!, lons[i]!, xyz, i * 3)
  const low = new Float64Array(3).fill(Infinity)
  const high = new Float64Array(3).fill(-Infinity)
  for (let i = 0; i < count * 3; i++) {
    low[i % 3] = Math.min(low[i % 3]!, xyz[i]!)
    high[i % 3] = Math.max(high[i % 3]!, xyz[i]!)
  }
  const order = new Int32Array(count).map((_, i) => i)
  arrange(order, xyz, 0, count, 0)

  // The vectors are in the order of the tree, so that points that are visited together are adjacent in memory.
  const laid = new Float64Array(count * 3)
  for (let i = 0; i < count; i++) for (let axis = 0; axis < 3; axis++) laid[i * 3 + axis] = xyz[order[i]! * 3 + axis]!

  // Every search reuses these arrays, because only one search runs at a time. They have the nearest points so far, nearest first.
  const query = new Float64Array(3)
  const ahead = new Float64Array(3)
  const indexes: number[] = []
  const chords: number[] = []
  let limit = 0
  let maxCount = 0
  let accepted: ((index: number) => boolean) | undefined

  const take = (middle: number, chord: number): void => {
    const index = order[middle]!
    if (accepted && !accepted(index)) return
    let place = indexes.length
    if (place < maxCount) place++
    else if (!before(chord, index, nth(chords, place - 1), nth(indexes, place - 1))) return
    for (place--; place > 0 && before(chord, index, nth(chords, place - 1), nth(indexes, place - 1)); place--) {
      chords[place] = nth(chords, place - 1)
      indexes[place] = nth(indexes, place - 1)
    }
    chords[place] = chord
    indexes[place] = index
    if (indexes.length === maxCount) limit = Math.min(limit, nth(chords, maxCount - 1))
  }
  /**
   * Visits the points of a range.
   * @param beyond squared distance from the query to the box of these points; `ahead` has its parts by axis
   */
  const visit = (from: number, to: number, axis: number, beyond: number): void => {
    if (from >= to || beyond > limit) return
    const middle = (from + to) >> 1
    const dx = laid[middle * 3]! - query[0]!
    const dy = laid[middle * 3 + 1]! - query[1]!
    const dz = laid[middle * 3 + 2]! - query[2]!
    const chord = dx * dx + dy * dy + dz * dz
    if (chord <= limit) take(middle, chord)
    const apart = query[axis]! - laid[middle * 3 + axis]!
    const next = axis === 2 ? 0 : axis + 1
    if (apart < 0) visit(from, middle, next, beyond)
    else visit(middle + 1, to, next, beyond)
    const known = ahead[axis]!
    const farther = beyond - known * known + apart * apart
    if (farther > limit) return
    ahead[axis] = apart
    if (apart < 0) visit(middle + 1, to, next, farther)
    else visit(from, middle, next, farther)
    ahead[axis] = known
  }

  /** Searches, and leaves the result in `indexes` and `chords`. */
  const search = (lat: number, lon: number, want: number, km: number, accept?: (index: number) => boolean): void => {
    unit(lat, lon, query, 0)
    indexes.length = 0
    chords.length = 0
    limit = km >= Math.PI * EARTH_KM ? 5 : (2 * Math.sin(km / 2 / EARTH_KM)) ** 2
    maxCount = want
    accepted = accept
    let beyond = 0
    for (let axis = 0; axis < 3; axis++) {
      const apart = Math.max(low[axis]! - query[axis]!, 0, query[axis]! - high[axis]!)
      ahead[axis] = apart
      beyond += apart * apart
    }
    visit(0, count, 0, beyond)
  }
  return {
    near(lat, lon, want = 1, km = Infinity, accept) {
      search(lat, lon, want, km, accept)
      return indexes.map((index, i) => ({ index, km: 2 * EARTH_KM * Math.asin(Math.sqrt(nth(chords, i)) / 2) }))
    },
    indexesNear(lat, lon, want, km, accept) {
      search(lat, lon, want, km, accept)
      return indexes.slice()
    },
  }
}

/** Returns whether a point sorts before another. Points at the same distance are in table order. */
function before(chord: number, index: number, otherChord: number, otherIndex: number): boolean {
  return chord < otherChord || (chord === otherChord && index < otherIndex)
}

function unit(lat: number, lon: number, out: Float64Array, at: number): void {
  const rad = Math.PI / 180
  const flat = Math.cos(lat * rad)
  out[at] = flat * Math.cos(lon * rad)
  out[at + 1] = flat * Math.sin(lon * rad)
  out[at + 2] = Math.sin(lat * rad)
}

/** Partitions a range at its median along an axis, and both halves in turn along the next axis. */
function arrange(order: Int32Array, xyz: Float64Array, from: number, to: number, axis: number): void {
  if (to - from < 2) return
  const middle = (from + to) >> 1
  select(order, xyz, from, to - 1, middle, axis)
  const next = (axis + 1) % 3
  arrange(order, xyz, from, middle, next)
  arrange(order, xyz, middle + 1, to, next)
}

/**
 * Selects by Hoare's method: afterwards the element at `wanted` is the one that sorting would put there, with no greater element before it
 * and no smaller one after it.
 */
function select(order: Int32Array, xyz: Float64Array, first: number, last: number, rank: number, axis: number): void {
  let from = first
  let to = last
  while (from < to) {
    const pivot = xyz[order[(from + to) >> 1]! * 3 + axis]!
    let i = from
    let j = to
    while (i <= j) {
      while (xyz[order[i]! * 3 + axis]! < pivot) i++
      while (xyz[order[j]! * 3 + axis]! > pivot) j--
      if (i <= j) {
        const moved = order[i]!
        order[i++] = order[j]!
        order[j--] = moved
      }
    }
    if (rank <= j) to = j
    else if (rank >= i) from = i
    else return
  }
}
