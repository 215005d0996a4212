import type { Message } from '../message.ts'
import { packingName } from '../packing.ts'

const WIDTHS = [6, 11, 17, 10, 34, 26, 14]

function line(cells: readonly string[]): string {
  return cells.map((cell, k) => (k === cells.length - 1 ? cell : `${cell.padEnd(WIDTHS[k] ?? 0)} `)).join('')
}

export const listHeader: string = line([
  'field',
  'offset',
  'reference',
  'name',
  'level',
  'time',
  'also',
  'grid and packing',
])

/** Returns the number of a field in a list: `3`, or `3.2` for the second field of the third message. */
export function numberOf({ index, field }: Pick<Message, 'index' | 'field'>): string {
  return field > 0 ? `${index + 1}.${field + 1}` : `${index + 1}`
}

/** Returns one line of a table: number, offset, reference time, name, level, time, qualifier, grid and packing. */
export function listRow(message: Message): string {
  const { product, grid, packing } = message
  return line([
    numberOf(message),
    String(message.offset),
    product.referenceTime.toISOString().slice(0, 16).replace('T', ' '),
    product.name,
    product.level?.name ?? '?',
    product.interval ?? product.templateName,
    product.qualifier,
    `${grid.name} ${grid.nx}×${grid.ny}, ${packingName(packing.template) ?? `template 5.${packing.template}`} ${packing.bits} bit`,
  ]).trimEnd()
}
