import type { SimulatedGrid } from './grids.ts'
import { Octets } from './octets.ts'
import { type PackingDefinition, pack } from './packing.ts'

/** Product definition of a message, without grid and run. */
export interface ProductDefinition {
  readonly discipline: number
  readonly category: number
  readonly number: number
  /** Type from code table 4.5, and a value that is scaled by 10^-scale. */
  readonly surface: { type: number; scale?: number; value: number }
  readonly second?: { type: number; scale?: number; value: number }
  /** Hours from the run to the instant or to the end of the interval. */
  readonly leadHours: number
  /** Length of the interval, hours; absent for an instant. */
  readonly windowHours?: number
  /** Code table 4.10: 0 average, 1 accumulation, 2 maximum, 3 minimum. */
  readonly process?: number
  /** Code table 4.7: NBM codes a standard deviation as 2. */
  readonly derived?: number
  readonly percentile?: number
  /** Code table 4.233, and the diameter below which particles count, 10^-8 m. Only for an instant: template 4.48. */
  readonly aerosol?: { readonly type: number; readonly diameter: number }
  /** Type from code table 4.9, with scaled limits. */
  readonly probability?: {
    type: number
    lower?: { scale: number; value: number }
    upper?: { scale: number; value: number }
    number?: number
    total?: number
  }
  /** Code table 4.3: NBM codes a probability as 5. */
  readonly generating?: number
}

export interface Origin {
  readonly centre: number
  readonly subcentre: number
  readonly run: number
  /** Code table 1.2: 1 start of forecast, 0 analysis, 3 observation. */
  readonly significance?: number
  readonly process?: number
  readonly localTables?: number
  readonly mastertables?: number
}

/**
 * Encodes a GRIB2 message.
 * @param values row-major, with row 0 at the grid's first point and NaN for missing values; odd rows are reversed if
 * the scanning mode requires it
 * @param local number of bytes of a local use section, which pads a file to a size that is known in advance
 */
export function gribMessage(
  origin: Origin,
  grid: SimulatedGrid,
  product: ProductDefinition,
  packing: PackingDefinition,
  values: Float32Array,
  local = 0,
): Uint8Array {
  const stream = (grid.scan & 16) !== 0 ? reverseOddRows(values, grid.nx, grid.ny) : values
  const sections: Uint8Array[] = []
  sections.push(
    section(
      1,
      new Octets()
        .u16(origin.centre)
        .u16(origin.subcentre)
        .u8(origin.mastertables ?? 2, origin.localTables ?? 1, origin.significance ?? 1)
        .time(origin.run)
        .u8(0, 1),
    ),
  )
  if (local > 0) sections.push(section(2, new Octets().bytes(new Uint8Array(local))))
  sections.push(section(3, gridSection(grid)))
  sections.push(section(4, productSection(origin, product)))
  const { representation, bitmap, data } = pack(stream, packing, grid)
  sections.push(section(5, representation), section(6, bitmap), section(7, data))
  const total = 16 + sections.reduce((sum, part) => sum + part.length, 0) + 4
  const out = new Octets().bytes(Buffer.from('GRIB')).u16(0).u8(product.discipline, 2).u32(0).u32(total)
  for (const part of sections) out.bytes(part)
  return out.bytes(Buffer.from('7777')).done()
}

function section(number: number, body: Octets): Uint8Array {
  return new Octets()
    .u32(body.length + 5)
    .u8(number)
    .bytes(body.done())
    .done()
}

function reverseOddRows(values: Float32Array, nx: number, ny: number): Float32Array {
  const out = values.slice()
  for (let j = 1; j < ny; j += 2) out.subarray(j * nx, (j + 1) * nx).reverse()
  return out
}

function gridSection(grid: SimulatedGrid): Octets {
  const p = grid.projection
  const template = { lambert: 30, polar: 20, mercator: 10, latlon: 0 }[p.kind]
  const o = new Octets()
    .u8(0)
    .u32(grid.nx * grid.ny)
    .u8(0, 0)
    .u16(template)
  o.u8(grid.earth)
  if (grid.earth === 1) o.u8(0).u32(p.radius)
  else o.u8(0).u32(0)
  o.u8(0).u32(0).u8(0).u32(0).u32(grid.nx).u32(grid.ny)
  const micro = (degrees: number) => Math.round(degrees * 1e6)
  const milli = (metres: number) => Math.round(metres * 1e3)
  const flags = grid.windAlongGrid ? 56 : 48
  if (p.kind === 'latlon') {
    const lastLat = grid.la1 + ((grid.scan & 64) === 0 ? -1 : 1) * (grid.ny - 1) * p.dj
    const lastLon = grid.lo1 + (grid.nx - 1) * p.di
    return o
      .u32(0)
      .u32(0xffffffff)
      .s32(micro(grid.la1))
      .s32(micro(grid.lo1))
      .u8(flags)
      .s32(micro(lastLat))
      .s32(micro(lastLon))
      .u32(micro(p.di))
      .u32(micro(p.dj))
      .u8(grid.scan)
  }
  if (p.kind === 'mercator') {
    const scale = p.radius * Math.cos((p.lad * Math.PI) / 180)
    const y0 = Math.log(Math.tan(Math.PI / 4 + (grid.la1 * Math.PI) / 360))
    const lastLat = (2 * Math.atan(Math.exp(y0 + ((grid.ny - 1) * p.dy) / scale)) - Math.PI / 2) * (180 / Math.PI)
    const lastLon = grid.lo1 + (((grid.nx - 1) * p.dx) / scale) * (180 / Math.PI)
    return o
      .s32(micro(grid.la1))
      .s32(micro(grid.lo1))
      .u8(flags)
      .s32(micro(p.lad))
      .s32(micro(lastLat))
      .s32(micro(lastLon))
      .u8(grid.scan)
      .u32(0)
      .u32(milli(p.dx))
      .u32(milli(p.dy))
  }
  o.s32(micro(grid.la1)).s32(micro(grid.lo1)).u8(flags)
  if (p.kind === 'polar')
    return o.s32(micro(p.lad)).s32(micro(p.lov)).u32(milli(p.dx)).u32(milli(p.dy)).u8(0, grid.scan)
  return o
    .s32(micro(p.latin1))
    .s32(micro(p.lov))
    .u32(milli(p.dx))
    .u32(milli(p.dy))
    .u8(0, grid.scan)
    .s32(micro(p.latin1))
    .s32(micro(p.latin2))
    .s32(-90_000_000)
    .s32(0)
}

/** A scaled value that is not given. */
const MISSING = 0xffffffff

function productSection(origin: Origin, product: ProductDefinition): Octets {
  const interval = product.windowHours !== undefined
  const template = product.aerosol
    ? 48
    : product.probability
      ? interval
        ? 9
        : 5
      : product.percentile !== undefined
        ? interval
          ? 10
          : 6
        : product.derived !== undefined
          ? interval
            ? 12
            : 2
          : interval
            ? 8
            : 0
  const start = product.leadHours - (product.windowHours ?? 0)
  const wholeHours = Number.isInteger(start)
  const o = new Octets().u16(0).u16(template)
  o.u8(product.category, product.number)
  if (product.aerosol)
    o.u16(product.aerosol.type)
      .u8(0)
      .s8(8)
      .s32(product.aerosol.diameter)
      .u8(0xff)
      .u32(MISSING)
      .u8(255)
      .u8(0xff)
      .u32(MISSING)
      .u8(0xff)
      .u32(MISSING)
  o.u8(product.generating ?? (product.probability ? 5 : 2), 255, origin.process ?? 104)
  o.u16(0xffff)
    .u8(255)
    .u8(wholeHours ? 1 : 0)
    .s32(wholeHours ? start : Math.round(start * 60))
  for (const level of [product.surface, product.second ?? { type: 255, value: 0 }])
    o.u8(level.type)
      .s8(level.scale ?? 0)
      .s32(level.value)
  if (product.derived !== undefined) o.u8(product.derived, 255)
  if (product.probability) {
    const { type, lower, upper, number, total } = product.probability
    const limit = (at?: { scale: number; value: number }) => (at ? o.s8(at.scale).s32(at.value) : o.u8(0xff).u32(255))
    o.u8(number ?? 255, total ?? 255, type)
    limit(lower)
    limit(upper)
  }
  if (product.percentile !== undefined) o.u8(product.percentile)
  if (interval) {
    o.time(origin.run + product.leadHours * 3_600_000)
      .u8(1)
      .u32(0)
    o.u8(product.process ?? 1, 2, 1)
      .u32(product.windowHours ?? 0)
      .u8(1)
      .u32(0)
  }
  return o
}
