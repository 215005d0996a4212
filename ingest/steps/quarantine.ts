import {
  dropQuarantined,
  forgetFrame,
  forgetLeads,
  forgetReads,
  putQuarantined,
  type QuarantineRow,
  setQuarantinedObject,
  trimQuarantine,
} from '../../sql/queries/quarantine.ts'
import type { DomainId } from '../domain/domain.ts'
import type { Quarantined } from '../domain/quarantine.ts'
import { runName } from '../domain/time.ts'
import type { Database } from '../ports/database.ts'
import type { Objects } from '../ports/objects.ts'
import { slabPrefix } from './grid/sample.ts'

/** Maximum number of entries and of bytes; the oldest entries are removed. */
const MAX_ENTRIES = 1000
const MAX_TOTAL_BYTES = 256 * 1024 * 1024
/** Maximum bytes of an entry. A message has at most some 8 MB, and the beginning of a file is enough to identify it. */
const MAX_ENTRY_BYTES = 8 * 1024 * 1024

interface QuarantinePorts {
  readonly database: Database
  readonly objects: Pick<Objects, 'put' | 'remove'>
}

/**
 * Records a rejected item: a row and a count, and the bytes during the first hour of the row. Recording the same item
 * again changes nothing.
 */
export function quarantineOver({ database, objects }: QuarantinePorts): (entry: Quarantined) => Promise<void> {
  return async (entry) => {
    const { dataset, domain = '', run, leadHours = 0, reason, url = '', bytes } = entry
    const variable = (entry.variable ?? '').replaceAll('\0', '\uFFFD')
    const detail = entry.detail.replaceAll('\0', '\uFFFD')
    const row = { dataset, domain, run: new Date(run), variable, reason, detail, url }
    const removedKeys = await database.transaction(async (tx) => {
      const { id, added } = await putQuarantined(tx, row, leadHours)
      if (!added) return []
      if (bytes) {
        // The bytes are copied, because they may be in shared memory, which clients of stores do not accept.
        const excerpt = bytes.slice(0, MAX_ENTRY_BYTES)
        const object = `quarantine/v1/${dataset}/${domain || 'all'}/${runName(run)}/${id}.bin`
        await objects.put(object, excerpt)
        await setQuarantinedObject(tx, id, object, excerpt.length)
      }
      return trimQuarantine(tx, MAX_ENTRIES, MAX_TOTAL_BYTES)
    })
    for (const object of removedKeys) await objects.remove(object)
  }
}

/** Returns the subject of an entry; for a feed, `stateKey` is the first segment of the names of its state. */
export type Replayed = { readonly kind: 'run' | 'frame' } | { readonly kind: 'feed'; readonly stateKey: string }

/** Removes an entry and its bytes. @returns whether the entry existed */
export async function drop({ database, objects }: QuarantinePorts, id: number): Promise<boolean> {
  const row = await dropQuarantined(database, id)
  if (row?.object) await objects.remove(row.object)
  return row !== undefined
}

/**
 * Ingests the subject of an entry again with the current declarations and checks. For a model run, the sampled hours
 * are forgotten and the worker completes the run as it does with late files; a frame counts as not tried; the next read
 * of a feed is unconditional. The entry is removed, and a remaining fault creates a new entry.
 * @returns whether the run, frame or feed is stored
 */
export async function replay(
  { database, objects, slabs }: QuarantinePorts & { readonly slabs: Pick<Objects, 'list' | 'remove'> },
  row: QuarantineRow,
  replayed: Replayed = { kind: 'run' },
): Promise<boolean> {
  const stored = await forgotten({ database, slabs }, row, replayed)
  await drop({ database, objects }, row.id)
  return stored
}

async function forgotten(
  { database, slabs }: Pick<QuarantinePorts, 'database'> & { readonly slabs: Pick<Objects, 'list' | 'remove'> },
  row: QuarantineRow,
  replayed: Replayed,
): Promise<boolean> {
  if (replayed.kind === 'frame') return forgetFrame(database, row)
  if (replayed.kind === 'feed') return forgetReads(database, replayed.stateKey)
  for (const lead of row.leads) {
    const folder = slabPrefix(row.dataset, row.domain as DomainId, row.run.getTime())
    const prefix = `${folder}f${String(lead).padStart(3, '0')}-`
    for await (const { key } of slabs.list(prefix)) await slabs.remove(key)
  }
  return forgetLeads(database, row)
}
