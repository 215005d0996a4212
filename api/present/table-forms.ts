import { arrow } from './arrow.ts'
import { longCsv } from './csv.ts'
import { parquet } from './parquet.ts'
import type { Pause, Table } from './table.ts'

/** Loads the writers, whose first use takes 80 ms otherwise. */
export async function preloadTables(): Promise<void> {
  await Promise.all([import('apache-arrow'), import('hyparquet-writer')])
}

/**
 * Bytes of a table in one of the forms with rows and columns. They are written in pieces: the largest table takes 60
 * to 180 ms.
 */
export async function tableIn(format: 'csv' | 'parquet' | 'arrow', table: Table, pause: Pause): Promise<Buffer> {
  if (format === 'csv') return longCsv(table.columns, table.rows, pause)
  const bytes = await (format === 'parquet' ? parquet(table, pause) : arrow(table, pause))
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
