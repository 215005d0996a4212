import { frameDatasets, gridDatasets } from '../../ingest/catalog.ts'
import { cellOf, centreOf } from '../../ingest/domain/cell.ts'
import type { GridDataset, MrmsDataset } from '../../ingest/domain/dataset/dataset.ts'
import { variables } from '../../ingest/domain/dataset/variable.ts'
import { Fault } from '../../ingest/domain/fault.ts'
import { type Instant, isoSeconds, runName } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Objects } from '../../ingest/ports/objects.ts'
import { openRun, type PointSeries, type Series } from '../../ingest/tile/read.ts'
import { manifestOf, pointers, runOf } from '../../sql/queries/runs.ts'
import type { CommandLine } from '../verb.ts'
import { pointNamed, runNamed } from './arguments.ts'
import { withDeps } from './deps.ts'
import { framesAt } from './frame-point.ts'

export function runPoint(line: CommandLine): Promise<number> {
  return withDeps(async (deps) => {
    const { lat, lon } = pointNamed(line.positionals[0])
    const chosen = datasetsNamed(line.option('dataset'))
    const run = runNamed(line.option('run'))
    const cell = cellOf(lat, lon, deps.config.h3Resolution)
    const [centreLat, centreLon] = centreOf(cell)
    const values = await valuesAt(await deps.database(), await deps.objects(), chosen, cell, run)
    if (run === undefined) {
      const radar = productsNamed(line.option('dataset'))
      values.push(...(await framesAt(await deps.database(), await deps.objects(), radar, lat, lon)))
    }
    if (values.length === 0) {
      const dataset = line.option('dataset') ?? 'any dataset'
      throw new Fault(
        'Missing',
        `no served run of ${dataset} covers ${lat},${lon} (cell ${cell}). See the stored runs with "npx hexcast status", or publish one with "npx hexcast publish DATASET".`,
      )
    }
    const answer = {
      lat,
      lon,
      cell,
      cell_centre: { lat: round(centreLat, 6), lon: round(centreLon, 6) },
      datasets: values,
    }
    console.log(JSON.stringify(answer, undefined, process.stdout.isTTY ? 2 : undefined))
    return 0
  })
}

/** Returns the radar products with this id or family, or all. */
function productsNamed(word: string | undefined): readonly MrmsDataset[] {
  const id = word?.toLowerCase()
  return frameDatasets.filter(
    (dataset): dataset is MrmsDataset =>
      dataset.format === 'mrms' && (id === undefined || dataset.id === id || dataset.family === id),
  )
}

/**
 * Returns the datasets of model runs with this id or family, or all.
 * @throws Fault Invalid if no radar product has that name either
 */
function datasetsNamed(word: string | undefined): readonly GridDataset[] {
  if (word === undefined) return gridDatasets
  const id = word.toLowerCase()
  const named = gridDatasets.filter((dataset) => dataset.id === id || dataset.family === id)
  if (named.length === 0 && productsNamed(word).length === 0) {
    const ids = [...gridDatasets, ...frameDatasets].map((dataset) => dataset.id).join(', ')
    throw new Fault('Invalid', `--dataset "${word}" is not a dataset; expected one of ${ids}`)
  }
  return named
}

async function valuesAt(
  database: Database,
  objects: Objects,
  chosen: readonly GridDataset[],
  cell: string,
  run: Instant | undefined,
): Promise<object[]> {
  const served = await pointers(database)
  const values: object[] = []
  for (const dataset of chosen) {
    for (const { id: domain } of dataset.domains) {
      const pointer = served.find((candidate) => candidate.dataset === dataset.id && candidate.domain === domain)
      const key = { dataset: dataset.id, domain, run: run === undefined ? pointer?.run : new Date(run) }
      if (!key.run) continue
      const row = await runOf(database, { ...key, run: key.run })
      if (!row?.manifest_key) continue
      const opened = await openRun(objects, row.manifest_key)
      const series = await opened.point(cell)
      if (!series) continue
      const manifest = (await manifestOf(database, { ...key, run: key.run })) as { lacking?: string[]; gaps?: string[] }
      values.push({
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
  return values
}

function variablesOf({ variables: series }: PointSeries): Record<string, object> {
  const entries = [...series.keys()].flatMap((name) => {
    const values = series.get(name)
    return values ? [[name, seriesOf(name, values)]] : []
  })
  return Object.fromEntries(entries)
}

function seriesOf(name: string, { times, quantum, values }: Series): object {
  const variable = variables.get(name)
  return {
    unit: variable?.unit,
    space: variable?.space,
    kind: variable?.kind,
    window_hours: variable?.windowHours,
    quantum: Number(quantum.toPrecision(6)),
    valid_times: Array.from(times, isoSeconds),
    values: Array.from(values, (value) => (Number.isNaN(value) ? null : Number(value.toPrecision(7)))),
  }
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
