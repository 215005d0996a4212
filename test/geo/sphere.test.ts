import { expect, test } from 'vitest'
import { nth } from '../../ingest/domain/nth.ts'
import { distanceKm, pointTree } from '../../ingest/geo/sphere.ts'

/** Returns the same points at every run. */
function points(count: number): { lats: number[]; lons: number[] } {
  let seed = 12_345
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed / 2_147_483_647
  }
  const lats: number[] = []
  const lons: number[] = []
  for (let i = 0; i < count; i++) {
    // Every fourth point has the position of an earlier one, and many points share a meridian or a parallel.
    const twin = i % 4 === 3 ? Math.floor(random() * i) : -1
    lats.push(twin >= 0 ? nth(lats, twin) : Math.round((random() * 180 - 90) * 4) / 4)
    lons.push(twin >= 0 ? nth(lons, twin) : Math.round((random() * 360 - 180) * 4) / 4)
  }
  return { lats, lons }
}

test('finds in the tree what a search of all points finds, and the first of points in one place', () => {
  const { lats, lons } = points(3000)
  const tree = pointTree(lats, lons)
  const queries = points(200)
  for (const [q, lat] of queries.lats.entries()) {
    const lon = nth(queries.lons, q)
    const expected = lats
      .map((otherLat, index) => ({ index, km: distanceKm(lat, lon, otherLat, nth(lons, index)) }))
      .sort((a, b) => a.km - b.km || a.index - b.index)
      .slice(0, 5)
    const actual = tree.near(lat, lon, 5)
    expect(actual).toHaveLength(5)
    for (const [i, { km, index }] of actual.entries()) {
      expect(km).toBeCloseTo(nth(expected, i).km, 3)
      // Points at the same coordinates are listed in their order.
      const twins = actual.filter((other) => lats[other.index] === lats[index] && lons[other.index] === lons[index])
      const before = expected.filter((other) => lats[other.index] === lats[index] && lons[other.index] === lons[index])
      expect(twins.map((place) => place.index)).toEqual(before.map((place) => place.index))
    }
  }
})

test('supports empty trees and single points', () => {
  expect(pointTree([], []).near(0, 0)).toEqual([])
  expect(pointTree([10], [20]).near(0, 0, 3)).toHaveLength(1)
})
