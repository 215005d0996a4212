import { crc32, deflateSync } from 'node:zlib'

/** Returns the octets of a value, big-endian; negative values have GRIB's sign bit. */
export function octets(value: number, count: number): number[] {
  const size = Math.abs(value)
  const list = Array.from({ length: count }, (_, k) => Math.floor(size / 256 ** (count - 1 - k)) % 256)
  if (value < 0) list[0]! |= 0x80
  return list
}

function section(number: number, body: readonly number[]): number[] {
  return [...octets(body.length + 5, 4), number, ...body]
}

export interface Craft {
  readonly nx: number
  readonly ny: number
  readonly scan?: number
  /** Section 3 from octet 13 on; a latitude–longitude grid of one degree if none. */
  readonly grid?: readonly number[]
  readonly product?: readonly number[]
  /** Section 5 from octet 10 on, section 6 from octet 6 on, section 7 from octet 6 on. */
  readonly packing: readonly number[]
  readonly values: number
  readonly bitmap?: readonly number[]
  readonly data: Uint8Array | readonly number[]
}

const float = (value: number) => [...new Uint8Array(new Float32Array([value]).buffer)].reverse()

/** Returns octets 12–19 of section 5: reference value and scales. */
export function scales(reference: number, binary: number, decimal: number): number[] {
  return [...float(reference), ...octets(binary, 2), ...octets(decimal, 2)]
}

/** A grid of one degree from 10° N, 110° W; of a hundredth where more rows would run over the pole. */
export function latLonGrid(nx: number, ny: number, scan: number): number[] {
  const step = ny > 80 ? 1e4 : 1e6
  const [south, north] = [10e6, 10e6 + (ny - 1) * step]
  const [first, last] = scan & 0x40 ? [south, north] : [north, south]
  const east = 250e6 + (nx - 1) * step
  const [west1, east2] = scan & 0x80 ? [east, 250e6] : [250e6, east]
  const earth = [6, ...octets(0, 15)]
  const ends = [...octets(first, 4), ...octets(west1, 4), 48, ...octets(last, 4), ...octets(east2, 4)]
  return [
    0,
    0,
    ...earth,
    ...octets(nx, 4),
    ...octets(ny, 4),
    ...octets(0, 8),
    ...ends,
    ...octets(step, 4),
    ...octets(step, 4),
    scan,
  ]
}

const PRODUCT = [
  0,
  0,
  0,
  0,
  0,
  0,
  2,
  0,
  96,
  0,
  0,
  0,
  1,
  ...octets(6, 4),
  103,
  0,
  ...octets(2, 4),
  255,
  0,
  ...octets(0, 4),
]

/** Returns a whole message of one field. */
export function craft(parts: Craft): Uint8Array {
  const { nx, ny, scan = 0 } = parts
  const body = [
    ...section(1, [...octets(7, 2), 0, 0, 2, 1, 1, ...octets(2026, 2), 8, 20, 12, 0, 0, 0, 1]),
    ...section(3, [0, ...octets(nx * ny, 4), 0, 0, ...(parts.grid ?? latLonGrid(nx, ny, scan))]),
    ...section(4, parts.product ?? PRODUCT),
    ...section(5, [...octets(parts.values, 4), ...parts.packing]),
    ...section(6, parts.bitmap ? [0, ...parts.bitmap] : [255]),
    ...section(7, [...parts.data]),
    ...[0x37, 0x37, 0x37, 0x37],
  ]
  return new Uint8Array([0x47, 0x52, 0x49, 0x42, 0, 0, 0, 2, ...octets(body.length + 16, 8), ...body])
}

/** Packs integers of `bits` each without gaps. */
export function pack(values: readonly number[], bits: number): number[] {
  const list = new Array<number>(Math.ceil((values.length * bits) / 8)).fill(0)
  for (const [k, value] of values.entries()) {
    for (let b = 0; b < bits; b++) {
      const at = k * bits + b
      if (Math.floor(value / 2 ** (bits - 1 - b)) % 2) list[at >> 3]! |= 0x80 >> (at & 7)
    }
  }
  return list
}

/** Returns a simply packed field: reference + value × 2^binary / 10^decimal. */
export function craftSimple(
  nx: number,
  ny: number,
  values: readonly number[],
  bits: number,
  more: Partial<Craft> = {},
): Uint8Array {
  return craft({
    nx,
    ny,
    packing: [0, 0, ...scales(0, 0, 0), bits, 0],
    values: values.length,
    data: pack(values, bits),
    ...more,
  })
}

function chunk(name: string, data: Uint8Array): Uint8Array {
  const body = new Uint8Array([...Buffer.from(name, 'latin1'), ...data])
  return new Uint8Array([...octets(data.length, 4), ...body, ...octets(crc32(body), 4)])
}

/** Filters row by row as PNG defines (0 none, 1 sub, 2 up, 3 average, 4 Paeth), `filters` taken in turn. */
function filtered(rows: readonly (readonly number[])[], pixel: number, filters: readonly number[]): number[] {
  return rows.flatMap((row, y) => {
    const filter = filters[y % filters.length] ?? 0
    const above = rows[y - 1] ?? row.map(() => 0)
    const guess = (k: number) => {
      const [a, b, c] = [row[k - pixel] ?? 0, above[k] ?? 0, above[k - pixel] ?? 0]
      if (filter === 1) return a
      if (filter === 2) return b
      if (filter === 3) return (a + b) >> 1
      if (filter === 0) return 0
      const p = a + b - c
      const [pa, pb, pc] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)]
      return pa <= pb && pa <= pc ? a : pb <= pc ? b : c
    }
    return [filter, ...row.map((octet, k) => (octet - guess(k) + 256) & 255)]
  })
}

/** A field as a PNG of `width` columns and `bits` a pixel (1, 2, 4, 8, 16, 24, 32), whatever the grid's shape. */
export function craftPng(
  [nx, ny]: readonly [number, number],
  values: readonly number[],
  bits: number,
  options: {
    readonly width?: number
    readonly filters?: readonly number[]
    readonly level?: number
  } & Partial<Craft> = {},
): Uint8Array {
  const { width = nx, filters = [0, 1, 2, 3, 4], level = 6, ...more } = options
  const rows = Array.from({ length: values.length / width }, (_, y) =>
    pack(values.slice(y * width, (y + 1) * width), bits),
  )
  const raw = filtered(rows, Math.max(1, bits >> 3), filters)
  const [depth, colour] = bits === 24 ? [8, 2] : bits === 32 ? [8, 6] : [bits, 0]
  const image = [
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    ...chunk('IHDR', new Uint8Array([...octets(width, 4), ...octets(rows.length, 4), depth, colour, 0, 0, 0])),
    ...chunk('IDAT', deflateSync(new Uint8Array(raw), { level })),
    ...chunk('IEND', new Uint8Array()),
  ]
  return craft({ nx, ny, packing: [0, 41, ...scales(0, 0, 0), bits, 0], values: values.length, data: image, ...more })
}
