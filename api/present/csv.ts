import { type Pause, rowsPerPiece, type TableCell } from './table.ts'

interface CsvColumn {
  readonly name: string
  readonly unit: string | null
}

const quote = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const lineOf = (row: readonly TableCell[]) =>
  `${row.map((cell) => (cell === null ? '' : quote(String(cell)))).join(',')}\r\n`
const headerOf = (columns: readonly CsvColumn[]) =>
  lineOf(columns.map(({ name, unit }) => (unit ? `${name} [${unit}]` : name)))

/** CSV by RFC 4180: the header has units in brackets, and null is an empty cell. */
export function csv(columns: readonly CsvColumn[], rows: readonly (readonly TableCell[])[]): string {
  return headerOf(columns) + rows.map(lineOf).join('')
}

/** CSV as `csv` writes it, in pieces, for as many rows as a request may have. */
export async function longCsv(
  columns: readonly CsvColumn[],
  rows: readonly (readonly TableCell[])[],
  pause: Pause,
): Promise<Buffer> {
  const piece = rowsPerPiece(columns.length)
  const parts = [Buffer.from(headerOf(columns))]
  for (let from = 0; from < rows.length; from += piece) {
    await pause()
    parts.push(
      Buffer.from(
        rows
          .slice(from, from + piece)
          .map(lineOf)
          .join(''),
      ),
    )
  }
  return Buffer.concat(parts)
}
