/** Octets by name, the least recently asked for dropped first. One fetch serves all who ask while it is under way. */
export interface TileCache {
  get(name: string, load: () => Promise<Uint8Array>): Promise<Uint8Array>
  /** What is held now, if it is at hand. */
  peek(name: string): Uint8Array | undefined
  readonly bytes: number
}

/** @param limit octets held at most */
export function createTileCache(limit: number): TileCache {
  const held = new Map<string, Uint8Array>()
  const loading = new Map<string, Promise<Uint8Array>>()
  let bytes = 0

  function peek(name: string): Uint8Array | undefined {
    const found = held.get(name)
    if (found) {
      held.delete(name)
      held.set(name, found)
    }
    return found
  }

  function keep(name: string, value: Uint8Array): void {
    // A view would keep the whole buffer alive that it was cut from.
    const own = value.buffer.byteLength > value.byteLength * 2 ? new Uint8Array(value) : value
    held.set(name, own)
    bytes += own.byteLength
    for (const [oldest, { byteLength }] of held) {
      if (bytes <= limit) break
      held.delete(oldest)
      bytes -= byteLength
    }
  }

  return {
    peek,
    get bytes() {
      return bytes
    },
    async get(name, load) {
      const found = peek(name)
      if (found) return found
      let under = loading.get(name)
      if (!under) {
        under = load().then((value) => {
          keep(name, value)
          return value
        })
        loading.set(name, under)
        under.finally(() => loading.delete(name)).catch(() => {})
      }
      return await under
    },
  }
}
