import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readCached, writeCached } from './cached-file.ts'

/** The members of a grid that determine its wind angles. */
interface TurnedGrid {
  readonly key: string
  readonly nx: number
  readonly ny: number
  readonly points: number
  windRotation(i: number, j: number): number
}

const magic = 0x32415848 // "HXA2"

/**
 * Returns the cosines, then the sines of a grid's wind angles, as the bytes of f32. They are read from the cache
 * folder, or computed (half a second for a grid of the whole country) and cached there.
 */
export function anglesOf(grid: TurnedGrid, folder: string): Uint8Array {
  const name = createHash('sha256')
    .update(JSON.stringify([2, grid.key]))
    .digest('hex')
  const path = join(folder, `angles-${name.slice(0, 24)}.bin`)
  const cached = readCached(path, magic, 0)?.bytes
  if (cached?.length === grid.points * 8) return cached
  const { nx, ny, points } = grid
  const angles = new Float32Array(points * 2)
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const angle = grid.windRotation(i, j)
      angles[j * nx + i] = Math.cos(angle)
      angles[points + j * nx + i] = Math.sin(angle)
    }
  }
  const bytes = new Uint8Array(angles.buffer)
  writeCached(path, magic, [], [bytes])
  return bytes
}
