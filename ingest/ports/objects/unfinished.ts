import { randomBytes } from 'node:crypto'
import { readdir, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Longer than any put takes, on the slowest disk. */
const abandonedMs = 3_600_000

/**
 * Removes unfinished puts of killed processes. Ages are by the clock of the file system: several machines may write to a shared
 * folder.
 */
export async function sweepUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder)
  if (names.length === 0) return
  const probe = join(folder, randomBytes(12).toString('hex'))
  await writeFile(probe, '')
  const now = (await stat(probe)).mtimeMs
  for (const name of names) {
    const path = join(folder, name)
    // Its owner finished it meanwhile.
    const written = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    )
    if (now - written > abandonedMs) await unlink(path).catch(() => {})
  }
  await unlink(probe)
}
