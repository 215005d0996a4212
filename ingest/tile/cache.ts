/** Caches blocks of all runs in one ring of memory. The oldest unused block is overwritten first. */
export interface TileCache {
  /** Returns the blocks of a run by number. Calls with the same name share them. */
  blocks(name: string): CachedBlocks
  /** Bytes of the cached blocks of all runs. */
  readonly bytes: number
}

/**
 * A block is identified by its number and checksum, because another store may have a different block with the same
 * name.
 */
export interface CachedBlocks {
  /** Returns the cached block as a view into the cache. It is valid until the next `reserve`, so it must be used before the next await. */
  peek(block: number, check: number): Uint8Array | undefined
  /** Reserves space for a block. The caller must fill it before the next await and may then cache it. */
  reserve(length: number): Uint8Array
  /** Caches the block that was written to the last reserved space. */
  keep(block: number, check: number): void
  /** Returns the cached result of `load`. Concurrent calls share one load. @throws the error of `load` */
  load(block: number, check: number, load: () => Promise<Uint8Array>): Promise<Uint8Array>
}

interface BlockEntry {
  readonly block: number
  readonly check: number
  readonly owner: Map<number, BlockEntry>
  /** Offset in the cache. */
  from: number
  readonly length: number
  /** Whether the entry was read since it was written. It is then rewritten at the head instead of being evicted. */
  used: boolean
  /** The entry that was written after this entry. */
  next: BlockEntry | undefined
}

/** The ring is a sequence of pieces of this many bytes, each allocated at its first use. */
const PIECE_BYTES = 1 << 20
/** Maximum number of used blocks that are rewritten for one new block. */
const MAX_REWRITES = 16

interface RunBlocks {
  readonly entries: Map<number, BlockEntry>
  readonly loading: Map<string, Promise<Uint8Array>>
}

/** The memory of the cache, which is written in a circle. */
interface BlockRing {
  /** Bytes of the cached blocks. */
  readonly bytes: number
  view(from: number, length: number): Uint8Array
  /** Reserves space; a block that is larger than a piece gets memory of its own, which is not cached. */
  reserve(length: number): Uint8Array
  /** Caches the last reserved space as a block of `owner`. */
  keep(block: number, check: number, owner: Map<number, BlockEntry>): void
}

function createRing(limit: number): BlockRing {
  const size = Math.min(limit, PIECE_BYTES)
  const capacity = size && Math.floor(limit / size) * size
  const pieces: Uint8Array[] = []
  let oldest: BlockEntry | undefined
  let newest: BlockEntry | undefined
  let bytes = 0
  /** Write position; the oldest bytes begin here. */
  let head = 0
  let reserved = 0

  function view(from: number, length: number): Uint8Array {
    const piece = (pieces[Math.floor(from / size)] ??= new Uint8Array(size))
    return piece.subarray(from % size, (from % size) + length)
  }

  /** Returns the next offset with this number of bytes in one piece. */
  function placeFor(length: number): number {
    const remaining = size - (head % size)
    return length <= remaining ? head : head + remaining
  }

  function append(entry: BlockEntry): void {
    entry.owner.set(entry.block, entry)
    entry.next = undefined
    if (newest) newest.next = entry
    else oldest = entry
    newest = entry
    bytes += entry.length
    head = entry.from + entry.length
  }

  function takeOldest(): BlockEntry {
    const entry = oldest!
    oldest = entry.next
    // An evicted entry may stay reachable for a while and must not keep later entries alive.
    entry.next = undefined
    if (!oldest) newest = undefined
    if (entry.owner.get(entry.block) === entry) entry.owner.delete(entry.block)
    bytes -= entry.length
    return entry
  }

  /**
   * Rewrites the oldest entry at the head. There is no gap between the two, so the entry fits before itself or in its
   * own place.
   */
  function rewrite(entry: BlockEntry): void {
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
      const beyond = from + length > capacity
      const end = beyond ? capacity : from + length
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
    view,
    reserve,
    keep(block, check, owner) {
      if (reserved > size) return
      append({ block, check, owner, from: head, length: reserved, used: false, next: undefined })
    },
  }
}

/** @param limit maximum number of cached bytes */
export function createTileCache(limit: number): TileCache {
  const ring = createRing(limit)
  const runs = new Map<string, RunBlocks>()
  return {
    get bytes() {
      return ring.bytes
    },
    blocks(name) {
      for (const [other, { entries, loading }] of runs) if (!entries.size && !loading.size) runs.delete(other)
      const run: RunBlocks = runs.get(name) ?? { entries: new Map(), loading: new Map() }
      runs.set(name, run)
      return blocksOf(ring, run)
    },
  }
}

function blocksOf(ring: BlockRing, { entries, loading }: RunBlocks): CachedBlocks {
  return {
    peek(block, check) {
      const entry = entries.get(block)
      if (entry?.check !== check) return undefined
      entry.used = true
      return ring.view(entry.from, entry.length)
    },
    reserve: ring.reserve,
    keep: (block, check) => ring.keep(block, check, entries),
    load(block, check, load) {
      const key = `${block}#${check}`
      let pending = loading.get(key)
      if (!pending) {
        pending = load()
          .then((value) => {
            ring.reserve(value.length).set(value)
            ring.keep(block, check, entries)
            return value
          })
          .finally(() => loading.delete(key))
        loading.set(key, pending)
      }
      return pending
    },
  }
}
