import { statfs } from 'node:fs/promises'
import { Gauge, type Registry } from 'prom-client'
import type { Config } from '../config.ts'

/** Returns the folders whose disks can fill up, keyed by the value of the label `disk`. */
export function diskFolders({
  dataDir,
  objects,
}: Pick<Config, 'dataDir' | 'objects'>): Readonly<Record<string, string>> {
  if (objects.kind === 'folder') return { data: dataDir, objects: objects.folder }
  return { data: dataDir, ...(objects.cache && { objects_cache: objects.cache.folder }) }
}

/** Registers the free space of the disks that a process writes to. A folder that does not exist yet has no figure. */
export function measureDisks(registry: Registry, folders: Readonly<Record<string, string>>): void {
  const gauge = (
    name: string,
    help: string,
    value: (at: { bavail: number; blocks: number; bsize: number }) => number,
  ) =>
    new Gauge({
      name,
      help,
      labelNames: ['disk'],
      registers: [registry],
      async collect() {
        this.reset()
        for (const [disk, folder] of Object.entries(folders)) {
          const size = await statfs(folder).catch(() => undefined)
          if (size && size.blocks > 0) this.set({ disk }, value(size))
        }
      },
    })
  gauge('hexcast_disk_free_bytes', 'Free bytes of the disk of a folder', ({ bavail, bsize }) => bavail * bsize)
  gauge(
    'hexcast_disk_free_ratio',
    'Free share of the disk of a folder, 0 to 1',
    ({ bavail, blocks }) => bavail / blocks,
  )
}

/** Registers a constant gauge for this process, so that an alarm can fire when no process of a kind is left. */
export function measureProcess(registry: Registry, kind: 'api' | 'worker'): void {
  new Gauge({
    name: 'hexcast_process',
    help: 'Always 1: a running process, api or worker',
    labelNames: ['process'],
    registers: [registry],
  }).set({ process: kind }, 1)
}
