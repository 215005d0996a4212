import { z } from 'zod'
import { pause } from '../../../ingest/domain/pacer.ts'
import type { MetaWarning, SourceFreshness } from '../../contract.ts'
import { isAreaQuery, queryAreas } from '../../dataset/area-query.ts'
import { coveragesOf } from '../../dataset/coverages.ts'
import { type Family, familyOf, servedRun } from '../../dataset/dataset.ts'
import type { Wanted } from '../../dataset/dataset-read.ts'
import { type QueryAnswer, queryPoints } from '../../dataset/point-query.ts'
import { checkVariables, withoutRepeats } from '../../dataset/query-checks.ts'
import { runAsked, spanOf } from '../../dataset/when.ts'
import type { QueryPoint } from '../../dataset/where.ts'
import type { Cell, Column } from '../../present/table.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { checkForm, provenanceOf, readCursor, resource, shorten, writeCursor } from '../query/page.ts'
import { type Input, input } from '../query/query-input.ts'
import { age, plainMeta, reply } from '../words/reply.ts'

const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`

export const queryDataset = tool({
  name: 'query_dataset',
  title: 'Query a dataset',
  description:
    'Values of any variables of one dataset as a table: a place, up to 50 points, a box, or statistics over states, counties, zones and polygons (which county is hottest, and when), of the newest or an earlier run, filtered and aggregated, as JSON, CSV, Arrow, Parquet or CoverageJSON. For numeric questions that no other tool answers, such as the 90th percentile of HRRR gusts over 18 hours at 12 turbines as CSV. Call describe_dataset first for names and times; for the plain forecast use get_forecast or get_hourly_forecast. 24 hours, 500 rows a page, imperial units by default. US states and DC.',
  progress: true,
  input,
  output: z.object({
    dataset_id: z.string(),
    units: z.string(),
    reference_time: z.string().nullable(),
    reference_times: z.record(z.string(), z.string()),
    points: z.array(
      z.object({
        index: z.number().int(),
        lat: z.number().nullable(),
        lon: z.number().nullable(),
        name: z.string(),
        label: z.string().optional(),
        station_id: z.string().optional(),
        status: z.enum(['ok', 'out_of_domain', 'no_data', 'not_found', 'ambiguous']),
        candidates: z.array(z.string()).optional(),
      }),
    ),
    columns: z.array(
      z.object({ name: z.string(), type: z.enum(['string', 'integer', 'number']), unit: z.string().nullable() }),
    ),
    rows: z.array(z.array(z.union([z.number(), z.string(), z.null()]))),
    row_count: z.number().int(),
    total_rows: z.number().int(),
    next_cursor: z.string().nullable(),
    format: z.string(),
    provenance: z.array(z.looseObject({ variable: z.string() })).optional(),
    meta: shape.meta,
  }),
  async run(given, context) {
    const asked = withoutRepeats(given)
    checkForm(asked)
    const family = familyOf(context, asked.dataset_id)
    checkVariables(context, family, asked)
    const { datasets } = context.deps.values
    const cursor = readCursor(asked, datasets, context.now)
    const run = await runAsked(context, family, asked.run)
    const { from, to } = cursor ?? (await spanOf(context, family, asked, run))
    const wanted: Wanted = {
      family,
      variables: [...new Set([...asked.variables, ...(asked.filters ?? []).map(({ variable }) => variable)])],
      from,
      to,
      units: asked.units,
      run,
      pins: cursor?.pins,
    }
    const found = isAreaQuery(asked)
      ? await queryAreas(context, asked, wanted)
      : await queryPoints(context, asked, wanted, cursor?.pins)
    const { columns, rows, points, runs } = found
    if (cursor && cursor.total !== rows.length)
      throw new ToolError(
        'bad-request',
        `cursor: the data has changed since the first page (${cursor.total} rows then, ${rows.length} now).`,
        'begin again without cursor.',
        { field: 'cursor' },
      )
    const newest =
      family.storage === 'stations'
        ? latest(found.newest.values())
        : (runs[0]?.run ?? latest(found.products.values()) ?? servedRun(context, family))
    const provenance = asked.provenance
      ? await provenanceOf(asked, runs, (time) => time >= from && time <= to)
      : undefined
    const meta = plainMeta(
      context,
      family.members.map(({ id }) => id),
      {
        warnings: [...provenanceWarnings(asked, family, provenance), ...found.warnings],
        freshness: freshnessOf(family, found, newest),
        spots: points.map(({ spot }) => spot),
      },
    )
    const listed = rowsNamePoints(columns) || asked.list_points ? points : points.filter(({ failure }) => failure)
    const rest = {
      dataset_id: asked.dataset_id,
      units: asked.units,
      reference_time: newest === undefined || family.storage === 'stations' ? null : iso(newest),
      reference_times: Object.fromEntries([...found.newest].map(([name, at]) => [name, iso(at)])),
      points: listed.map((point) => pointOut(point, found)),
      columns,
      ...(provenance && { provenance: provenance.list }),
    }
    await pause()
    const offset = cursor?.offset ?? 0
    const page = shorten(rows.slice(offset, offset + asked.limit), asked.format, { ...rest, meta })
    const next =
      offset + page.length < rows.length
        ? writeCursor(asked, { offset: offset + page.length, from, to, total: rows.length, pins: found.pins }, datasets)
        : null
    const nameOf = (index: number) => points[index]?.label ?? points[index]?.name ?? String(index)
    const unplaced = points.filter(({ failure }) => failure)
    const span = `from ${iso(from)} to ${iso(to)}`
    const lines = [
      `${family.title}${points.length === 1 ? ` at ${nameOf(0)}` : ''}: ${columns.map(({ name, unit }) => (unit ? `${name} [${unit}]` : name)).join(', ')}`,
      ...page.slice(0, MAX_LINES).map((row) => row.map((cell, i) => cellWords(cell, columns[i], nameOf)).join(', ')),
      rows.length === 0
        ? `No rows: ${noRowsReason(asked, found.read)}, ${span}.`
        : `${page.length} of ${rows.length} rows ${span}${ageWords(context, family, newest)}.${page.length > MAX_LINES ? ` ${page.length - MAX_LINES} more in data.` : ''}${next ? ' Call again with next_cursor for the rest.' : ''}`,
      ...unplaced.slice(0, 5).map(({ label, name, failure }) => `${label ?? name}: not answered. ${failure?.message}`),
    ]
    return reply({
      structured: {
        ...rest,
        rows: asked.format === 'json' ? page : [],
        row_count: page.length,
        total_rows: rows.length,
        next_cursor: next,
        format: asked.format,
      },
      lines,
      meta,
      blocks:
        asked.format === 'json'
          ? []
          : [
              await resource(asked, ...labelled(columns, page, points), () =>
                coveragesOf({ rows: page, points, variables: asked.variables, units: asked.units }),
              ),
            ],
    })
  },
})

const rowsNamePoints = ([first]: readonly Column[]) => first?.name === 'point'

function ageWords({ now }: ToolContext, { storage }: Family, newest: number | undefined): string {
  if (newest === undefined) return ''
  const seconds = Math.max(0, Math.round((now - newest) / 1000))
  return `, ${storage === 'runs' || storage === 'blend' ? 'run' : 'newest'} ${iso(newest)}, ${age(seconds)} old`
}

function latest(times: Iterable<number>): number | undefined {
  const all = [...times]
  return all.length > 0 ? Math.max(...all) : undefined
}

function pointOut(point: QueryPoint, { statusOf }: QueryAnswer) {
  const { index, lat, lon, name, label, station_id, failure } = point
  const status = statusOf(point)
  return {
    index,
    lat,
    lon,
    name,
    ...(label && { label }),
    ...(station_id && { station_id }),
    status,
    ...(failure && status !== 'out_of_domain' && { candidates: failure.candidates ?? [] }),
  }
}

function provenanceWarnings(
  asked: Input,
  { id, storage }: Family,
  provenance: { readonly cut: boolean } | undefined,
): MetaWarning[] {
  if (!asked.provenance) return []
  if (provenance?.cut)
    return [warning('fields_missing', 'provenance', 'provenance is cut: ask for fewer variables or hours for the rest')]
  if (storage === 'runs') return []
  const why =
    storage === 'blend'
      ? 'blend is computed from several sources: ask nbm, hrrr or gfs for the bytes'
      : `${id} is not read from runs: there are no byte ranges to name`
  return [warning('not_held', 'provenance', why)]
}

const warning = (code: MetaWarning['code'], section: string, detail: string): MetaWarning => ({ code, section, detail })

/** Rows of the text block; the data has the whole page. */
const MAX_LINES = 5

/** A point is shown by its label or name: an index alone does not identify the place of a row. */
const cellWords = (cell: Cell, column: Column | undefined, nameOf: (index: number) => string) =>
  cell === null ? '–' : column?.name === 'point' ? nameOf(cell as number) : cell

/** A table of several points with the label or name of each row's point as its last column. */
function labelled(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  points: readonly QueryPoint[],
): [readonly Column[], readonly (readonly Cell[])[]] {
  if (columns[0]?.name !== 'point' || (points.length < 2 && !points[0]?.label)) return [columns, rows]
  return [
    [...columns, { name: 'label', type: 'string', unit: null }],
    rows.map((row) => [...row, points[row[0] as number]?.label ?? points[row[0] as number]?.name ?? null]),
  ]
}

/** Whether the filters or the data are the reason, with the count of values before the filters. */
function noRowsReason(asked: Input, read: number): string {
  if (read === 0) return 'the dataset gives nothing for these places and times'
  const filters = (asked.filters ?? []).map(({ variable, op, value }) => `${variable} ${op} ${value}`)
  return `no value meets all filters (${filters.join(' and ')}), ${read} rows without them`
}

/** Every product that answered, with its newest run or frame. */
function freshnessOf(family: Family, { runs, products }: QueryAnswer, newest: number | undefined): SourceFreshness[] {
  const all = new Map(products)
  for (const { dataset, run } of runs) all.set(dataset, Math.max(run, all.get(dataset) ?? run))
  if (all.size === 0)
    return newest === undefined ? [] : [{ source: family.id, product_id: family.id, referenceTime: newest }]
  return [...all].map(([product_id, referenceTime]) => ({ source: family.id, product_id, referenceTime }))
}
