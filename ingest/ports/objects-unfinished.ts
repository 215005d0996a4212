import { randomBytes } from 'node:crypto'
import { readdir, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** No put takes so long, on the slowest disk. */
const abandonedMs = 3_600_000

/**
 * Removes what processes that were killed left of their puts. By the clock of the file system: a shared folder is written to
 * from many machines.
 */
export async function sweepUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder)
  if (names.length === 0) return
  const probe = join(folder, randomBytes(12).toString('hex'))
  await writeFile(probe, '')
  const now = (await stat(probe)).mtimeMs
  for (const name of names) {
    const path = join(folder, name)
    // What its owner finished meanwhile is gone.
    const written = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => now,
    )
    if (now - written > abandonedMs) await unlink(path).catch(() => {})
  }
  await unlink(probe)
}
