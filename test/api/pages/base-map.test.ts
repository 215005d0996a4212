import { expect, test } from 'vitest'
import { baseLayers } from '../../../api/pages/base-map/layers.ts'

test('has no outline that jumps across the antimeridian, which would draw land north of Alaska', () => {
  const rings = baseLayers().land.features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon'
      ? geometry.coordinates
      : geometry.type === 'MultiPolygon'
        ? geometry.coordinates.flat()
        : [],
  )
  expect(rings.length).toBeGreaterThan(1000)
  const jumps = rings.filter((ring) =>
    ring.some(([lon = 0, lat = 0], i) => lat > -60 && Math.abs(lon - (ring[i - 1]?.[0] ?? lon)) > 180),
  )
  expect(jumps).toEqual([])
})
