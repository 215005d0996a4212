interface CsvColumn {
  readonly name: string
  readonly unit: string | null
}

/** RFC 4180, the header with units in brackets, nothing for null. */
export function csv(columns: readonly CsvColumn[], rows: readonly (readonly (string | number | null)[])[]): string {
  const quote = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const lines = [
    columns.map(({ name, unit }) => quote(unit ? `${name} [${unit}]` : name)),
    ...rows.map((row) => row.map((cell) => (cell === null ? '' : quote(String(cell))))),
  ]
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`
}
