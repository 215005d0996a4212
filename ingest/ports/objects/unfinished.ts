import { randomBytes } from 'node:crypto'
import { readdir, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Age at which a put counts as abandoned, ms; even the slowest disk finishes a put sooner. */
const ABANDONED_MS = 3_600_000

/**
 * Removes the unfinished puts of killed processes. It measures ages by the clock of the file system, because several machines may write to
 * a shared folder.
 */
export async function sweepUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder)
  if (names.length === 0) return
  const probe = join(folder, randomBytes(12).toString('hex'))
  await writeFile(probe, '')
  const now = (await stat(probe)).mtimeMs
  for (const name of names) {
    const path = join(folder, name)
    // The file may be absent, because its writer has finished the put.
    const written = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    )
    if (now - written > ABANDONED_MS) await unlink(path).catch(() => {})
  }
  await unlink(probe)
}
