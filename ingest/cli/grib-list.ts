import type { Message } from 'grib2-wasm'
import { packingName } from 'grib2-wasm'

const WIDTHS = [6, 11, 17, 10, 34, 26, 14]

function line(cells: readonly string[]): string {
  return cells.map((cell, k) => (k === cells.length - 1 ? cell : `${cell.padEnd(WIDTHS[k] ?? 0)} `)).join('')
}

export const header = line(['field', 'offset', 'reference', 'name', 'level', 'time', 'also', 'grid and packing'])

/** One field as a person reads it: number, offset, reference time, name, level, time, and what tells it from its like. */
export function row(message: Message): string {
  const { product, grid, packing } = message
  const number =
    message.field > 0 || message.index < 0 ? `${message.index + 1}.${message.field + 1}` : `${message.index + 1}`
  return line([
    number,
    String(message.offset),
    product.referenceTime.toISOString().slice(0, 16).replace('T', ' '),
    product.name,
    product.level?.name ?? '?',
    product.interval ?? product.templateName,
    product.qualifier,
    `${grid.name} ${grid.nx}×${grid.ny}, ${packingName(packing.template) ?? `template 5.${packing.template}`} ${packing.bits} bit`,
  ]).trimEnd()
}
