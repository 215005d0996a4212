import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { writeCached } from './mapping.ts'

/** The grid as its wind angles need it. */
interface TurnedGrid {
  readonly key: string
  readonly nx: number
  readonly ny: number
  readonly points: number
  windRotation(i: number, j: number): number
}

const magic = 0x31415848 // "HXA1"
const headSize = 8

/**
 * Cosines, then sines of a grid's wind angles, as the bytes of f32: from the cache folder, or computed (half a second for a grid of the whole
 * country) and cached there.
 */
export function anglesOf(grid: TurnedGrid, folder: string): Uint8Array {
  const name = createHash('sha256')
    .update(JSON.stringify([1, grid.key]))
    .digest('hex')
  const path = join(folder, `angles-${name.slice(0, 24)}.bin`)
  const cached = read(path, grid.points)
  if (cached) return cached
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
  writeCached(path, [new Uint8Array(Uint32Array.of(magic, crc32(bytes)).buffer), bytes])
  return bytes
}

function read(path: string, points: number): Uint8Array | undefined {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch {
    return undefined
  }
  if (bytes.length !== headSize + points * 8 || bytes.readUInt32LE(0) !== magic) return undefined
  const body = bytes.subarray(headSize)
  return crc32(body) === bytes.readUInt32LE(4) ? body : undefined
}
