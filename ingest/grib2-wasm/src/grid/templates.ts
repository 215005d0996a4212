import type { MessageSection } from '../octets.ts'
import type { Earth } from './earth.ts'
import { gaussian } from './gaussian.ts'
import { lambert } from './lambert.ts'
import { latLon } from './lat-lon.ts'
import { mercator } from './mercator.ts'
import { type Lattice, latticeOn } from './plane.ts'
import { polarStereographic } from './polar-stereographic.ts'
import { rotated, toRotated } from './rotated.ts'

/** Numbers of a template by name, in degrees, metres or counts. */
export type GridNumbers = Readonly<Record<string, number>>

interface GridTemplate {
  readonly name: string
  readonly scanOctet: number
  readonly flagOctet: number
  /** Whether the points lie on a plane, so that their positions depend on the earth's axes. */
  readonly projected: boolean
  /** The numbers that are latitudes, with their octets. If one lies beyond a pole, the grid has no positions. */
  readonly latitudes: Readonly<Record<string, number>>
  read(section: MessageSection, nx: number, ny: number, scan: number): GridNumbers
  place(numbers: GridNumbers, earth: Earth, nx: number, ny: number): Lattice
}

/** Defines a template whose `place` reads the numbers that its own `read` returns. */
function template<N extends GridNumbers>(
  entry: Omit<GridTemplate, 'read' | 'place'> & {
    read(section: MessageSection, nx: number, ny: number, scan: number): N
    place(numbers: N, earth: Earth, nx: number, ny: number): Lattice
  },
): GridTemplate {
  return entry as unknown as GridTemplate
}

const MICRO = 1e-6
const MILLI = 1e-3
/** Returns whether the increments along rows and along columns are stored (flag table 3.3). */
const I_INCREMENT = 0x20
const J_INCREMENT = 0x10
const westward = (scan: number) => (scan & 0x80 ? -1 : 1)
const northward = (scan: number) => (scan & 0x40 ? 1 : -1)

/** Reads the angles of 3.0, 3.1 and 3.40, in units of basic angle / subdivisions, or otherwise in millionths of a degree. */
function angleUnit(section: MessageSection): number {
  const basic = section.u4(39)
  const subdivisions = section.u4(43)
  return basic === 0 || basic === 0xffffffff || subdivisions === 0 || subdivisions === 0xffffffff
    ? MICRO
    : basic / subdivisions
}

/**
 * Returns a step along an axis. The increment is rounded to the unit of angles and its error adds up along the axis, so the last point
 * decides if it agrees with the increment. In a part of a grid, or with a wrong last point, the increment decides.
 */
function step(increment: number | undefined, span: number, count: number): number {
  // A single point has no step; any step except 0 leaves its index at 0.
  if (count < 2) return increment ?? 1
  const even = span / (count - 1)
  if (increment === undefined) return even
  return Math.abs(even - increment) * (count - 1) <= increment * 0.5 ? even : increment
}

function regularAxes(section: MessageSection, nx: number, ny: number, scan: number) {
  const unit = angleUnit(section)
  const lat1 = section.s4(47) * unit
  const lon1 = section.s4(51) * unit
  // Without a last point, only the increments decide.
  const lat2 = section.u4(56) === 0xffffffff ? Number.NaN : section.s4(56) * unit
  const lon2 = section.s4(60) * unit
  const flags = section.u1(55)
  const increment = (octet: number, flag: number) => {
    const value = section.u4(octet)
    return value === 0 || value === 0xffffffff || !(flags & flag) ? undefined : value * unit
  }
  const eastward = ((lon2 - lon1) * westward(scan)) % 360
  const lonSpan = eastward < 0 ? eastward + 360 : eastward
  const lonStep = step(increment(64, I_INCREMENT), nx > 1 && lonSpan === 0 ? 360 : lonSpan, nx) * westward(scan)
  // With a sixth of a degree over 400 rows, increment and last row lead to ends that are 0.00013° apart. Readers differ: ecCodes uses the
  // increment for rows and the last point for columns. The middle is within 0.0001° of both.
  const even = step(increment(68, J_INCREMENT), Math.abs(lat2 - lat1), ny)
  const latStep = ((even + (increment(68, J_INCREMENT) ?? even)) / 2) * northward(scan)
  return { lat1, lon1, lat2, lon2, latStep, lonStep }
}

const projected = { scanOctet: 65, flagOctet: 47, projected: true, latitudes: { lat1: 39 } }
const regular = { scanOctet: 72, flagOctet: 55, projected: false, latitudes: { lat1: 47, lat2: 56 } }

/**
 * Reads octets 39–46 and 56–63, which are the same in 3.20 and 3.30: first point, and metres from point to point with the signs of the
 * scan.
 */
function planeNumbers(section: MessageSection, scan: number) {
  return {
    lat1: section.s4(39) * MICRO,
    lon1: section.s4(43) * MICRO,
    lad: section.s4(48) * MICRO,
    lov: section.s4(52) * MICRO,
    dx: section.u4(56) * MILLI * westward(scan),
    dy: section.u4(60) * MILLI * northward(scan),
  }
}

export const TEMPLATES: Readonly<Record<number, GridTemplate>> = {
  0: template({
    name: 'lat-lon',
    ...regular,
    read: regularAxes,
    place: ({ lat1, lon1, latStep, lonStep }, _earth, nx) => latLon({ lat1, lon1, latStep, lonStep }, nx),
  }),
  1: template({
    name: 'rotated lat-lon',
    ...regular,
    latitudes: { ...regular.latitudes, poleLat: 73 },
    read: (section, nx, ny, scan) => ({
      ...regularAxes(section, nx, ny, scan),
      poleLat: section.s4(73) * angleUnit(section),
      poleLon: section.s4(77) * angleUnit(section),
      angle: section.f4(81),
    }),
    place: ({ lat1, lon1, latStep, lonStep, poleLat, poleLon, angle }, _earth, nx) =>
      rotated(latLon({ lat1, lon1, latStep, lonStep }, nx), { lat: poleLat, lon: poleLon, angle }),
  }),
  10: template({
    name: 'mercator',
    ...projected,
    latitudes: { ...projected.latitudes, lad: 48 },
    scanOctet: 60,
    read: (section, _nx, _ny, scan) => ({
      lat1: section.s4(39) * MICRO,
      lon1: section.s4(43) * MICRO,
      lad: section.s4(48) * MICRO,
      lat2: section.s4(52) * MICRO,
      lon2: section.s4(56) * MICRO,
      dx: section.u4(65) * MILLI * westward(scan),
      dy: section.u4(69) * MILLI * northward(scan),
    }),
    place({ lat1, lon1, lad, dx, dy }, earth, nx) {
      // x counts from the meridian of the first point plus half the grid, so that no grid is cut at ±180° from its middle.
      const across = mercator(earth, lad, 0).toEarth(((nx - 1) * dx) / 2, 0)[1]
      return latticeOn(mercator(earth, lad, lon1 + across), lat1, lon1, dx, dy)
    },
  }),
  20: template({
    name: 'polar stereographic',
    ...projected,
    latitudes: { ...projected.latitudes, lad: 48 },
    read: (section, _nx, _ny, scan) => ({ ...planeNumbers(section, scan), south: section.u1(64) & 0x80 ? 1 : 0 }),
    place: ({ lat1, lon1, lad, lov, dx, dy, south }, earth) =>
      latticeOn(polarStereographic(earth, lad, lov, south === 1), lat1, lon1, dx, dy),
  }),
  30: template({
    name: 'lambert',
    ...projected,
    latitudes: { ...projected.latitudes, latin1: 66, latin2: 70 },
    read: (section, _nx, _ny, scan) => ({
      ...planeNumbers(section, scan),
      latin1: section.s4(66) * MICRO,
      latin2: section.s4(70) * MICRO,
    }),
    place: ({ lat1, lon1, latin1, latin2, lov, dx, dy }, earth) =>
      latticeOn(lambert(earth, latin1, latin2, lov), lat1, lon1, dx, dy),
  }),
  40: template({
    name: 'gaussian',
    ...regular,
    read(section, nx, ny, scan) {
      // Octets 68–71 are N here, so the rows come from N and the first latitude, not from an increment.
      const { lat1, lon1, lat2, lon2, lonStep } = regularAxes(section, nx, ny, scan)
      const n = section.u4(68)
      if (n === 0 || n > 4096) section.fail(68, 'from 1 to 4096 parallels between pole and equator', n)
      if (ny > 2 * n) section.fail(35, `at most ${2 * n} rows`, ny)
      return { lat1, lon1, lat2, lon2, lonStep, n, northward: scan & 0x40 ? 1 : 0 }
    },
    place: ({ n, lat1, lon1, lonStep, northward: up }, _earth, nx, ny) =>
      gaussian({ n, lat1, lon1, lonStep, northward: up === 1 }, nx, ny),
  }),
  32769: template({
    name: 'rotated lat-lon (NCEP)',
    ...regular,
    latitudes: { lat1: 47, centreLat: 56 },
    read(section, _nx, _ny, scan) {
      const unit = angleUnit(section)
      return {
        lat1: section.s4(47) * unit,
        lon1: section.s4(51) * unit,
        centreLat: section.s4(56) * unit,
        centreLon: section.s4(60) * unit,
        lonStep: section.u4(64) * unit * westward(scan),
        latStep: section.u4(68) * unit * northward(scan),
      }
    },
    place({ lat1, lon1, centreLat, centreLon, lonStep, latStep }, _earth, nx) {
      // The first point is stored in coordinates of the earth; equator and meridian of the frame cross at the centre.
      const pole = { lat: centreLat - 90, lon: centreLon, angle: 0 }
      const [first, west] = toRotated(lat1, lon1, pole)
      return rotated(latLon({ lat1: first, lon1: west, latStep, lonStep }, nx), pole)
    },
  }),
}
