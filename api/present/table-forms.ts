import { arrow } from './arrow.ts'
import { csv } from './csv.ts'
import { parquet } from './parquet.ts'
import type { Table } from './table.ts'

/** Bytes or text of a table in one of the forms that have rows and columns. */
export async function tableIn(format: 'csv' | 'parquet' | 'arrow', table: Table): Promise<Buffer | string> {
  if (format === 'csv') return csv(table.columns, table.rows)
  return Buffer.from(await (format === 'parquet' ? parquet(table) : arrow(table)))
}
