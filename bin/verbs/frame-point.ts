import type { MrmsDataset } from '../../ingest/domain/dataset/dataset.ts'
import { isoSeconds, runName } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { pixelOf } from '../../ingest/tile/frame.ts'
import { openFrame, stateOfCode } from '../../ingest/tile/frame-read.ts'
import { pointers } from '../../sql/queries/runs.ts'

/**
 * Returns the values of the served frames of some products at a point: a value, dry or no coverage. Frames that do not
 * reach the point are omitted.
 */
export async function framesAt(
  database: Database,
  objects: Objects,
  chosen: readonly MrmsDataset[],
  lat: number,
  lon: number,
): Promise<object[]> {
  const values: object[] = []
  for (const { dataset: id, domain, run, manifest_key } of await pointers(database)) {
    const dataset = chosen.find((candidate) => candidate.id === id)
    if (!dataset) continue
    const frame = await openFrame(objects, manifest_key)
    const { x, y } = pixelOf(frame.head.grid, lat, lon)
    const [i, j] = [Math.round(x), Math.round(y)]
    if (i < 0 || j < 0 || i >= frame.head.grid.nx || j >= frame.head.grid.ny) continue
    const code = (await frame.load([{ left: i, top: j, right: i, bottom: j }])).code(i, j)
    const state = stateOfCode(code)
    values.push({
      dataset: id,
      domain,
      run: runName(run.getTime()),
      reference_time: isoSeconds(run.getTime()),
      served: true,
      coverage: state,
      variables: Object.fromEntries(
        dataset.gives.map(({ name, unit }) => {
          const value = state === 'value' ? frame.value(code) : state === 'dry' ? 0 : null
          return [name, { unit, valid_times: [isoSeconds(frame.head.validTime)], values: [value] }]
        }),
      ),
    })
  }
  return values
}
