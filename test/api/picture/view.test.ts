import { expect, test } from 'vitest'
import { boxOf, viewOf } from '../../../api/picture/view.ts'

test.each([
  ['within the lower 48 states', 39.7, -105, 8, false],
  ['across 180 degrees from the east', 52, -176.6, 5, true],
  ['across 180 degrees from the west', 52.9, 173, 5, true],
])('gives the extent of a picture %s as a box between -180 and 180 degrees', (_, lat, lon, zoom, crosses) => {
  const view = viewOf(lat, lon, zoom, 1000, 600)
  const [west, south, east, north] = boxOf(view)
  expect([west > east, south, north]).toEqual([crosses, view.bbox[1], view.bbox[3]])
  for (const degrees of [west, east]) expect(Math.abs(degrees)).toBeLessThanOrEqual(180)
  expect((view.bbox[0] - west) % 360).toBeCloseTo(0, 9)
  expect((view.bbox[2] - east) % 360).toBeCloseTo(0, 9)
})

test('gives the whole world for a picture that is wider than it', () => {
  const [west, , east] = boxOf(viewOf(39, -96, 0, 1000, 600))
  expect([west, east]).toEqual([-180, 180])
})
