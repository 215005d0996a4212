import type { Pause } from './table.ts'

/** Characters that are kept as text before they become bytes. */
const PIECE = 200_000

/** JSON of an object with one long list, whose items are made and written in pieces: `{…rest, "name":[…]}`. */
export async function longJson(rest: object, name: string, items: Iterable<object>, pause: Pause): Promise<Buffer> {
  const head = JSON.stringify(rest)
  const parts: Buffer[] = []
  let piece = `${head.slice(0, -1)}${head.length > 2 ? ',' : ''}${JSON.stringify(name)}:[`
  let first = true
  for (const item of items) {
    piece += first ? JSON.stringify(item) : `,${JSON.stringify(item)}`
    first = false
    if (piece.length >= PIECE) {
      parts.push(Buffer.from(piece))
      piece = ''
    }
    await pause()
  }
  parts.push(Buffer.from(`${piece}]}`))
  return Buffer.concat(parts)
}
