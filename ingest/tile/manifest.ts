import { crc32 } from 'node:zlib'
import type { DomainId } from '../domain/domain.ts'
import { Fault } from '../domain/fault.ts'
import type { Instant } from '../domain/time.ts'

/** Content of a stage: the object that a reader opens first. FORMAT.md defines each member. */
export interface Manifest {
  /** Format version of the blocks: 2; 1 in runs of an earlier version. */
  readonly format: 1 | 2
  readonly dataset: string
  readonly domain: DomainId
  readonly run: Instant
  readonly stage: string
  /** Number of the republication of the run. Runs of earlier versions lack it, and are of revision 0. */
  readonly revision?: number
  /** `ENCODER_VERSION` of the code that built the tiles. Runs of earlier versions lack it. */
  readonly encoder?: number
  readonly resolution: number
  readonly cells: number
  /** Levels from a block's parent down to its cells. */
  readonly level: number
  readonly seek: boolean
  /** Valid times in seconds after the run, ascending. */
  readonly axes: readonly (readonly number[])[]
  readonly variables: readonly ManifestVariable[]
  readonly tiles: readonly ManifestTile[]
}

export interface ManifestVariable {
  readonly name: string
  readonly axis: number
  readonly quantum: number
  readonly offset: number
}

export interface ManifestTile {
  /** Parent of the first block. */
  readonly first: number
  /** Bytes of the directory, and bytes of the whole object. */
  readonly directory: number
  readonly size: number
  /** Checksum of the directory. */
  readonly check: number
}

/** Writes a first line with the format version and the checksum of the rest, then JSON. */
export function sealText(form: string, value: unknown): Uint8Array {
  const json = Buffer.from(JSON.stringify(value))
  return Buffer.concat([Buffer.from(`${form} ${crc32(json).toString(16).padStart(8, '0')}\n`), json])
}

/** @throws Fault Corrupt that names the object */
export function openText<T>(form: string, key: string, bytes: Uint8Array): T {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = text.indexOf(10)
  const line = text.subarray(0, Math.max(end, 0)).toString('latin1')
  const json = text.subarray(end + 1)
  const seal = `${form} ${crc32(json).toString(16).padStart(8, '0')}`
  if (line !== seal) {
    throw new Fault(
      'Corrupt',
      `object ${key}: must begin with "${seal}", but begins with "${line.slice(0, 40)}". Build the tiles again with hexcast weave.`,
      {
        object: key,
      },
    )
  }
  return JSON.parse(json.toString()) as T
}
