import { randomBytes } from 'node:crypto'
import { readdir, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A put is abandoned at this age: even the slowest disk takes less. */
const ABANDONED_MS = 3_600_000

/**
 * Removes unfinished puts of killed processes. The clock of the file system gives the ages, because several machines may
 * write to a shared folder.
 */
export async function sweepUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder)
  if (names.length === 0) return
  const probe = join(folder, randomBytes(12).toString('hex'))
  await writeFile(probe, '')
  const now = (await stat(probe)).mtimeMs
  for (const name of names) {
    const path = join(folder, name)
    // The file may be gone because its writer has finished the put.
    const written = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    )
    if (now - written > ABANDONED_MS) await unlink(path).catch(() => {})
  }
  await unlink(probe)
}
