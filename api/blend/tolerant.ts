import { isFault } from '../../ingest/domain/fault.ts'
import type { MetaWarning } from '../contract.ts'

/**
 * Calls a supplier. If it fails, a warning is added, and the section is shown with null in the fields of the supplier.
 * A supplier that this installation does not have returns undefined without a warning.
 */
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
    const detail = missing ? error.message : `${product} could not be read at this time`
    warnings.push({ code: missing ? 'source_missing' : 'source_failed', section: 'current', detail, fields })
    return undefined
  }
}
