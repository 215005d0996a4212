import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Grid } from '../grid/grid.ts'
import type { Message } from '../message.ts'
import { numberOf } from './list.ts'

/** Number of points along the side of a chunk: 1 MB before compression. */
const SIDE = 512

/** Writes one array of a Zarr version 3 group in gzip-compressed chunks. Chunks with only missing values are omitted. */
function writeArray(
  folder: string,
  values: Float32Array | Float64Array,
  { nx, ny }: Grid,
  attributes: Readonly<Record<string, unknown>>,
): void {
  const [height, width] = [Math.min(SIDE, ny), Math.min(SIDE, nx)]
  const single = values instanceof Float32Array
  mkdirSync(folder, { recursive: true })
  for (let top = 0; top < ny; top += height) {
    for (let left = 0; left < nx; left += width) {
      // Chunks at the edges also have the full size.
      const chunk = single ? new Float32Array(height * width) : new Float64Array(height * width)
      chunk.fill(Number.NaN)
      for (let j = top; j < Math.min(ny, top + height); j++) {
        chunk.set(values.subarray(j * nx + left, j * nx + Math.min(nx, left + width)), (j - top) * width)
      }
      if (chunk.every(Number.isNaN)) continue
      const path = join(folder, 'c', String(top / height))
      mkdirSync(path, { recursive: true })
      writeFileSync(join(path, String(left / width)), gzipSync(new Uint8Array(chunk.buffer), { level: 5 }))
    }
  }
  const metadata = {
    zarr_format: 3,
    node_type: 'array',
    shape: [ny, nx],
    data_type: single ? 'float32' : 'float64',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [height, width] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 'NaN',
    codecs: [
      { name: 'bytes', configuration: { endian: 'little' } },
      { name: 'gzip', configuration: { level: 5 } },
    ],
    dimension_names: ['y', 'x'],
    attributes,
  }
  writeFileSync(join(folder, 'zarr.json'), JSON.stringify(metadata, undefined, 2))
}

/** A Zarr version 3 group on disk with an array per field, and latitudes and longitudes per grid. */
export class ZarrGroup {
  readonly #folder: string
  readonly #coordinates = new Map<string, string>()

  constructor(folder: string) {
    this.#folder = folder
    mkdirSync(folder, { recursive: true })
    const group = { zarr_format: 3, node_type: 'group', attributes: { Conventions: 'CF-1.10' } }
    writeFileSync(join(folder, 'zarr.json'), JSON.stringify(group, undefined, 2))
  }

  /** Writes latitude and longitude of a grid once, and returns their names for the attribute `coordinates`. */
  #coordinatesOf(grid: Grid): string {
    const known = this.#coordinates.get(grid.key)
    if (known) return known
    const suffix = this.#coordinates.size > 0 ? `_${this.#coordinates.size + 1}` : ''
    const [lats, lons] = [new Float64Array(grid.points), new Float64Array(grid.points)]
    for (let j = 0; j < grid.ny; j++) {
      for (let i = 0; i < grid.nx; i++) [lats[j * grid.nx + i], lons[j * grid.nx + i]] = grid.toLatLon(i, j)
    }
    const attributes = (name: string) => ({
      standard_name: name,
      units: `degrees_${name === 'latitude' ? 'north' : 'east'}`,
    })
    writeArray(join(this.#folder, `latitude${suffix}`), lats, grid, attributes('latitude'))
    writeArray(join(this.#folder, `longitude${suffix}`), lons, grid, attributes('longitude'))
    const names = `latitude${suffix} longitude${suffix}`
    this.#coordinates.set(grid.key, names)
    return names
  }

  /** Writes a field, and returns the name of its array. */
  add(message: Message, values: Float32Array): string {
    const { product, grid } = message
    const words = [numberOf(message), product.name, product.level?.name ?? '', product.interval ?? '']
    const name = words.join('_').replaceAll(/[^A-Za-z0-9.]{1,99}/g, '_')
    writeArray(join(this.#folder, name), values, grid, {
      long_name: product.title,
      units: product.unit,
      level: product.level?.name,
      interval: product.interval,
      qualifier: product.qualifier || undefined,
      reference_time: product.referenceTime.toISOString(),
      valid_time: product.end?.toISOString(),
      coordinates: this.#coordinatesOf(grid),
    })
    return name
  }
}
