type ReadRange = (key: string, from: number, length: number) => Promise<Uint8Array>

/** Two ranges with less between them are read as one: a request costs more than these bytes do. */
const gapBytes = 64 << 10
const mostBytes = 8 << 20

interface Wish {
  readonly from: number
  readonly length: number
  resolve(bytes: Uint8Array): void
  reject(error: unknown): void
}

/** Joins ranges of one object that are asked for in the same turn of the event loop. */
export function joinRanges(read: ReadRange): ReadRange {
  const wishes = new Map<string, Wish[]>()

  function flush(key: string): void {
    const list = wishes.get(key)!.sort((left, right) => left.from - right.from)
    wishes.delete(key)
    for (let first = 0; first < list.length; ) {
      const from = list[first]!.from
      let end = from + list[first]!.length
      let last = first + 1
      for (; last < list.length; last++) {
        const next = list[last]!
        if (next.from > end + gapBytes || Math.max(end, next.from + next.length) - from > mostBytes) break
        end = Math.max(end, next.from + next.length)
      }
      const group = list.slice(first, last)
      first = last
      read(key, from, end - from).then(
        (bytes) => {
          for (const wish of group) wish.resolve(bytes.subarray(wish.from - from, wish.from - from + wish.length))
        },
        (error) => {
          for (const wish of group) wish.reject(error)
        },
      )
    }
  }

  return (key, from, length) =>
    new Promise((resolve, reject) => {
      const wish = { from, length, resolve, reject }
      const list = wishes.get(key)
      if (list) list.push(wish)
      else {
        wishes.set(key, [wish])
        setImmediate(flush, key)
      }
    })
}
