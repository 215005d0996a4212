import {
  dropQuarantined,
  forgetLeads,
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

/** Entries and bytes that are kept; the oldest are removed. */
const MAX_ENTRIES = 1000
const MAX_TOTAL_BYTES = 256 * 1024 * 1024
/** A message has at most some 8 MB; of a file its beginning is enough to see what it is. */
const MAX_ENTRY_BYTES = 8 * 1024 * 1024

interface QuarantinePorts {
  readonly database: Database
  readonly objects: Pick<Objects, 'put' | 'remove'>
}

/** Records what is not published: a row and a count, and for the first hour of a row the bytes. Recording it again changes nothing. */
export function quarantineOver({ database, objects }: QuarantinePorts): (entry: Quarantined) => Promise<void> {
  return async (entry) => {
    const { dataset, domain = '', run, leadHours = 0, variable = '', reason, detail, url = '', bytes } = entry
    const row = { dataset, domain, run: new Date(run), variable, reason, detail, url }
    const gone = await database.transaction(async (tx) => {
      const { id, added } = await putQuarantined(tx, row, leadHours)
      if (!added) return []
      if (bytes) {
        const kept = bytes.subarray(0, MAX_ENTRY_BYTES)
        const object = `quarantine/v1/${dataset}/${domain}/${runName(run)}/${id}.bin`
        await objects.put(object, kept)
        await setQuarantinedObject(tx, id, object, kept.length)
      }
      return trimQuarantine(tx, MAX_ENTRIES, MAX_TOTAL_BYTES)
    })
    for (const object of gone) await objects.remove(object)
  }
}

/** Removes an entry and its bytes. @returns whether there was one */
export async function drop({ database, objects }: QuarantinePorts, id: number): Promise<boolean> {
  const row = await dropQuarantined(database, id)
  if (row?.object) await objects.remove(row.object)
  return row !== undefined
}

/**
 * Takes the hours of an entry again, under the declarations and checks of today: what was sampled of the run is forgotten, and the
 * worker completes the run as it does when files come late. The entry is removed; what is still wrong comes back as a new one.
 * @returns whether the run is stored
 */
export async function replay(
  { database, objects, slabs }: QuarantinePorts & { readonly slabs: Pick<Objects, 'list' | 'remove'> },
  row: QuarantineRow,
): Promise<boolean> {
  for (const lead of row.leads) {
    const folder = slabPrefix(row.dataset, row.domain as DomainId, row.run.getTime())
    const prefix = `${folder}f${String(lead).padStart(3, '0')}-`
    for await (const { key } of slabs.list(prefix)) await slabs.remove(key)
  }
  const stored = await forgetLeads(database, row)
  await drop({ database, objects }, row.id)
  return stored
}
