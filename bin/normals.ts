import type { NormalsReader } from '../api/live/source.ts'
import type { Config } from '../ingest/config.ts'
import { Fault } from '../ingest/domain/fault.ts'
import { openUpstream, type Upstream } from '../ingest/ports/upstream.ts'
import { firstWithTemperatures } from '../ingest/steps/climate/station-normals.ts'
import { upstreamMirror } from '../sql/queries/origin.ts'

/**
 * Station normals are read at their first use, by the API process: from the source in `UPSTREAM`, else from the
 * mirror that the worker reads (the simulator runs in its process).
 */
export function normalsReader({ upstream: wanted, contact }: Pick<Config, 'upstream' | 'contact'>): NormalsReader {
  let opened: Upstream | undefined
  return async ({ objects, database, simulated }, stations, signal) => {
    const mirror =
      wanted instanceof URL
        ? wanted.href.replace(/(?<!\/)\/+$/, '')
        : simulated
          ? await upstreamMirror(database)
          : undefined
    if (simulated && mirror === undefined) {
      throw new Fault('Refused', 'simulated normals: wanted the address of the simulator, got none: start a worker')
    }
    if (opened?.mirror !== mirror) {
      await opened?.close()
      opened = undefined
    }
    opened ??= openUpstream({ contact, ...(mirror !== undefined && { mirror }) })
    return firstWithTemperatures({ objects, simulated, upstream: opened }, stations, signal)
  }
}
