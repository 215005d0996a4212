/** Bytes of blocks, those of all runs in one room; what was not asked for longest is written over first. */
export interface TileCache {
  /** The blocks of one run, under their numbers. Whoever gives the same name shares them. */
  blocks(name: string): CachedBlocks
  /** What is held of all runs. */
  readonly bytes: number
}

/** Blocks are told apart by a number and their checksum: what another store holds under the same name is something else. */
export interface CachedBlocks {
  /** What is held, as a view into the cache: good until something else is kept, so it must be looked at before anyone waits. */
  peek(block: number, check: number): Uint8Array | undefined
  /** A place to fill with a block before anyone waits; then it may be kept. */
  reserve(length: number): Uint8Array
  /** Keeps what was filled into the place reserved last. */
  keep(block: number, check: number): void
  /** What `load` gives, which is kept. One load serves all who ask while it is under way. @throws what `load` throws */
  load(block: number, check: number, load: () => Promise<Uint8Array>): Promise<Uint8Array>
}

interface Entry {
  readonly block: number
  readonly check: number
  readonly of: Map<number, Entry>
  /** Among all bytes of the cache. */
  from: number
  readonly length: number
  /** Asked for since it was written: it is written once more instead of being lost. */
  used: boolean
  /** The one that was written after it. */
  next: Entry | undefined
}

/** Blocks lie behind each other in pieces of so many bytes, which are made when they are first come to. */
const PIECE_BYTES = 1 << 20
/** What was asked for again is written anew, but only so much of it for one that comes. */
const MAX_REWRITES = 16

interface RunBlocks {
  readonly entries: Map<number, Entry>
  readonly loading: Map<string, Promise<Uint8Array>>
}

/** @param limit bytes held at most */
export function createTileCache(limit: number): TileCache {
  const size = Math.min(limit, PIECE_BYTES)
  const whole = size && Math.floor(limit / size) * size
  const pieces: Uint8Array[] = []
  const runs = new Map<string, RunBlocks>()
  let oldest: Entry | undefined
  let newest: Entry | undefined
  let bytes = 0
  /** Where the next one goes; the bytes from here on are the oldest ones. */
  let head = 0
  let reserved = 0

  function view(from: number, length: number): Uint8Array {
    const piece = (pieces[Math.floor(from / size)] ??= new Uint8Array(size))
    return piece.subarray(from % size, (from % size) + length)
  }

  /** The next place for so many bytes that lie in one piece. */
  function placeFor(length: number): number {
    const left = size - (head % size)
    return length <= left ? head : head + left
  }

  function append(entry: Entry): void {
    entry.of.set(entry.block, entry)
    entry.next = undefined
    if (newest) newest.next = entry
    else oldest = entry
    newest = entry
    bytes += entry.length
    head = entry.from + entry.length
  }

  function takeOldest(): Entry {
    const entry = oldest!
    oldest = entry.next
    // What is dropped may stay in memory for a while: it must not hold those that come after it.
    entry.next = undefined
    if (!oldest) newest = undefined
    if (entry.of.get(entry.block) === entry) entry.of.delete(entry.block)
    bytes -= entry.length
    return entry
  }

  /** Nothing lies between the head and the oldest entry, so that it fits before or upon itself. */
  function rewrite(entry: Entry): void {
    const from = placeFor(entry.length)
    if (from !== entry.from) view(from, entry.length).set(view(entry.from, entry.length))
    entry.from = from
    entry.used = false
    append(entry)
  }

  function reserve(length: number): Uint8Array {
    reserved = length
    if (length > size) return new Uint8Array(length)
    for (let rewrites = MAX_REWRITES; ; ) {
      const from = placeFor(length)
      const beyond = from + length > whole
      const end = beyond ? whole : from + length
      if (oldest && oldest.from >= head && oldest.from < end) {
        const entry = takeOldest()
        if (entry.used && rewrites-- > 0) rewrite(entry)
      } else if (beyond) head = 0
      else {
        head = from
        return view(from, length)
      }
    }
  }

  return {
    get bytes() {
      return bytes
    },
    blocks(name) {
      for (const [other, { entries: held, loading }] of runs) if (!held.size && !loading.size) runs.delete(other)
      const run: RunBlocks = runs.get(name) ?? { entries: new Map(), loading: new Map() }
      runs.set(name, run)
      const { entries: held, loading } = run

      function keep(block: number, check: number): void {
        if (reserved > size) return
        append({ block, check, of: held, from: head, length: reserved, used: false, next: undefined })
      }

      return {
        peek(block, check) {
          const found = held.get(block)
          if (found?.check !== check) return undefined
          found.used = true
          return view(found.from, found.length)
        },
        reserve,
        keep,
        load(block, check, load) {
          const key = `${block}#${check}`
          let under = loading.get(key)
          if (!under) {
            under = load()
              .then((value) => {
                reserve(value.length).set(value)
                keep(block, check)
                return value
              })
              .finally(() => loading.delete(key))
            loading.set(key, under)
          }
          return under
        },
      }
    },
  }
}
