import type { DomainId } from '../domain/dataset.ts'
import type { Instant } from '../domain/time.ts'
import type { Objects } from '../ports/objects.ts'
import type { Pool } from './pool.ts'

export interface WeaveRequest {
  readonly dataset: string
  readonly domain: DomainId
  readonly run: Instant
  /** Name of the stage, part of the keys: `h036`, `h264`, `f18`. */
  readonly stage: string
  /** Keys of the packed slabs (`sampleFile`), one an upstream file; where two hold the same variable and time, the later counts. */
  readonly slabs: readonly string[]
}

export interface Woven {
  readonly manifestKey: string
  readonly objects: number
  readonly bytes: number
  readonly values: number
}

/**
 * Slabs → the tiles of a stage, manifest last. Running it again writes the same bytes to the same keys.
 * @param slabs where the packed slabs are; @param objects where the tiles go
 * @throws Fault Corrupt that names the slab that is broken
 */
export async function weave(
  _pool: Pool,
  _slabs: Pick<Objects, 'range'>,
  _objects: Pick<Objects, 'put'>,
  _request: WeaveRequest,
): Promise<Woven> {
  throw new Error('being built')
}
