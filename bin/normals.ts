import type { NormalsReader } from '../api/live/source.ts'
import type { Config } from '../ingest/config.ts'
import { Fault } from '../ingest/domain/fault.ts'
import { openUpstream, type Upstream } from '../ingest/ports/upstream.ts'
import { firstWithTemperatures } from '../ingest/steps/climate/station-normals.ts'
import { upstreamMirror } from '../sql/queries/origin.ts'

/**
 * Creates a reader of station normals for the API process. It reads normals when they are first requested, from the
 * source in `UPSTREAM`. If the weather is simulated, it reads from the address that the worker has recorded, because
 * the simulator runs in the worker's process.
 */
export function normalsReader({ upstream: source, contact }: Pick<Config, 'upstream' | 'contact'>): NormalsReader {
  let opened: Upstream | undefined
  return async ({ objects, database, simulated }, stations, signal) => {
    const mirror =
      source instanceof URL
        ? source.href.replace(/(?<!\/)\/+$/, '')
        : simulated
          ? await upstreamMirror(database)
          : undefined
    if (simulated && mirror === undefined) {
      throw new Fault(
        'Refused',
        'simulated normals cannot be read: no worker has recorded the address of a simulator. Start a worker.',
      )
    }
    if (opened?.mirror !== mirror) {
      await opened?.close()
      opened = undefined
    }
    opened ??= openUpstream({ contact, ...(mirror !== undefined && { mirror }) })
    return firstWithTemperatures({ objects, simulated, upstream: opened }, stations, signal)
  }
}
