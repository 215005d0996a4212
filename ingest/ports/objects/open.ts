import type { Config } from '../../config.ts'
import type { Objects } from '../objects.ts'
import { tracing } from '../trace.ts'
export async function openObjects(config: Pick<Config, 'objects'>): Promise<Objects> {
  const store = await openStore(config)
  if (!tracing()) return store
  const { tracedObjects } = await import('../traced.ts')
  return tracedObjects(store)
}

export async function openStore(config: Pick<Config, 'objects'>): Promise<Objects> {
  if (config.objects.kind === 'folder') {
    const { openFolder } = await import('./folder.ts')
    return openFolder(config.objects.folder)
  }
  const { openS3 } = await import('./s3.ts')
  const store = openS3(config.objects)
  if (!config.objects.cache) return store
  const { openCache } = await import('./cache.ts')
  return openCache(store, config.objects.cache)
}
