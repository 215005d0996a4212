import { manifestOf, pointers, runOf } from '../../sql/queries/runs.ts'
import { frameDatasets, gridDatasets } from '../catalog.ts'
import { cellOf, centreOf } from '../domain/cell.ts'
import type { GridDataset, MrmsDataset } from '../domain/dataset.ts'
import { Fault } from '../domain/fault.ts'
import { type Instant, isoSeconds, runName } from '../domain/time.ts'
import { variables } from '../domain/variable.ts'
import type { Database } from '../ports/database.ts'
import type { Objects } from '../ports/objects.ts'
import { openRun, type PointSeries, type Series } from '../tile/read.ts'
import { framesAt } from './frame-point.ts'
import { byHand } from './hand.ts'
import { pointNamed, readWords, runNamed } from './words.ts'

export function runPoint(args: readonly string[]): Promise<number> {
  return byHand(async (hand) => {
    const words = readWords(args, ['dataset', 'run'])
    const { lat, lon } = pointNamed(words.plain[0])
    const chosen = datasetsNamed(words.option('dataset'))
    const run = runNamed(words.option('run'))
    const cell = cellOf(lat, lon, hand.config.h3Resolution)
    const [centreLat, centreLon] = centreOf(cell)
    const held = await heldAt(await hand.database(), await hand.objects(), chosen, cell, run)
    if (run === undefined) {
      const radar = productsNamed(words.option('dataset'))
      held.push(...(await framesAt(await hand.database(), await hand.objects(), radar, lat, lon)))
    }
    if (held.length === 0) {
      const wanted = words.option('dataset') ?? 'any dataset'
      throw new Fault(
        'Missing',
        `${lat},${lon} is in cell ${cell}: wanted a served run of ${wanted} that holds it, got none. "npx hexcast publish DATASET" makes one; "npx hexcast status" shows what is held.`,
      )
    }
    const answer = {
      lat,
      lon,
      cell,
      cell_centre: { lat: round(centreLat, 6), lon: round(centreLon, 6) },
      datasets: held,
    }
    console.log(JSON.stringify(answer, undefined, process.stdout.isTTY ? 2 : undefined))
    return 0
  })
}

/** Radar products by id or family. */
function productsNamed(word: string | undefined): readonly MrmsDataset[] {
  const id = word?.toLowerCase()
  return frameDatasets.filter(
    (dataset): dataset is MrmsDataset =>
      dataset.format === 'mrms' && (id === undefined || dataset.id === id || dataset.family === id),
  )
}

function datasetsNamed(word: string | undefined): readonly GridDataset[] {
  if (word === undefined) return gridDatasets
  const id = word.toLowerCase()
  const found = gridDatasets.filter((dataset) => dataset.id === id || dataset.family === id)
  if (found.length === 0 && productsNamed(word).length === 0) {
    const known = [...gridDatasets, ...frameDatasets].map((dataset) => dataset.id).join(', ')
    throw new Fault('Invalid', `--dataset: wanted one of ${known}, got "${word}"`)
  }
  return found
}

async function heldAt(
  database: Database,
  objects: Objects,
  chosen: readonly GridDataset[],
  cell: string,
  run: Instant | undefined,
): Promise<object[]> {
  const served = await pointers(database)
  const found: object[] = []
  for (const dataset of chosen) {
    for (const { id: domain } of dataset.domains) {
      const pointer = served.find((one) => one.dataset === dataset.id && one.domain === domain)
      const key = { dataset: dataset.id, domain, run: run === undefined ? pointer?.run : new Date(run) }
      if (!key.run) continue
      const row = await runOf(database, { ...key, run: key.run })
      if (!row?.manifest_key) continue
      const opened = await openRun(objects, row.manifest_key)
      const series = await opened.point(cell)
      if (!series) continue
      const manifest = (await manifestOf(database, { ...key, run: key.run })) as { lacking?: string[]; gaps?: string[] }
      found.push({
        dataset: dataset.id,
        domain,
        run: runName(series.run),
        reference_time: isoSeconds(series.run),
        stage: opened.stage,
        served: pointer?.run.getTime() === series.run,
        lacking: manifest?.lacking ?? [],
        gaps: manifest?.gaps ?? [],
        variables: variablesOf(series),
      })
    }
  }
  return found
}

function variablesOf({ variables: held }: PointSeries): Record<string, object> {
  return Object.fromEntries(Array.from(held.keys(), (name) => [name, seriesOf(name, held.get(name)!)]))
}

function seriesOf(name: string, { times, quantum, values }: Series): object {
  const known = variables.get(name)
  return {
    unit: known?.unit,
    space: known?.space,
    kind: known?.kind,
    window_hours: known?.windowHours,
    quantum: Number(quantum.toPrecision(6)),
    valid_times: Array.from(times, isoSeconds),
    values: Array.from(values, (value) => (Number.isNaN(value) ? null : Number(value.toPrecision(7)))),
  }
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
