import { expect, test } from 'vitest'
import { baseLayers } from '../../../api/pages/base-map/layers.ts'

test('no outline of land jumps across the world: a band of land would lie over the sea north of Alaska', () => {
  const rings = baseLayers().land.features.flatMap(({ geometry }) =>
    geometry.type === 'Polygon'
      ? geometry.coordinates
      : geometry.type === 'MultiPolygon'
        ? geometry.coordinates.flat()
        : [],
  )
  expect(rings.length).toBeGreaterThan(1000)
  const jumps = rings.filter((ring) =>
    ring.some(([lon, lat], i) => i > 0 && lat! > -60 && Math.abs(lon! - ring[i - 1]![0]!) > 180),
  )
  expect(jumps).toEqual([])
})
