import type { DeclaredGrid, DeclaredGrids } from '../domain/dataset/declared-grid.ts'

// The grids come from section 3 of NOAA's files. NBM and HRRR over CONUS and GFS were read from real messages. Alaska and Hawaii are NCEP's
// grids 91 and 196 and the grids in the models' documentation; the simulator uses the same grids.

const NCEP_SPHERE = 6_371_229
const NDFD_SPHERE = 6_371_200
const NORTHWARD = 0x40

/** NDFD's 2.5 km grid, expanded to the west, which NBM, RTMA and URMA use. */
const expandedConus: DeclaredGrid = {
  template: 30,
  nx: 2345,
  ny: 1597,
  scan: NORTHWARD,
  radius: NDFD_SPHERE,
  numbers: { lat1: 19.229, lon1: 233.7234, lad: 25, lov: 265, dx: 2539.703, dy: 2539.703, latin1: 25, latin2: 25 },
}

/** NCEP's grid 91 with 3 km. */
const ndfdAlaska: DeclaredGrid = {
  template: 20,
  nx: 1649,
  ny: 1105,
  scan: NORTHWARD,
  radius: NDFD_SPHERE,
  numbers: { lat1: 40.530101, lon1: 181.429, lad: 60, lov: 210, dx: 2976.56, dy: 2976.56, south: 0 },
}

const mercator = { template: 10, scan: NORTHWARD, radius: NDFD_SPHERE }

export const nbmGrids: DeclaredGrids = {
  conus: [expandedConus],
  alaska: [ndfdAlaska],
  hawaii: [{ ...mercator, nx: 625, ny: 561, numbers: { lat1: 14.3515, lon1: 195.0305, lad: 20, dx: 2500, dy: 2500 } }],
}

/** The grids of RTMA and URMA; the grid of Hawaii is NCEP's grid 196. */
export const analysisGrids: DeclaredGrids = {
  conus: [expandedConus],
  alaska: [ndfdAlaska],
  hawaii: [{ ...mercator, nx: 321, ny: 225, numbers: { lat1: 18.073, lon1: 198.475, lad: 20, dx: 2500, dy: 2500 } }],
}

/** The file names of the rapid updates do not tell the expanded grid from NCEP's grid 184, so both are accepted. */
export const rapidUpdateGrids: DeclaredGrids = {
  conus: [
    expandedConus,
    { ...expandedConus, nx: 2145, ny: 1377, numbers: { ...expandedConus.numbers, lat1: 20.191999, lon1: 238.445999 } },
  ],
}

const hrrr = { scan: NORTHWARD, radius: NCEP_SPHERE, windsAlongGrid: true }

export const hrrrGrids: DeclaredGrids = {
  conus: [
    {
      ...hrrr,
      template: 30,
      nx: 1799,
      ny: 1059,
      numbers: {
        lat1: 21.138123,
        lon1: 237.280472,
        lad: 38.5,
        lov: 262.5,
        dx: 3000,
        dy: 3000,
        latin1: 38.5,
        latin2: 38.5,
      },
    },
  ],
  alaska: [
    {
      ...hrrr,
      template: 20,
      nx: 1299,
      ny: 919,
      numbers: { lat1: 41.612949, lon1: 185.117126, lad: 60, lov: 225, dx: 3000, dy: 3000, south: 0 },
    },
  ],
}

/** Over CONUS the grid of HRRR. Sources differ on the wind components of the others, so the flag of each message decides. */
export const rrfsGrids: DeclaredGrids = {
  conus: hrrrGrids.conus ?? [],
  alaska: [
    {
      ...ndfdAlaska,
      radius: NCEP_SPHERE,
      numbers: { ...ndfdAlaska.numbers, lat1: 40.53, dx: 2976, dy: 2976 },
    },
  ],
  hawaii: [
    {
      ...mercator,
      radius: NCEP_SPHERE,
      nx: 321,
      ny: 225,
      numbers: { lat1: 18.072699, lon1: 198.474999, lad: 20, dx: 2500, dy: 2500 },
    },
  ],
}

const quarterDegree: DeclaredGrid = {
  template: 0,
  nx: 1440,
  ny: 721,
  scan: 0,
  radius: NCEP_SPHERE,
  windsAlongGrid: false,
  numbers: { lat1: 90, lon1: 0, latStep: -0.25, lonStep: 0.25 },
}

/** The global grid, which serves all domains. */
export const gfsGrids: DeclaredGrids = { conus: [quarterDegree], alaska: [quarterDegree], hawaii: [quarterDegree] }
