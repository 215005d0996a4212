import { isFault } from '../../ingest/domain/fault.ts'
import type { MetaWarning } from '../contract.ts'

/** A supplier that fails leaves its fields null and adds a warning; the section is kept. One that this installation has not is not missing. */
export async function tolerant<T extends { readonly warnings: readonly MetaWarning[] }>(
  product: string,
  warnings: MetaWarning[],
  fields: readonly string[],
  supply: () => Promise<T | undefined>,
): Promise<T | undefined> {
  try {
    return await supply()
  } catch (error) {
    const missing = isFault(error, 'Missing') || isFault(error, 'Gone')
    const detail = missing ? error.message : `${product} could not be read just now`
    warnings.push({ code: missing ? 'source_missing' : 'source_failed', section: 'current', detail, fields })
    return undefined
  }
}
