import { isFault } from '../domain/fault.ts'

/** The storages that can run out of space. */
export const STORAGES = ['disk', 'database', 'objects'] as const
export type Storage = (typeof STORAGES)[number]

/** The error codes for a full storage: Node's codes of a disk and of a quota, PostgreSQL's SQLSTATEs, and S3's error codes. */
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

/** Returns the storage that ran out of space and so caused the error; undefined if the error has another cause. */
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
