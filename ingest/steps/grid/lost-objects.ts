import { forgetPublication } from '../../../sql/queries/revisions.ts'
import { type Pointer, pointers } from '../../../sql/queries/runs.ts'
import { isFault } from '../../domain/fault.ts'
import type { Database } from '../../ports/database.ts'
import type { Objects } from '../../ports/objects.ts'
import { manifestName, tileName } from '../../tile/key.ts'
import { type Manifest, openText } from '../../tile/manifest.ts'

interface LostPorts {
  readonly database: Database
  readonly objects: Objects
}

/** A served run or frame whose objects are not all in the store. */
export interface LostPublication {
  readonly pointer: Pointer
  /** Number of objects that are absent or have another size; all of them if the manifest cannot be read. */
  readonly lost: number
  readonly objects: number
}

/** Compares the served runs and frames with the object store: one listing and one read for each. */
export async function findLost({ database, objects }: LostPorts): Promise<LostPublication[]> {
  const publications: LostPublication[] = []
  for (const pointer of await pointers(database)) {
    const { manifest_key: key } = pointer
    const isRun = key.endsWith(`/${manifestName}`)
    const publication = isRun
      ? await lostOfRun(objects, key)
      : { lost: (await objects.size(key)) === undefined ? 1 : 0, objects: 1 }
    if (publication.lost > 0) publications.push({ pointer, ...publication })
  }
  return publications
}

async function lostOfRun(objects: Objects, manifestKey: string): Promise<{ lost: number; objects: number }> {
  const folder = manifestKey.slice(0, -manifestName.length)
  const sizes = new Map<string, number>()
  for await (const { key, size } of objects.list(folder)) sizes.set(key.slice(folder.length), size)
  if (!sizes.has(manifestName)) return { lost: sizes.size + 1, objects: sizes.size + 1 }
  try {
    const { tiles } = openText<Manifest>('HXM1', manifestKey, await objects.get(manifestKey))
    const lost = tiles.filter(({ size }, shard) => sizes.get(tileName(shard)) !== size)
    return { lost: lost.length, objects: tiles.length + 1 }
  } catch (error) {
    if (!isFault(error, 'Corrupt') && !isFault(error, 'Missing')) throw error
    return { lost: sizes.size, objects: sizes.size }
  }
}

/** Ends the service of lost runs and frames, so that workers take them, or newer ones, from upstream. */
export async function forgetLost({ database }: LostPorts, publications: readonly LostPublication[]): Promise<void> {
  for (const { pointer } of publications) await forgetPublication(database, pointer)
}
