import { loadConfig, withSettings } from '../../ingest/config.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import type { Objects } from '../../ingest/ports/objects.ts'

/**
 * Returns the folder or bucket of an option. @param option its name without dashes
 * @throws Fault Invalid if it is missing, or an address of another kind
 */
export function placeNamed(option: string, word: string | undefined): string {
  if (!word) throw new Fault('Invalid', `--${option} is missing; expected a folder, or s3://BUCKET/PREFIX`)
  if (/^[a-z0-9]{2,}:/i.test(word) && !/^s3:\/\/[a-z0-9]/.test(word))
    throw new Fault('Invalid', `--${option} "${word}" is neither a folder nor s3://BUCKET/PREFIX`)
  return word
}

/** Opens a folder or bucket with the S3 settings of the object store. */
export async function openPlace(place: string): Promise<Objects> {
  const { openStore } = await import('../../ingest/ports/objects/open.ts')
  return openStore(loadConfig(withSettings({ OBJECTS_URL: place, OBJECTS_CACHE_MB: '0' })))
}
