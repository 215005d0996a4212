import { describe, expect, test } from 'vitest'
import { pointAt, type StillName, shareOf, stillOf, stillViews } from '../../../api/pages/still-view.ts'
import { populated } from '../../../ingest/geo/populated.ts'

const names = Object.keys(stillViews) as StillName[]

describe('the picture in the place of the map', () => {
  test('contains every town of its part of the country', () => {
    const outside = populated().filter(({ lat, lon }) =>
      shareOf(stillOf(lat, lon), lat, lon).some((share) => share < 0 || share > 1),
    )
    expect(outside.map(({ name, state }) => `${name}, ${state}`)).toEqual([])
  })

  test.each(names)('%s: chooses a point by a click on its pin', (name) => {
    const { lat, lon } = stillViews[name]
    for (const [dLat, dLon] of [
      [0, 0],
      [1, 2],
      [-1.5, -2.5],
    ] as const) {
      const [x, y] = shareOf(name, lat + dLat, lon + dLon)
      const [backLon, backLat] = pointAt(name, x, y)
      expect(backLat).toBeCloseTo(lat + dLat, 6)
      expect(backLon).toBeCloseTo(lon + dLon, 6)
    }
  })

  test('places Attu, beyond 180°, west of Anchorage', () => {
    expect(stillOf(52.9, 173.2)).toBe('alaska')
    const [attu] = shareOf('alaska', 52.9, 173.2)
    expect(attu).toBeLessThan(shareOf('alaska', 61.2, -149.9)[0])
    expect(pointAt('alaska', attu, 0.5)[0]).toBeCloseTo(173.2, 6)
  })
})
