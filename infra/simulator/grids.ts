/** Projections of the grids of NOAA's files, with angles in degrees and lengths in metres. */
export type ProjectionDefinition =
  | { kind: 'lambert'; lov: number; latin1: number; latin2: number; radius: number; dx: number; dy: number }
  | { kind: 'polar'; lov: number; lad: number; radius: number; dx: number; dy: number }
  | { kind: 'mercator'; lad: number; radius: number; dx: number; dy: number }
  | { kind: 'latlon'; di: number; dj: number; radius: number }

export interface SimulatedGrid {
  readonly name: string
  readonly nx: number
  readonly ny: number
  readonly la1: number
  /** Longitude of the first point, 0..360. */
  readonly lo1: number
  readonly projection: ProjectionDefinition
  /** Scanning mode (flag table 3.4): 64 south to north, 80 the same with every second row reversed, 0 north to south. */
  readonly scan: number
  /** Shape of the earth, code table 3.2. */
  readonly earth: 1 | 6
  /** Whether wind components are along the axes of the grid, and not east and north. */
  readonly windAlongGrid: boolean
}

const RAD = Math.PI / 180

export const grids = {
  nbmConus: {
    name: 'nbm-co',
    nx: 2345,
    ny: 1597,
    la1: 19.229,
    lo1: 233.7234,
    scan: 80,
    earth: 1,
    windAlongGrid: false,
    projection: { kind: 'lambert', lov: 265, latin1: 25, latin2: 25, radius: 6371200, dx: 2539.703, dy: 2539.703 },
  },
  nbmAlaska: {
    name: 'nbm-ak',
    nx: 1649,
    ny: 1105,
    la1: 40.530101,
    lo1: 181.429,
    scan: 80,
    earth: 1,
    windAlongGrid: false,
    projection: { kind: 'polar', lov: 210, lad: 60, radius: 6371200, dx: 2976.56, dy: 2976.56 },
  },
  nbmHawaii: {
    name: 'nbm-hi',
    nx: 625,
    ny: 561,
    la1: 14.3515,
    lo1: 195.0305,
    scan: 80,
    earth: 1,
    windAlongGrid: false,
    projection: { kind: 'mercator', lad: 20, radius: 6371200, dx: 2500, dy: 2500 },
  },
  hrrrConus: {
    name: 'hrrr-conus',
    nx: 1799,
    ny: 1059,
    la1: 21.138123,
    lo1: 237.280472,
    scan: 64,
    earth: 6,
    windAlongGrid: true,
    projection: { kind: 'lambert', lov: 262.5, latin1: 38.5, latin2: 38.5, radius: 6371229, dx: 3000, dy: 3000 },
  },
  hrrrAlaska: {
    name: 'hrrr-alaska',
    nx: 1299,
    ny: 919,
    la1: 41.612949,
    lo1: 185.117126,
    scan: 64,
    earth: 6,
    windAlongGrid: true,
    projection: { kind: 'polar', lov: 225, lad: 60, radius: 6371229, dx: 3000, dy: 3000 },
  },
  rrfsAlaska: {
    name: 'rrfs-alaska',
    nx: 1649,
    ny: 1105,
    la1: 40.53,
    lo1: 181.429,
    scan: 64,
    earth: 6,
    windAlongGrid: true,
    projection: { kind: 'polar', lov: 210, lad: 60, radius: 6371229, dx: 2976, dy: 2976 },
  },
  rrfsHawaii: {
    name: 'rrfs-hawaii',
    nx: 321,
    ny: 225,
    la1: 18.072699,
    lo1: 198.474999,
    scan: 64,
    earth: 6,
    windAlongGrid: true,
    projection: { kind: 'mercator', lad: 20, radius: 6371229, dx: 2500, dy: 2500 },
  },
  rtmaConus: {
    name: 'rtma-conus',
    nx: 2345,
    ny: 1597,
    la1: 19.229,
    lo1: 233.7234,
    scan: 80,
    earth: 1,
    windAlongGrid: true,
    projection: { kind: 'lambert', lov: 265, latin1: 25, latin2: 25, radius: 6371200, dx: 2539.703, dy: 2539.703 },
  },
  rtmaAlaska: {
    name: 'rtma-alaska',
    nx: 1649,
    ny: 1105,
    la1: 40.530101,
    lo1: 181.429,
    scan: 80,
    earth: 1,
    windAlongGrid: true,
    projection: { kind: 'polar', lov: 210, lad: 60, radius: 6371200, dx: 2976.56, dy: 2976.56 },
  },
  rtmaHawaii: {
    name: 'rtma-hawaii',
    nx: 321,
    ny: 225,
    la1: 18.073,
    lo1: 198.475,
    scan: 80,
    earth: 1,
    windAlongGrid: true,
    projection: { kind: 'mercator', lad: 20, radius: 6371200, dx: 2500, dy: 2500 },
  },
  gfs: {
    name: 'gfs',
    nx: 1440,
    ny: 721,
    la1: 90,
    lo1: 0,
    scan: 0,
    earth: 6,
    windAlongGrid: false,
    projection: { kind: 'latlon', di: 0.25, dj: 0.25, radius: 6371229 },
  },
} as const satisfies Record<string, SimulatedGrid>

/** Returns the grid with only every `factor`-th point in both directions. */
export function coarsen(grid: SimulatedGrid, factor: number): SimulatedGrid {
  if (factor === 1) return grid
  const p = grid.projection
  return {
    ...grid,
    name: `${grid.name}/${factor}`,
    nx: p.kind === 'latlon' ? Math.floor(grid.nx / factor) : Math.floor((grid.nx - 1) / factor) + 1,
    ny: Math.floor((grid.ny - 1) / factor) + 1,
    projection:
      p.kind === 'latlon'
        ? { ...p, di: p.di * factor, dj: p.dj * factor }
        : { ...p, dx: p.dx * factor, dy: p.dy * factor },
  }
}

export interface Points {
  readonly lat: Float64Array
  /** Longitudes, -180..180. */
  readonly lon: Float64Array
  /**
   * Sine and cosine of the clockwise angle from true north to the grid's j axis; undefined if winds are east and north.
   */
  readonly sin?: Float64Array
  readonly cos?: Float64Array
}

/** Returns the coordinates of every point, row-major, with row 0 at (la1, lo1). */
export function gridPoints(grid: SimulatedGrid): Points {
  const n = grid.nx * grid.ny
  const lat = new Float64Array(n)
  const lon = new Float64Array(n)
  const place = projector(grid)
  const angle = grid.windAlongGrid ? new Float64Array(n) : undefined
  for (let j = 0, k = 0; j < grid.ny; j++) {
    for (let i = 0; i < grid.nx; i++, k++) {
      const at = place(i, j)
      lat[k] = at.lat
      lon[k] = at.lon > 180 ? at.lon - 360 : at.lon < -180 ? at.lon + 360 : at.lon
      if (angle) angle[k] = at.angle
    }
  }
  if (!angle) return { lat, lon }
  return { lat, lon, sin: angle.map(Math.sin), cos: angle.map(Math.cos) }
}

interface GridPlace {
  lat: number
  lon: number
  angle: number
}

function projector(grid: SimulatedGrid): (i: number, j: number) => GridPlace {
  const p = grid.projection
  const out: GridPlace = { lat: 0, lon: 0, angle: 0 }
  if (p.kind === 'latlon') {
    const down = (grid.scan & 64) === 0
    return (i, j) => {
      out.lat = grid.la1 + (down ? -j : j) * p.dj
      out.lon = grid.lo1 + i * p.di
      return out
    }
  }
  if (p.kind === 'mercator') {
    const scale = p.radius * Math.cos(p.lad * RAD)
    const y0 = scale * Math.log(Math.tan(Math.PI / 4 + (grid.la1 * RAD) / 2))
    return (i, j) => {
      out.lat = (2 * Math.atan(Math.exp((y0 + j * p.dy) / scale)) - Math.PI / 2) / RAD
      out.lon = grid.lo1 + (i * p.dx) / scale / RAD
      return out
    }
  }
  // A polar stereographic projection is a Lambert projection with the cone constant 1.
  const n =
    p.kind === 'polar'
      ? 1
      : p.latin1 === p.latin2
        ? Math.sin(p.latin1 * RAD)
        : Math.log(Math.cos(p.latin1 * RAD) / Math.cos(p.latin2 * RAD)) /
          Math.log(Math.tan(Math.PI / 4 + (p.latin2 * RAD) / 2) / Math.tan(Math.PI / 4 + (p.latin1 * RAD) / 2))
  const f =
    p.kind === 'polar'
      ? 1 + Math.sin(p.lad * RAD)
      : (Math.cos(p.latin1 * RAD) * Math.tan(Math.PI / 4 + (p.latin1 * RAD) / 2) ** n) / n
  const rho = (la: number) => (p.radius * f) / Math.tan(Math.PI / 4 + (la * RAD) / 2) ** n
  const start = n * wrap(grid.lo1 - p.lov) * RAD
  const x0 = rho(grid.la1) * Math.sin(start)
  const y0 = -rho(grid.la1) * Math.cos(start)
  return (i, j) => {
    const x = x0 + i * p.dx
    const y = y0 + j * p.dy
    const theta = Math.atan2(x, -y)
    out.lat = (2 * Math.atan(((p.radius * f) / Math.hypot(x, y)) ** (1 / n)) - Math.PI / 2) / RAD
    out.lon = p.lov + theta / n / RAD
    // East of the standard meridian, true north is to the left of the grid's north.
    out.angle = theta
    return out
  }
}

function wrap(degrees: number): number {
  return ((((degrees + 180) % 360) + 360) % 360) - 180
}
