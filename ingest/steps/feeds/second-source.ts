import { useSecondSource } from '../../../sql/queries/second-sources.ts'
import type { Database } from '../../ports/database.ts'

/** Number of failed reads after which the record expires: a source that cannot be read is not in use. */
const READS = 4
const MIN_SECONDS = 180

/** Records that a feed was read at `url`, because its first source failed. */
export async function recordSecond(
  { database }: { readonly database: Database },
  { id: dataset, pollSeconds }: { readonly id: string; readonly pollSeconds: number },
  url: string,
  reason: unknown,
): Promise<void> {
  const { host: source } = new URL(url)
  const why = reason instanceof Error ? reason.message : String(reason)
  await useSecondSource(database, { dataset, source, reason: why }, Math.max(READS * pollSeconds, MIN_SECONDS))
}
