import { describe, expect, test } from 'vitest'
import { gaussianLatitudes } from '../src/grid/gaussian.ts'
import { type Grid, readMessages } from '../src/index.ts'
import { craft, craftSimple, latLonGrid, octets } from './craft.ts'

const micro = (...degrees: number[]) => degrees.flatMap((degree) => octets(Math.round(degree * 1e6), 4))
const sphere = [1, 0, ...octets(6371200, 4), ...octets(0, 10)]

function gridOf(nx: number, ny: number, grid: readonly number[]): Grid {
  const [message] = [...readMessages(craftSimple(nx, ny, new Array(nx * ny).fill(0), 1, { grid }))]
  return message!.grid
}

const projected = (template: number, nx: number, ny: number, fields: readonly number[]) =>
  gridOf(nx, ny, [...octets(template, 2), ...sphere, ...octets(nx, 4), ...octets(ny, 4), ...fields])

const range63 = Array.from({ length: 63 }, (_, k) => k)

const length = (metres: number) => octets(metres * 1000, 4)

const GRIDS: readonly (readonly [name: string, grid: Grid])[] = [
  ['lat-lon, north to south', gridOf(9, 7, latLonGrid(9, 7, 0))],
  ['lat-lon, south to north, westward', gridOf(9, 7, latLonGrid(9, 7, 0xc0))],
  [
    'rotated',
    gridOf(9, 7, [...octets(1, 2), ...latLonGrid(9, 7, 0x40).slice(2, -1), 0x40, ...micro(-36, 262), 0, 0, 0, 0]),
  ],
  [
    'mercator',
    projected(10, 9, 7, [
      ...micro(18, 198),
      56,
      ...micro(20, 23, 206),
      0x40,
      0,
      0,
      0,
      0,
      ...length(100e3),
      ...length(100e3),
    ]),
  ],
  [
    'polar north',
    projected(20, 9, 7, [...micro(40, 181), 8, ...micro(60, 210), ...length(200e3), ...length(200e3), 0, 0x40]),
  ],
  [
    'polar south',
    projected(20, 9, 7, [...micro(-70, 181), 8, ...micro(-60, 210), ...length(200e3), ...length(200e3), 0x80, 0x40]),
  ],
  [
    'lambert, tangent',
    projected(30, 9, 7, [
      ...micro(21, 237),
      8,
      ...micro(25, 265),
      ...length(500e3),
      ...length(400e3),
      0,
      0x40,
      ...micro(25, 25, -90, 0),
    ]),
  ],
  [
    'lambert, secant, north to south',
    projected(30, 9, 7, [
      ...micro(50, 237),
      8,
      ...micro(25, 265),
      ...length(300e3),
      ...length(300e3),
      0,
      0x00,
      ...micro(33, 45, -90, 0),
    ]),
  ],
  [
    'lambert of the south',
    projected(30, 9, 7, [
      ...micro(-50, 117),
      8,
      ...micro(-40, 135),
      ...length(300e3),
      ...length(300e3),
      0,
      0x40,
      ...micro(-30, -60, -90, 0),
    ]),
  ],
]

describe.each(GRIDS)('%s', (_name, grid) => {
  test('converts points to positions and back', () => {
    for (const [i, j] of [
      [0, 0],
      [grid.nx - 1, 0],
      [0, grid.ny - 1],
      [3.25, 4.5],
    ]) {
      const [lat, lon] = grid.toLatLon(i!, j!)
      expect(lon).toBeGreaterThanOrEqual(-180)
      expect(lon).toBeLessThan(180)
      const [x, y] = grid.toIndex(lat, lon)
      expect(x).toBeCloseTo(i!, 8)
      expect(y).toBeCloseTo(j!, 8)
      const [x2, y2] = grid.toIndex(lat, lon + 360)
      expect(x2).toBeCloseTo(i!, 8)
      expect(y2).toBeCloseTo(j!, 8)
    }
  })

  test('rotates the wind by the same angle as north', () => {
    // Grid axes count eastward and northward whatever the scan.
    const [right, up] = [grid.scan & 0x80 ? -1 : 1, grid.scan & 0x40 ? 1 : -1]
    for (const [i, j] of [
      [1, 1],
      [4, 3],
      [7, 5],
    ]) {
      const [lat, lon] = grid.toLatLon(i!, j!)
      const [x1, y1] = grid.toIndex(lat - 1e-4, lon)
      const [x2, y2] = grid.toIndex(lat + 1e-4, lon)
      const stretch =
        grid.template === 30 && grid.numbers.dx !== grid.numbers.dy
          ? Math.abs(Number(grid.numbers.dx) / Number(grid.numbers.dy))
          : 1
      // True north in grid axes is (−sin a, cos a).
      const [east, north] = [(x2 - x1) * right * stretch, (y2 - y1) * up]
      if (grid.template === 0 || grid.template === 1) {
        const [innerLat] = grid.template === 1 ? [10 + j!] : [lat]
        expect(grid.windRotation(i!, j!)).toBeCloseTo(
          Math.atan2(-east * Math.cos((innerLat * Math.PI) / 180), north),
          3,
        )
      } else expect(grid.windRotation(i!, j!)).toBeCloseTo(Math.atan2(-east, north), 5)
    }
  })
})

test('accepts points on both sides of the seam of a global grid', () => {
  const ends = [...micro(90, 0), 48, ...micro(-90, 359), ...octets(1e6, 4), ...octets(1e6, 4), 0]
  const grid = gridOf(360, 181, [
    0,
    0,
    6,
    ...octets(0, 15),
    ...octets(360, 4),
    ...octets(181, 4),
    ...octets(0, 8),
    ...ends,
  ])
  expect(grid.toIndex(89, 0)).toEqual([0, 1])
  expect(grid.toIndex(0, -1)).toEqual([359, 90])
  expect(grid.toIndex(0, 359.75)[0]).toBeCloseTo(-0.25, 9)
  expect(grid.toIndex(0, 359.25)[0]).toBeCloseTo(359.25, 9)
})

test.each([
  [1, 7],
  [9, 1],
  [1, 1],
])('a grid of %i × %i returns an index for each of its points', (nx, ny) => {
  const grid = gridOf(nx, ny, latLonGrid(nx, ny, 0))
  for (const [i, j] of [
    [0, 0],
    [nx - 1, ny - 1],
  ]) {
    const [x, y] = grid.toIndex(...grid.toLatLon(i!, j!))
    expect(x).toBeCloseTo(i!, 9)
    expect(y).toBeCloseTo(j!, 9)
  }
})

test.each([
  ['no radius', [1, 255, ...octets(0xffffffff, 4), ...octets(0, 10)], 17],
  ['a shape to come', [12, ...octets(0, 15)], 15],
  ['a minor axis above the major', [7, ...octets(0, 5), 0, ...octets(6.3e6, 4), 0, ...octets(6.4e6, 4)], 27],
])('reads values and positions in degrees with an earth of %s', (_name, earth, octet) => {
  const plain = latLonGrid(9, 7, 0)
  const even = gridOf(9, 7, [...plain.slice(0, 2), ...earth, ...plain.slice(18)])
  expect(even.toLatLon(3, 2)).toEqual([14, -107])
  const onPlane = [...octets(9, 4), ...octets(7, 4), ...micro(21, 237), 8, ...micro(25, 265), ...length(200e3)]
  const fields = [...length(200e3), 0, 0x40, ...micro(25, 25, -90, 0)]
  const octetsOf = craftSimple(9, 7, range63, 6, { grid: [...octets(30, 2), ...earth, ...onPlane, ...fields] })
  const [message] = [...readMessages(octetsOf)]
  expect([...message!.values()]).toEqual(range63)
  expect(message!.grid.earth.major).toBeNaN()
  expect(() => message!.grid.toLatLon(0, 0)).toThrow(`GRIB2 section 3, octet ${octet}: expected `)
})

test('places rows of a sixth of a degree within 0.0001° of both their increment and the last row', () => {
  const ends = [...micro(52.5, 0), 48, ...micro(-15, 359.833333), ...micro(0.166667, 0.166667), 0]
  const head = [0, 0, 6, ...octets(0, 15), ...octets(2160, 4), ...octets(406, 4), ...octets(0, 8)]
  const packing = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  const octetsOf = craft({ nx: 2160, ny: 406, grid: [...head, ...ends], packing, values: 2160 * 406, data: [] })
  const grid = [...readMessages(octetsOf)][0]!.grid
  for (const j of [0, 100, 300, 404, 405]) {
    const [lat, lon] = grid.toLatLon(2159, j)
    expect(Math.abs(lat - (52.5 - j / 6))).toBeLessThan(1e-4)
    expect(Math.abs(lat - (52.5 - j * 0.166667))).toBeLessThan(1e-4)
    expect(lon).toBeCloseTo(-0.166667, 9)
  }
})

test('Gaussian latitudes are the roots of the Legendre polynomials', () => {
  // P2 has its roots at ±1/√3, P4 at ±√(3/7 ∓ 2/7 √(6/5)).
  const degrees = (sine: number) => (Math.asin(sine) * 180) / Math.PI
  expect(gaussianLatitudes(1)[0]).toBeCloseTo(degrees(1 / Math.sqrt(3)), 12)
  expect(gaussianLatitudes(2)[0]).toBeCloseTo(degrees(Math.sqrt(3 / 7 + (2 / 7) * Math.sqrt(6 / 5))), 12)
  expect(gaussianLatitudes(2)[2]).toBeCloseTo(-degrees(Math.sqrt(3 / 7 - (2 / 7) * Math.sqrt(6 / 5))), 12)
})

test('places the corners of HRRR and NBM where NOAA states them', () => {
  // HRRR CONUS: last point 47.8422 N, 60.9172 W.
  const hrrr = [
    ...octets(30, 2),
    6,
    ...octets(0, 15),
    ...octets(1799, 4),
    ...octets(1059, 4),
    ...micro(21.138123, 237.280472),
    8,
  ]
  const fields = [...micro(38.5, 262.5), ...length(3000), ...length(3000), 0, 0x40, ...micro(38.5, 38.5, 0, 0)]
  const [lat, lon] = gridOf(1799, 1059, [...hrrr, ...fields]).toLatLon(1798, 1058)
  expect(lat).toBeCloseTo(47.8422, 3)
  expect(lon).toBeCloseTo(-60.9172, 3)
})

test('returns the same key only for the same grid', () => {
  const [a, b, c] = [latLonGrid(9, 7, 0), latLonGrid(9, 7, 0), latLonGrid(9, 7, 0x40)].map(
    (grid) => gridOf(9, 7, grid).key,
  )
  expect(a).toBe(b)
  expect(a).not.toBe(c)
  expect(new Set(GRIDS.map(([, grid]) => grid.key)).size).toBe(GRIDS.length)
})

test('returns the values of a grid of an unknown template, and rejects its positions', () => {
  const grid = gridOf(3, 2, [...octets(101, 2), ...sphere, 1, 2, 3])
  expect(grid).toMatchObject({ template: 101, name: 'template 3.101', nx: 6, ny: 1 })
  expect(() => grid.toLatLon(0, 0)).toThrow(
    /^GRIB2 section 3, octet 13: expected rows of one length on a grid of template 3.0, .*, but found template 3.101$/,
  )
})

/** A latitude–longitude grid of 5 × 3 from 40° N with other octets of section 3 (numbered as in the standard). */
function editedGrid(...edits: (readonly [octet: number, octets: readonly number[]])[]): Grid {
  const grid = latLonGrid(5, 3, 0)
  for (const [octet, list] of edits) grid.splice(octet - 13, list.length, ...list)
  return gridOf(5, 3, grid)
}

describe('increments whose flags are not set', () => {
  const wrong = [
    [64, octets(123_456, 4)],
    [68, octets(7, 4)],
  ] as const

  test('are ignored, and the last point determines the steps', () => {
    const grid = editedGrid([55, [0]], ...wrong)
    expect([grid.numbers['lonStep'], grid.numbers['latStep']]).toEqual([1, -1])
    expect(grid.toIndex(11, 252)).toEqual([2, 1])
  })

  test('each direction has a flag of its own', () => {
    expect(editedGrid([55, [0x10]], [64, octets(123_456, 4)]).toIndex(11, 252)).toEqual([2, 1])
    expect(editedGrid([55, [0x20]], [68, octets(7, 4)]).toIndex(11, 252)).toEqual([2, 1])
  })

  test('uses the increments of a grid without a last point', () => {
    expect(editedGrid([56, octets(2 ** 32 - 1, 4)]).toIndex(11, 252)).toEqual([2, 1])
  })
})

describe('a grid with latitudes beyond the poles has values and no positions', () => {
  test.each([
    ['the first point', [47, octets(-1_373_312_000, 4)], 47],
    ['the last point', [56, octets(90_100_000, 4)], 56],
    ['angles in other units', [39, [...octets(1, 4), ...octets(65_535, 4)]], 47],
    ['an increment that runs over the pole', [56, octets(2 ** 32 - 1, 4), [68, octets(80e6, 4)]], 68],
  ] as const)('%s', (_name, [octet, list, more], at) => {
    const grid = editedGrid([octet, list], ...(more ? [more] : []))
    const fault = new RegExp(`^GRIB2 section 3, octet ${at}: expected .* to 90 degrees, but found `)
    expect(() => grid.toLatLon(0, 0)).toThrow(fault)
    expect(() => grid.toIndex(0, 0)).toThrow(fault)
    expect(grid.points).toBe(15)
  })

  test('of a rotated pole and of a projection', () => {
    const rotated = [...octets(1, 2), ...latLonGrid(9, 7, 0x40).slice(2, -1), 0x40, ...micro(-136, 262), 0, 0, 0, 0]
    expect(() => gridOf(9, 7, rotated).toLatLon(0, 0)).toThrow(/octet 73: expected a latitude/)
    const polar = [...micro(140, 181), 8, ...micro(60, 210), ...length(200e3), ...length(200e3), 0, 0x40]
    expect(() => projected(20, 9, 7, polar).toIndex(60, 0)).toThrow(/octet 39: expected a latitude/)
  })
})
