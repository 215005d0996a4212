import { cellToLatLng, cellToParent } from 'h3-js'
import { describe, expect, test } from 'vitest'
import {
  cellOf,
  cellOfId,
  cellsOf,
  centreOf,
  idOfCell,
  loadCells,
  packCover,
  parentOf,
  unpackCover,
} from '../../ingest/domain/cell.ts'
import { nth } from '../../ingest/domain/nth.ts'

const cells = loadCells()
const covered = (lat: number, lon: number) => cells.indexOf(cellOf(lat, lon)) >= 0

describe('the cover', () => {
  test.each([
    ['Denver', 39.7392, -104.9903],
    ['Ocean Beach pier', 32.7496, -117.2583],
    ['Attu, beyond the antimeridian', 52.9, 173.0],
    ['Farallon Islands', 37.699, -123.002],
    ['Dry Tortugas', 24.628, -82.873],
    ['Point Roberts', 48.985, -123.078],
    ['Northwest Angle', 49.345, -95.07],
    ['Isle Royale', 48.0, -88.9],
    ['Block Island', 41.17, -71.58],
    ['middle of Lake Michigan', 43.2, -87.2],
    ['Utqiagvik', 71.29, -156.79],
    ['Little Diomede', 65.757, -168.925],
    ['Saint Paul Island', 57.12, -170.28],
    ['Honolulu', 21.307, -157.858],
    ['Niihau', 21.9, -160.15],
    ['Kure, the last island of Hawaii', 28.392, -178.293],
    ['Buldir, beyond the antimeridian', 52.36, 175.92],
    ['San Miguel Island', 34.04, -120.37],
    ['Nantucket', 41.28, -70.1],
    ['Hall Island in the Bering Sea', 60.66, -173.09],
    ['Key West', 24.555, -81.78],
    ['San Ysidro, at the border', 32.5433, -117.03],
    ['Blaine, at the border', 48.9937, -122.747],
    ['Washington, DC', 38.9072, -77.0369],
    ['Mount Desert Rock', 43.968, -68.128],
  ])('contains %s', (_name, lat, lon) => expect(covered(lat, lon)).toBe(true))

  test.each([
    ['San Juan, Puerto Rico', 18.4655, -66.1057],
    ['Saint Thomas', 18.34, -64.93],
    ['Guam', 13.47, 144.75],
    ['Saipan', 15.19, 145.75],
    ['Pago Pago', -14.27, -170.7],
    ['Midway', 28.21, -177.37],
    ['Johnston Atoll', 16.73, -169.53],
    ['Tijuana', 32.5, -117.0],
    ['Windsor', 42.3, -83.03],
    ['Vancouver', 49.28, -123.12],
    ['Toronto', 43.65, -79.38],
    ['Big Diomede', 65.78, -169.06],
    ['Nassau', 25.05, -77.35],
    ['London', 51.5, -0.12],
    ['Atlantic', 35, -65],
    ['the pole', 90, 0],
  ])('does not contain %s', (_name, lat, lon) => expect(covered(lat, lon)).toBe(false))

  test('loads with its centers in less processor time than h3-js needs for the centers alone', () => {
    const spent = (work: () => void) => {
      const before = process.cpuUsage()
      work()
      return process.cpuUsage(before).user
    }
    const fresh = cellsOf(loadCells(7).ids, 7)
    const loading = spent(() => cellsOf(loadCells(7).ids, 7).centres())
    const fifth = spent(() => {
      for (let i = 0; i < fresh.count; i += 5) cellToLatLng(fresh.cellAt(i))
    })
    expect(loading).toBeLessThan(5 * fifth)
    expect(fresh.count).toBe(1_980_795)
  })

  test('is in the order of the H3 indexes, without repetition', () => {
    expect(cells.ids.findIndex((id, i) => i > 0 && id <= nth(cells.ids, i - 1))).toBe(-1)
    expect(cells.cellAt(0) < cells.cellAt(1)).toBe(true)
    expect(cells.cellAt(999_999) < cells.cellAt(1_000_000)).toBe(true)
  })

  test('returns the same ids from its packed form, also for parts', () => {
    for (const ids of [cells.ids.slice(0, 50_000), cells.ids.filter((_, i) => i % 3 !== 1).slice(0, 30_000)]) {
      expect(unpackCover(packCover(ids))).toEqual(ids)
    }
  })
})

describe.each([3, 4, 5, 6, 7, 8])('resolution %d', (resolution) => {
  const some = loadCells(resolution)

  test('returns the places, names and centers of H3', () => {
    const step = Math.max(1, Math.floor(some.count / 500))
    // The centres of all cells of the finest resolution would take long, and the arithmetic is the same for fewer cells.
    const few = cellsOf(
      some.ids.filter((_, i) => i % step === 0),
      resolution,
    )
    const { lat, lon } = few.centres()
    for (let i = 0; i < few.count; i++) {
      const cell = few.cellAt(i)
      const [y, x] = centreOf(cell)
      expect(few.indexOf(cell)).toBe(i)
      expect(cellOfId(idOfCell(cell), resolution)).toBe(cell)
      expect(Math.abs(nth(lat, i) - y)).toBeLessThan(1e-9)
      expect(Math.abs(nth(lon, i) - x) % 360).toBeLessThan(1e-9)
      expect(cellOf(y, x, resolution)).toBe(cell)
    }
  })

  test('contains Denver and not London', () => {
    expect(some.indexOf(cellOf(39.74, -104.99, resolution))).toBeGreaterThanOrEqual(0)
    expect(some.indexOf(cellOf(51.5, -0.12, resolution))).toBe(-1)
    expect(some.indexOf(cellOf(39.74, -104.99, resolution - 1))).toBe(-1)
    expect(some.indexOf('not a cell')).toBe(-1)
  })
})

test('rejects other resolutions with an example of a valid value', () => {
  for (const resolution of [2, 9, 7.5, Number.NaN])
    expect(() => loadCells(resolution)).toThrow(/3 to 8.*H3_RESOLUTION=7/)
})

test('returns the parents of a cell like h3', () => {
  for (const [lat, lon] of [
    [39.74, -104.99],
    [71.29, -156.79],
    [19.4, -155.3],
    [52.9, 173],
  ] as const) {
    for (let fine = 0; fine <= 9; fine++) {
      const cell = cellOf(lat, lon, fine)
      for (let coarse = 0; coarse <= fine; coarse++) expect(parentOf(cell, coarse)).toBe(cellToParent(cell, coarse))
    }
  }
})
