import { fileURLToPath } from 'node:url'
import { LRUCache } from 'lru-cache'
import { Piscina } from 'piscina'
import { Fault } from '../../../ingest/domain/fault.ts'

/** At larger zooms the browser enlarges the tiles of this zoom. */
export const MAX_TILE_ZOOM = 9
/** Number of cached tiles, 15 KB each on average. */
const MAX_TILES = 1024
const MAX_QUEUED_TILES = 128

/** Vector tiles of the base map, which a thread makes when they are first requested. */
export interface BaseMap {
  /** A tile, compressed with gzip. @throws Fault Missing if there is no such tile, Refused if too many tiles wait */
  tile(z: number, x: number, y: number): Promise<Buffer>
}

export function openBaseMap(): BaseMap {
  const tiles = new LRUCache<string, Promise<Buffer>>({ max: MAX_TILES })
  let pool: Piscina | undefined
  const thread = () => {
    if (pool) return pool
    pool = new Piscina({
      filename: fileURLToPath(new URL('./tile-thread.ts', import.meta.url)),
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: 60_000,
      maxQueue: MAX_QUEUED_TILES,
      recordTiming: false,
      trackUnmanagedFds: false,
    })
    // The error of an idle thread that ended is ignored: the next tile starts another thread.
    pool.on('error', () => undefined)
    return pool
  }
  return {
    tile(z, x, y) {
      const side = 2 ** z
      const isInRange = [z, x, y].every(Number.isInteger) && z >= 0 && z <= MAX_TILE_ZOOM && x >= 0 && y >= 0
      if (!isInRange || x >= side || y >= side)
        throw new Fault(
          'Missing',
          `Tile ${z}/${x}/${y} does not exist: z must be from 0 to ${MAX_TILE_ZOOM}, x and y below 2^z.`,
        )
      const name = `${z}/${x}/${y}`
      const stored = tiles.get(name)
      if (stored) return stored
      if (thread().queueSize >= MAX_QUEUED_TILES)
        throw new Fault('Refused', `${MAX_QUEUED_TILES} map tiles wait to be made; try again in a few seconds.`)
      const tile = (thread().run({ z, x, y }) as Promise<Uint8Array>).then((bytes) =>
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
      )
      tiles.set(name, tile)
      tile.catch(() => tiles.delete(name))
      return tile
    },
  }
}
