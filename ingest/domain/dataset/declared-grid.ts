import type { DomainId } from '../domain.ts'
import { entryOf } from '../nth.ts'

/** The grid that a dataset declares for a domain: what section 3 of each of its GRIB2 messages must describe. */
export interface DeclaredGrid {
  /** Number N of the grid template 3.N. */
  readonly template: number
  readonly nx: number
  readonly ny: number
  /**
   * Scanning mode (flag table 3.4) without the bit for alternating rows (0x10). NBM sets that bit in some messages of a file and not in
   * others; the roughness of the decoded rows shows whether it is right.
   */
  readonly scan: number
  /** Radius of the spherical earth in metres. */
  readonly radius: number
  /** Whether wind components are along the grid's axes; absent if the dataset has no components. */
  readonly windsAlongGrid?: boolean
  /** The members that place the points (`lat1`, `lov`, `dx`, `latStep`, …), in degrees, or in metres between points. */
  readonly numbers: Readonly<Record<string, number>>
}

/** The accepted grids by domain, the usual grid first. */
export type DeclaredGrids = Readonly<Partial<Record<DomainId, readonly DeclaredGrid[]>>>

/** The grid that a message describes, like `Grid` of grib2-wasm. */
export interface MessageGrid {
  readonly template: number
  readonly nx: number
  readonly ny: number
  readonly scan: number
  readonly uvRelativeToGrid: boolean
  readonly earth: { readonly major: number; readonly minor: number }
  readonly numbers: Readonly<Record<string, number>>
}

/** Tolerance of the radius, m. Shapes 1, 6 and 8 of code table 3.2 differ by 29 m, which moves the points of our grids by less. */
const RADIUS_TOLERANCE = 50
/** Tolerance of an angle, degrees: about 100 m. */
const ANGLE_TOLERANCE = 0.001
/** Relative tolerance of a distance between points: a tenth of a cell over 2,000 cells. */
const STEP_TOLERANCE = 5e-5
const ALTERNATING_ROWS = 0x10
/** Maximum stride of a thinned grid. */
const MAX_STRIDE = 100

const STEPS: ReadonlySet<string> = new Set(['dx', 'dy', 'latStep', 'lonStep'])

/**
 * Returns why a message is on none of the declared grids; undefined if it is on one of them.
 * @param thinned whether a declared grid with only every n-th point in both directions is also accepted; the simulator serves such files
 */
export function gridMismatch(
  declared: readonly DeclaredGrid[],
  messageGrid: MessageGrid,
  thinned = false,
): string | undefined {
  const reasons = declared.map((grid) => mismatch(grid, messageGrid, thinned))
  return reasons.includes(undefined) ? undefined : reasons[0]
}

function mismatch(declared: DeclaredGrid, messageGrid: MessageGrid, thinned: boolean): string | undefined {
  if (messageGrid.template !== declared.template)
    return differs('template', `3.${declared.template}`, `3.${messageGrid.template}`)
  const stride = thinned ? strideOf(declared, messageGrid) : 1
  const [nx, ny] = thinnedSize(declared, stride)
  if (messageGrid.nx !== nx || messageGrid.ny !== ny)
    return differs('points', `${nx} × ${ny}`, `${messageGrid.nx} × ${messageGrid.ny}`)
  if ((messageGrid.scan & ~ALTERNATING_ROWS) !== (declared.scan & ~ALTERNATING_ROWS))
    return differs('scanning mode', declared.scan, messageGrid.scan)
  for (const axis of [messageGrid.earth.major, messageGrid.earth.minor]) {
    if (!(Math.abs(axis - declared.radius) <= RADIUS_TOLERANCE))
      return differs(
        'earth',
        `a sphere of ${declared.radius} m`,
        `${messageGrid.earth.major} × ${messageGrid.earth.minor} m`,
      )
  }
  if (declared.windsAlongGrid !== undefined && messageGrid.uvRelativeToGrid !== declared.windsAlongGrid) {
    const along = (grid: boolean) => (grid ? "the grid's axes" : 'east and north')
    return differs('wind components along', along(declared.windsAlongGrid), along(messageGrid.uvRelativeToGrid))
  }
  for (const [name, value] of Object.entries(declared.numbers)) {
    const step = STEPS.has(name)
    const expected = step ? value * stride : value
    const actual = messageGrid.numbers[name] ?? Number.NaN
    const off = step ? Math.abs(actual - expected) / Math.abs(expected) : turn(actual - expected)
    if (!(off <= (step ? STEP_TOLERANCE : ANGLE_TOLERANCE))) return differs(name, expected, actual)
  }
  return undefined
}

function strideOf({ numbers }: DeclaredGrid, messageGrid: MessageGrid): number {
  const name = 'dx' in numbers ? 'dx' : 'lonStep'
  const stride = Math.round((messageGrid.numbers[name] ?? Number.NaN) / entryOf(numbers, name))
  return stride >= 1 && stride <= MAX_STRIDE ? stride : 1
}

/** Returns the size of a grid with every n-th point. A grid around the whole earth has no last column that must be included. */
function thinnedSize({ nx, ny, numbers }: DeclaredGrid, stride: number): readonly [number, number] {
  const around = Math.abs((numbers['lonStep'] ?? 0) * nx) > 359.9
  return [around ? Math.floor(nx / stride) : Math.floor((nx - 1) / stride) + 1, Math.floor((ny - 1) / stride) + 1]
}

/** Returns the absolute angle, at most 180 degrees. */
function turn(degrees: number): number {
  return Math.abs(((((degrees + 180) % 360) + 360) % 360) - 180)
}

function differs(what: string, expected: string | number, actual: string | number): string {
  return `grid: expected ${what} ${expected}, but found ${actual}`
}
