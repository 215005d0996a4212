import { expect, test } from 'vitest'
import { gridDatasets } from '../../ingest/catalog.ts'
import { loadCells } from '../../ingest/domain/cell.ts'
import { cellsInBox } from '../../ingest/geo/cells-in-box.ts'

const boxes = new Map(gridDatasets.flatMap(({ domains }) => domains.map(({ id, bbox }) => [id, bbox] as const)))

test.each([...boxes])('finds the cells of %s that a comparison of all centres finds', async (_, box) => {
  const [west, south, east, north] = box
  for (const resolution of [3, 4, 6]) {
    const { ids, centres } = loadCells(resolution)
    const { lat, lon } = centres()
    const expected = ids.filter((_, i) => {
      const [y = 0, x = 0] = [lat[i], lon[i]]
      return y >= south && y <= north && (west <= east ? x >= west && x <= east : x >= west || x <= east)
    })
    expect(expected.length).toBeGreaterThan(2)
    expect(await cellsInBox(box, resolution)).toEqual(expected)
  }
})
