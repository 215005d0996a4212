import type { Pause } from './table.ts'

/** Number of characters that are collected before they are converted to bytes. */
const PIECE = 200_000

/** JSON of an object with one long list, `{…members, "name":[…]}`. The items are created and written in pieces. */
export async function longJson(members: object, name: string, items: Iterable<object>, pause: Pause): Promise<Buffer> {
  const head = JSON.stringify(members)
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
