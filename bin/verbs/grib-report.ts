import { GribError, type Message, readMessages } from 'grib2-wasm'
import { numberOf, shortest } from 'grib2-wasm/cli'

function reportOf(message: Message, indexes: readonly number[]) {
  const { product, grid, packing, points } = message
  const values = message.decode()
  let missing = 0
  let sum = 0
  let min = Number.POSITIVE_INFINITY
  let max = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (Number.isNaN(value)) {
      missing++
      continue
    }
    sum += value
    if (value < min) min = value
    if (value > max) max = value
  }
  const hasValues = missing < points
  return {
    discipline: product.discipline,
    category: product.category,
    number: product.number,
    reference_time: product.referenceTime.toISOString().replace('.000Z', 'Z'),
    grid: { template: grid.template, nx: grid.nx, ny: grid.ny, scan: grid.scan },
    product_template: product.template,
    packing: { template: packing.template, bits: packing.bits },
    points,
    missing,
    min: hasValues ? shortest(min) : null,
    max: hasValues ? shortest(max) : null,
    mean: hasValues ? sum / (points - missing) : null,
    values: indexes.map((index) => {
      const value = values[index] ?? Number.NaN
      return index < points && !Number.isNaN(value) ? shortest(value) : null
    }),
  }
}

/** The JSON line of a field, or the reason why it cannot be decoded. */
export type FieldReport = { readonly line: string } | { readonly fault: string }

/** Reports every field of the bytes. A field that cannot be decoded does not prevent reports of the following fields. */
export function reportsOf(bytes: Uint8Array, indexes: readonly number[]): FieldReport[] {
  // The walk over the file has already reported its faults.
  return Array.from(readMessages(bytes, { onFault: () => {} }), (message): FieldReport => {
    try {
      return { line: JSON.stringify(reportOf(message, indexes)) }
    } catch (error) {
      if (!(error instanceof GribError)) throw error
      return { fault: error.message }
    }
  })
}

/** Prefixes the text of a fault with the number of the field in its file. */
export const faultOf = (place: Pick<Message, 'index' | 'field'>, text: string): string =>
  `field ${numberOf(place)}: ${text}`
