import { centreOf } from '../../ingest/domain/cell.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import type { OpenRun, PointSeries } from '../../ingest/tile/read.ts'
import { messagesIn } from '../live/messages.ts'
import type { Provenance } from '../sections/provenance-schema.ts'
import { rounded, Tables } from '../sections/provenance-tables.ts'

/** Greatest number of points whose messages an answer names: each value has some hundred bytes. */
const MAX_POINTS = 10

/**
 * Checks a request with include=provenance.
 * @param isOfRun whether all values are those of one run
 * @throws Fault Invalid
 */
export function checkProvenance(pointCount: number, isOfRun: boolean): void {
  if (isOfRun && pointCount <= MAX_POINTS) return
  const problem = isOfRun
    ? `at most ${MAX_POINTS} points, but has ${pointCount}. Request fewer points`
    : 'a `dataset_id` with runs, and a `run` if it has a period. For the published forecast use /v1/weather?include=provenance'
  throw new Fault('Invalid', `With include=provenance the request must have ${problem}.`, { field: 'include' })
}

/** The tables of `provenance`, and for each variable an index into messages by valid time. */
export interface PointProvenance extends Pick<Provenance, 'cell' | 'files' | 'messages' | 'samplings'> {
  readonly values: Readonly<Record<string, readonly (number | null)[]>>
}

/** Returns a function that names the messages of values of a run at a cell. @throws Fault if the run has been removed */
export async function proverOf(
  open: OpenRun,
  series: PointSeries,
  cell: string,
  variables: readonly string[],
): Promise<(times: readonly Instant[]) => PointProvenance> {
  const messages = await messagesIn(open)
  const [lat, lon] = centreOf(cell)
  return (times) => {
    const tables = new Tables(new Map([[series, messages]]))
    const values = Object.fromEntries(
      variables.map((name) => {
        const own = series.variables.get(name)?.times
        const indexOf = (time: Instant) => {
          const place = own?.indexOf(time) ?? -1
          return place < 0 ? null : tables.message(series, name, place)
        }
        return [name, times.map(indexOf)]
      }),
    )
    const { files, messages: rows, samplings } = tables.all
    return { cell: { id: cell, lat: rounded(lat), lon: rounded(lon) }, files, messages: rows, samplings, values }
  }
}
