import { describe, expect, test } from 'vitest'
import { pointAt, type StillName, shareOf, stillOf, stillViews } from '../../../api/pages/still-view.ts'
import { populated } from '../../../ingest/geo/populated.ts'

const names = Object.keys(stillViews) as StillName[]

describe('the picture that stands where the map will be', () => {
  test('every town is inside of the picture of its part of the country', () => {
    const outside = populated().filter(({ lat, lon }) =>
      shareOf(stillOf(lat, lon), lat, lon).some((share) => share < 0 || share > 1),
    )
    expect(outside.map(({ name, state }) => `${name}, ${state}`)).toEqual([])
  })

  test.each(names)('%s: a click on the pin of a point chooses the point', (name) => {
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

  test('Alaska reaches beyond 180°: Attu is west of Anchorage', () => {
    expect(stillOf(52.9, 173.2)).toBe('alaska')
    const [attu] = shareOf('alaska', 52.9, 173.2)
    expect(attu).toBeLessThan(shareOf('alaska', 61.2, -149.9)[0])
    expect(pointAt('alaska', attu, 0.5)[0]).toBeCloseTo(173.2, 6)
  })
})
