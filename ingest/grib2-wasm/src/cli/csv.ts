import type { Message } from '../message.ts'
import { numberOf } from './list.ts'

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

export const csvHeader = 'field,name,level,time,lat,lon,value\n'

/** Returns the shortest decimal number that represents this 32-bit float. */
export function shortest(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const rounded = Number(value.toPrecision(digits))
    if (Math.fround(rounded) === value) return rounded
  }
  return value
}

/** Yields the CSV rows of a field, one row of the grid at a time; the value is empty if it is missing. */
export function* csvRows(message: Message, values: Float32Array): Generator<string> {
  const { product, grid } = message
  const time = product.end?.toISOString() ?? ''
  const head = [numberOf(message), product.name, product.level?.name ?? '', time].map(quoted).join(',')
  for (let j = 0; j < grid.ny; j++) {
    const rows: string[] = []
    for (let i = 0; i < grid.nx; i++) {
      const [lat, lon] = grid.toLatLon(i, j)
      const value = values[j * grid.nx + i]!
      rows.push(`${head},${lat.toFixed(6)},${lon.toFixed(6)},${Number.isNaN(value) ? '' : shortest(value)}\n`)
    }
    yield rows.join('')
  }
}
