import { variables as table, type Variable } from '../../../ingest/domain/dataset/variable.ts'
import { isoSeconds } from '../../../ingest/domain/time.ts'
import type { RunStore } from './store.ts'

/** Values of a chunk: 1 MiB of them counts as one call, and takes 0.1 s to compute. */
const CHUNK_VALUES = 262_144
export const MAX_CHUNK_CELLS = 4096
/** Cells of a chunk of the coordinates, of 8 bytes each. */
const COORDINATE_CHUNK = 131_072

/** The metadata of a Zarr array (version 3). */
export interface ArrayMetadata {
  readonly shape: readonly number[]
  readonly chunks: readonly number[]
  readonly type: 'float32' | 'float64' | 'int64' | 'uint64'
  readonly dimensions: readonly string[]
  readonly attributes: Readonly<Record<string, unknown>>
}

/** Units that the conventions for climate and forecast write otherwise. */
const cfUnits: Readonly<Partial<Record<Variable['unit'], string>>> = { deg: 'degree', index: '1', code: '1' }
const cellMethods: Readonly<Partial<Record<Variable['kind'], string>>> = {
  instant: 'time: point',
  accumulation: 'time: sum',
}

/** Returns the arrays of a run by name: coordinates first, then its variables. */
export function arraysOf(store: RunStore): Map<string, ArrayMetadata> {
  const { run, cells, times } = store
  const count = cells.length
  const coordinate = (type: 'float64' | 'uint64', attributes: ArrayMetadata['attributes']): ArrayMetadata => ({
    shape: [count],
    chunks: [Math.min(count, COORDINATE_CHUNK)],
    type,
    dimensions: ['cell'],
    attributes,
  })
  const cellsPerChunk = Math.max(1, Math.min(count, MAX_CHUNK_CELLS, Math.floor(CHUNK_VALUES / times.length)))
  const variable = (name: string): ArrayMetadata => ({
    shape: [times.length, count],
    chunks: [times.length, cellsPerChunk],
    type: 'float32',
    dimensions: ['time', 'cell'],
    attributes: attributesOf(name),
  })
  return new Map<string, ArrayMetadata>([
    [
      'cell',
      coordinate('uint64', {
        long_name: 'H3 index of the cell',
        // The names that xdggs reads.
        grid_name: 'h3',
        level: run.resolution,
      }),
    ],
    [
      'latitude',
      coordinate('float64', {
        standard_name: 'latitude',
        long_name: "Latitude of the cell's centre",
        units: 'degrees_north',
      }),
    ],
    [
      'longitude',
      coordinate('float64', {
        standard_name: 'longitude',
        long_name: "Longitude of the cell's centre",
        units: 'degrees_east',
      }),
    ],
    [
      'time',
      {
        shape: [times.length],
        chunks: [times.length],
        type: 'int64',
        dimensions: ['time'],
        attributes: {
          standard_name: 'time',
          long_name: 'Valid time; the end of the interval for amounts and extremes',
          units: 'seconds since 1970-01-01T00:00:00Z',
          calendar: 'proleptic_gregorian',
        },
      },
    ],
    ...[...run.variables.keys()].map((name) => [name, variable(name)] as const),
  ])
}

function attributesOf(name: string): Record<string, unknown> {
  const variable = table.get(name)
  const method = variable && cellMethods[variable.kind]
  return {
    ...(variable?.standardName && { standard_name: variable.standardName }),
    long_name: variable?.description ?? name.replaceAll('_', ' '),
    ...(variable && { units: cfUnits[variable.unit] ?? variable.unit }),
    ...(method && { cell_methods: method }),
    ...(variable?.windowHours && { window_hours: variable.windowHours }),
    coordinates: 'latitude longitude',
  }
}

/** Returns the document of an array. */
export function arrayDocument({ shape, chunks, type, dimensions, attributes }: ArrayMetadata): object {
  return {
    zarr_format: 3,
    node_type: 'array',
    shape,
    data_type: type,
    chunk_grid: { name: 'regular', configuration: { chunk_shape: chunks } },
    // The key of a chunk is one part of a path.
    chunk_key_encoding: { name: 'default', configuration: { separator: '.' } },
    fill_value: type.startsWith('float') ? 'NaN' : 0,
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    dimension_names: dimensions,
    attributes,
  }
}

/** Returns the document of a run's group, with the documents of its arrays. */
export function groupDocument(store: RunStore, simulated: boolean): object {
  const { dataset, domain, run } = store
  const arrays = Array.from(arraysOf(store), ([name, metadata]) => [name, arrayDocument(metadata)] as const)
  const title = `${dataset.title}, ${domain.id}, run of ${isoSeconds(run.run)}`
  return {
    zarr_format: 3,
    node_type: 'group',
    attributes: {
      Conventions: 'CF-1.11',
      title: simulated ? `SIMULATED: ${title}` : title,
      ...(simulated && {
        comment: 'SIMULATED DATA: this is not weather. A simulator of the sources computed all values.',
      }),
      simulated,
      summary: dataset.description,
      institution: dataset.provider,
      source: dataset.attribution,
      dataset: dataset.id,
      domain: domain.id,
      forecast_reference_time: isoSeconds(run.run),
      stage: run.stage,
      revision: run.revision,
      h3_resolution: run.resolution,
    },
    consolidated_metadata: { kind: 'inline', must_understand: false, metadata: Object.fromEntries(arrays) },
  }
}
