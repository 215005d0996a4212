import { storable } from '../../domain/storable.ts'

/** Returns the fields of one line of CSV (RFC 4180). A field that begins with a quote is quoted, and `""` in it is a quote. */
export function csvFields(line: string): string[] {
  const fields: string[] = []
  let at = 0
  for (;;) {
    if (line[at] === '"') {
      let text = ''
      let from = at + 1
      let quote = line.indexOf('"', from)
      while (quote >= 0 && line[quote + 1] === '"') {
        text += line.slice(from, quote + 1)
        from = quote + 2
        quote = line.indexOf('"', from)
      }
      if (quote < 0) quote = line.length
      text += line.slice(from, quote)
      // Text between the closing quote and the comma is malformed; it becomes part of the field.
      const comma = line.indexOf(',', quote + 1)
      fields.push(text + line.slice(quote + 1, comma < 0 ? undefined : comma))
      if (comma < 0) return fields
      at = comma + 1
    } else {
      const comma = line.indexOf(',', at)
      fields.push(line.slice(at, comma < 0 ? undefined : comma))
      if (comma < 0) return fields
      at = comma + 1
    }
  }
}

export interface TextLines {
  readonly lines: readonly string[]
  /** Whether the text ends in the middle of a line, because the file was truncated. `lines` does not have the truncated line. */
  readonly cut: boolean
}

/** Splits a text into its lines, without their terminators. Text after the last terminator is not a line. */
export function wholeLines(text: string): TextLines {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  const lastLine = lines.pop()!
  return { lines, cut: lastLine.trim() !== '' }
}

/** Decodes UTF-8, or ISO-8859-1 if that fails. Removes the byte order mark and characters that cannot be stored. */
export function textOf(bytes: Uint8Array): string {
  try {
    return storable(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return storable(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1'))
  }
}
