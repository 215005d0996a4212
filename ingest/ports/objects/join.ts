import { nth } from '../../domain/nth.ts'

type ReadRange = (key: string, from: number, length: number) => Promise<Uint8Array>

/** Ranges are read together if the gap between them has at most this many bytes, because a request costs more than the bytes of the gap. */
const GAP_BYTES = 64 << 10
const MAX_BYTES = 8 << 20

interface PendingRead {
  readonly from: number
  readonly length: number
  resolve(bytes: Uint8Array): void
  reject(error: unknown): void
}

/** Returns a `read` that combines the ranges of one object that are requested in the same turn of the event loop. */
export function joinRanges(read: ReadRange): ReadRange {
  const pending = new Map<string, PendingRead[]>()

  function flush(key: string): void {
    const list = pending.get(key)!.sort((left, right) => left.from - right.from)
    pending.delete(key)
    for (let first = 0; first < list.length; ) {
      const from = nth(list, first).from
      let end = from + nth(list, first).length
      let last = first + 1
      for (; last < list.length; last++) {
        const next = nth(list, last)
        if (next.from > end + GAP_BYTES || Math.max(end, next.from + next.length) - from > MAX_BYTES) break
        end = Math.max(end, next.from + next.length)
      }
      const group = list.slice(first, last)
      first = last
      read(key, from, end - from).then(
        (bytes) => {
          for (const request of group)
            request.resolve(bytes.subarray(request.from - from, request.from - from + request.length))
        },
        (error) => {
          for (const request of group) request.reject(error)
        },
      )
    }
  }

  return (key, from, length) =>
    new Promise((resolve, reject) => {
      const request = { from, length, resolve, reject }
      const list = pending.get(key)
      if (list) list.push(request)
      else {
        pending.set(key, [request])
        setImmediate(flush, key)
      }
    })
}
