import { GribError } from '../fault.ts'
import type { MessageSection } from '../octets.ts'
import type { Earth } from './earth.ts'
import { tryEarth } from './earth.ts'
import type { Lattice } from './plane.ts'
import { type GridNumbers, TEMPLATES } from './templates.ts'

/**
 * The grid in section 3. i counts along a row and j counts rows, both from the first point of the stream, in the direction of its first row
 * and column.
 */
export interface Grid extends Lattice {
  /** Number N of template 3.N. */
  readonly template: number
  /** `lat-lon`, `rotated lat-lon`, `mercator`, `polar stereographic`, `lambert`, `gaussian`; `template 3.N` if unknown. */
  readonly name: string
  readonly nx: number
  readonly ny: number
  readonly points: number
  /** Flag table 3.4: 0x80 i runs west, 0x40 j runs north, 0x20 columns first, 0x10 every second row runs backwards. */
  readonly scan: number
  /** Whether wind components are along the grid's axes instead of east and north (octet of flag table 3.3). */
  readonly uvRelativeToGrid: boolean
  readonly earth: Earth
  /** The numbers of the template, in degrees and metres: lat1, lon1, lov, latin1, dx, … */
  readonly numbers: GridNumbers
  /** A key that is equal for two messages only if they have the same grid, for results that are computed once per grid. */
  readonly key: string
  /** Returns degrees; longitude in [−180, 180). Fractional indices are positions between points. */
  toLatLon(i: number, j: number): [lat: number, lon: number]
  /**
   * Returns fractional indices, which are below 0 or above nx − 1, ny − 1 outside the grid. They are NaN if the projection has no image of
   * the point.
   */
  toIndex(lat: number, lon: number): [i: number, j: number]
  /** Angle a in radians: u_east = u cos a + v sin a, v_north = v cos a − u sin a. Needed only if `uvRelativeToGrid`. */
  windRotation(i: number, j: number): number
}

/** A grid of an unsupported template: its values are available as one row in the order of the stream, its positions are not. */
function unplaced(section: MessageSection, template: number, points: number, name: string): Grid {
  const refuse = (): never => {
    const expected = 'rows of one length on a grid of template 3.0, 3.1, 3.10, 3.20, 3.30, 3.40 or 3.32769'
    throw new GribError('unsupported', 3, 13, expected, name)
  }
  return {
    template,
    name,
    nx: points,
    ny: 1,
    points,
    scan: 0,
    uvRelativeToGrid: false,
    earth: { shape: 255, major: Number.NaN, minor: Number.NaN },
    numbers: {},
    key: `3.${template}:${[...section.bytes.subarray(14)].join(',')}`,
    toLatLon: refuse,
    toIndex: refuse,
    windRotation: refuse,
  }
}

/** Tolerance of a latitude that was computed from a rounded step, degrees. */
const ROUNDING = 1e-3

function checkLatitudes(
  section: MessageSection,
  latitudes: Readonly<Record<string, number>>,
  numbers: GridNumbers,
): void {
  for (const [name, octet] of Object.entries(latitudes)) {
    const latitude = numbers[name]!
    if (Math.abs(latitude) > 90 + ROUNDING)
      section.fail(octet, 'a latitude from -90 to 90 degrees', Number(latitude.toPrecision(9)))
  }
}

/** Rows that extend beyond a pole by more than half a step have a wrong increment. */
function checkLastRow(section: MessageSection, template: number, { lat1, latStep }: GridNumbers, ny: number): void {
  if ((template !== 0 && template !== 1) || lat1 === undefined || latStep === undefined) return
  const last = lat1 + (ny - 1) * latStep
  if (Math.abs(last) > 90 + Math.abs(latStep) / 2)
    section.fail(68, 'an increment that leads to a last row from -90 to 90 degrees', Number(last.toPrecision(9)))
}

export function readGrid(section: MessageSection): Grid {
  const source = section.u1(6)
  const points = section.u4(7)
  const template = section.u2(13)
  if (source !== 0) section.fail(6, 'a grid defined in the message (source 0)', source, 'unsupported')
  const rule = TEMPLATES[template]
  if (!rule) return unplaced(section, template, points, `template 3.${template}`)
  if (section.u1(11) !== 0) return unplaced(section, template, points, `reduced ${rule.name}`)
  const nx = section.u4(31)
  const ny = section.u4(35)
  if (nx === 0 || nx > 0x7fffffff) section.fail(31, 'a row length from 1', nx)
  if (ny === 0 || ny > 0x7fffffff) section.fail(35, 'a number of rows from 1', ny)
  if (nx * ny !== points) section.fail(7, `${nx} × ${ny} = ${nx * ny} points`, points)
  const scan = section.u1(rule.scanOctet)
  if (scan & 0x0f) section.fail(rule.scanOctet, 'a scan without staggered rows (0x0f clear)', scan, 'unsupported')
  const { earth, fault } = tryEarth(section)
  const numbers = rule.read(section, nx, ny, scan)
  const uvRelativeToGrid = (section.u1(rule.flagOctet) & 0x08) !== 0
  const key = `3.${template}:${nx}x${ny}:${scan}:${earth.major}/${earth.minor}:${Object.values(numbers).join(',')}`
  let lattice: Lattice | undefined
  // The projection is created when a position is first requested, so that values remain available if it is corrupt.
  const makeLattice = () => {
    if (fault && rule.projected) throw fault
    checkLatitudes(section, rule.latitudes, numbers)
    checkLastRow(section, template, numbers, ny)
    return rule.place(numbers, earth, nx, ny)
  }
  const place = () => (lattice ??= makeLattice())
  return {
    template,
    name: rule.name,
    nx,
    ny,
    points,
    scan,
    uvRelativeToGrid,
    earth,
    numbers,
    key,
    toLatLon: (i, j) => place().toLatLon(i, j),
    toIndex: (lat, lon) => place().toIndex(lat, lon),
    windRotation: (i, j) => place().windRotation(i, j),
  }
}
