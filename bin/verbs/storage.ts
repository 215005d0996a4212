import { DAY, type Instant, isoSeconds, parseRun } from '../../ingest/domain/time.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { databaseNow } from '../../sql/queries/outbox.ts'
import { tableStorage, verificationDayBytes } from '../../sql/queries/storage.ts'
import type { CommandLine } from '../verb.ts'
import { withDeps } from './deps.ts'
import { megabytes } from './show.ts'

/** Storage of one kind of data. */
interface StorageShare {
  readonly kind: string
  readonly count: number
  readonly bytes: number
  /** Bytes of the last 24 hours; null if unknown. */
  readonly bytesOfDay: number | null
}

/** Tables below this size are shown together in one line. */
const SMALL_TABLE_BYTES = 1e6

/** `hexcast storage`: prints the stored bytes by kind, and the bytes that a day adds. @returns exit status */
export async function storage(line: CommandLine): Promise<number> {
  return withDeps(async (deps) => {
    const [database, objects] = [await deps.database(), await deps.objects()]
    const now = (await databaseNow(database)).getTime()
    const stored = await objectStorage(objects, now)
    const tables = (await tableStorage(database, new Date(now - DAY))).filter(({ rows }) => rows > 0)
    const verified = await verificationDayBytes(database)
    const kinds: StorageShare[] = tables.map(({ table, rows, bytes, bytesOfDay }) => ({
      ...{ kind: `table ${table}`, count: rows, bytes },
      bytesOfDay: table === 'verification_part' ? verified : bytesOfDay,
    }))
    const large = kinds.filter(({ bytes }) => bytes >= SMALL_TABLE_BYTES)
    const small = kinds.filter(({ bytes }) => bytes < SMALL_TABLE_BYTES)
    const all = [...stored, ...large, ...(small.length > 0 ? [sumOf(`${small.length} smaller tables`, small)] : [])]
    const total = sumOf('total', all)
    if (line.flag('json')) {
      const rows = [...all, total].map(({ bytesOfDay, ...row }) => ({ ...row, bytes_of_day: bytesOfDay }))
      console.log(JSON.stringify({ at: isoSeconds(now), since: isoSeconds(now - DAY), storage: rows }, null, 2))
      return 0
    }
    console.log(
      `stored at ${isoSeconds(now)}; "a day" is what was stored in the 24 hours before, by the times of objects and rows`,
    )
    console.log(`${'kind'.padEnd(44)} ${'number'.padStart(9)} ${'stored'.padStart(11)} ${'a day'.padStart(11)}`)
    for (const { kind, count, bytes, bytesOfDay } of [...all, total])
      console.log(
        `${kind.padEnd(44)} ${String(count).padStart(9)} ${megabytes(bytes).padStart(11)} ${(bytesOfDay === null ? '-' : megabytes(bytesOfDay)).padStart(11)}`,
      )
    return 0
  })
}

function sumOf(kind: string, list: readonly StorageShare[]): StorageShare {
  const sum = (part: (share: StorageShare) => number) => list.reduce((total, share) => total + part(share), 0)
  return {
    kind,
    count: sum(({ count }) => count),
    bytes: sum(({ bytes }) => bytes),
    bytesOfDay: sum(({ bytesOfDay }) => bytesOfDay ?? 0),
  }
}

/**
 * Sums the sizes of objects by the first words of their keys, such as `tiles nbm` or `frames glm`. The times of objects
 * are in their keys.
 */
async function objectStorage(objects: Objects, now: Instant): Promise<StorageShare[]> {
  const kinds = new Map<string, { count: number; bytes: number; bytesOfDay: number }>()
  for await (const { key, size } of objects.list('')) {
    const [first = '', version = '', dataset = ''] = key.split('/')
    const kind = /^v\d+$/.test(version) ? `${first} ${dataset}` : first
    const sums = kinds.get(kind) ?? { count: 0, bytes: 0, bytesOfDay: 0 }
    kinds.set(kind, sums)
    sums.count++
    sums.bytes += size
    const time = parseRun(/\d{4}-\d{2}-\d{2}(?:T\d{2}(?:\d{2}){0,2}Z)?/.exec(key)?.[0] ?? '')
    if (time > now - DAY) sums.bytesOfDay += size
  }
  return [...kinds].map(([kind, sums]) => ({ kind, ...sums })).sort((a, b) => b.bytes - a.bytes)
}
