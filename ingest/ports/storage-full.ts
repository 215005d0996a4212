import { isFault } from '../domain/fault.ts'

/** Where space can end. */
export const STORAGES = ['disk', 'database', 'objects'] as const
export type Storage = (typeof STORAGES)[number]

/** How each storage says that it is full: Node's codes of a disk and of a quota, PostgreSQL's states, S3's error codes. */
const CODES: Readonly<Record<string, Storage>> = {
  ENOSPC: 'disk',
  EDQUOT: 'disk',
  '53100': 'database',
  QuotaExceeded: 'objects',
  InsufficientStorage: 'objects',
  XMinioStorageFull: 'objects',
  XAdminBucketQuotaExceeded: 'objects',
}
const MAX_CAUSES = 5

/** Returns the storage whose lack of space caused an error; undefined for every other error. */
export function fullStorage(error: unknown): Storage | undefined {
  let cause = error
  for (let depth = 0; depth < MAX_CAUSES && typeof cause === 'object' && cause !== null; depth++) {
    const { code, name } = cause as { code?: unknown; name?: unknown }
    for (const word of [code, name]) {
      if (typeof word === 'string' && Object.hasOwn(CODES, word)) return CODES[word]
    }
    if ((cause as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode === 507) return 'objects'
    cause = (cause as { cause?: unknown }).cause
  }
  return isFault(error) && /\bENOSPC\b|no space left/i.test(error.message) ? 'disk' : undefined
}
