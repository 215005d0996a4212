import { z } from 'zod'
import { pause } from '../../../ingest/domain/pacer.ts'
import { isoSeconds } from '../../../ingest/domain/time.ts'
import type { MetaWarning, SourceFreshness } from '../../contract.ts'
import { isAreaQuery, queryAreas } from '../../dataset/area-query.ts'
import { coveragesOf } from '../../dataset/coverages.ts'
import { type Family, familyOf, servedRun } from '../../dataset/dataset.ts'
import type { WantedValues } from '../../dataset/dataset-read.ts'
import { type QueryAnswer, queryPoints } from '../../dataset/point-query.ts'
import { checkVariables, withoutRepeats } from '../../dataset/query-checks.ts'
import { requestedRun, spanOf } from '../../dataset/when.ts'
import type { QueryPoint } from '../../dataset/where.ts'
import type { TableCell, TableColumn } from '../../present/table.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { checkFormat, provenanceOf, readCursor, resource, shorten, writeCursor } from '../query/page.ts'
import { input, type QueryInput } from '../query/query-input.ts'
import { age, plainMeta, reply } from '../words/reply.ts'

export const queryDataset = tool({
  name: 'query_dataset',
  title: 'Query a dataset',
  description:
    'Values of any variables of one dataset as a table: points, a box, or statistics over states, counties, zones, polygons, filtered and aggregated, as JSON, CSV, Arrow, Parquet or CoverageJSON: the 90th percentile of HRRR gusts over 18 hours at 12 turbines. Call describe_dataset first; plain forecast: get_forecast.',
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
  async run(args, context) {
    const query = withoutRepeats(args)
    checkFormat(query)
    const family = familyOf(context, query.dataset_id)
    checkVariables(context, family, query)
    const { datasets } = context.deps.values
    const cursor = readCursor(query, datasets, context.now)
    const run = await requestedRun(context, family, query.run)
    const { from, to } = cursor ?? (await spanOf(context, family, query, run))
    const values: WantedValues = {
      family,
      variables: [...new Set([...query.variables, ...(query.filters ?? []).map(({ variable }) => variable)])],
      from,
      to,
      units: query.units,
      run,
      pins: cursor?.pins,
    }
    const answer = isAreaQuery(query)
      ? await queryAreas(context, query, values)
      : await queryPoints(context, query, values, cursor?.pins)
    const { columns, rows, points, runs } = answer
    if (cursor && cursor.total !== rows.length)
      throw new ToolError(
        'bad-request',
        `cursor: the data has changed since the first page (${cursor.total} rows then, ${rows.length} now).`,
        'begin again without cursor.',
        { field: 'cursor' },
      )
    const newest = newestTime(context, family, answer)
    const provenance = query.provenance
      ? await provenanceOf(query, runs, (time) => time >= from && time <= to)
      : undefined
    const meta = plainMeta(
      context,
      family.members.map(({ id }) => id),
      {
        warnings: [...provenanceWarnings(query, family, provenance), ...answer.warnings],
        freshness: freshnessOf(family, answer, newest),
        spots: points.map(({ spot }) => spot),
      },
    )
    const listed = rowsNamePoints(columns) || query.list_points ? points : points.filter(({ failure }) => failure)
    const header = {
      dataset_id: query.dataset_id,
      units: query.units,
      reference_time: newest === undefined || family.storage === 'stations' ? null : isoSeconds(newest),
      reference_times: Object.fromEntries([...answer.newest].map(([name, at]) => [name, isoSeconds(at)])),
      points: listed.map((point) => pointRow(point, answer)),
      columns,
      ...(provenance && { provenance: provenance.list }),
    }
    await pause()
    const offset = cursor?.offset ?? 0
    const page = shorten(rows.slice(offset, offset + query.limit), query.format, { ...header, meta })
    const next =
      offset + page.length < rows.length
        ? writeCursor(
            query,
            { offset: offset + page.length, from, to, total: rows.length, pins: answer.pins },
            datasets,
          )
        : null
    const span = `from ${isoSeconds(from)} to ${isoSeconds(to)}`
    const counts = `${page.length} of ${rows.length} rows ${span}${ageWords(context, family, newest)}.${page.length > MAX_LINES ? ` ${page.length - MAX_LINES} more in data.` : ''}`
    const summary =
      rows.length === 0
        ? `No rows: ${noRowsReason(query, answer.read)}, ${span}.`
        : `${counts}${next ? ' Call again with next_cursor for the rest.' : ''}`
    return reply({
      structured: {
        ...header,
        rows: query.format === 'json' ? page : [],
        row_count: page.length,
        total_rows: rows.length,
        next_cursor: next,
        format: query.format,
      },
      lines: tableLines(family, answer, page, summary),
      meta,
      blocks:
        query.format === 'json'
          ? []
          : [
              await resource(query, ...labelled(columns, page, points), () =>
                coveragesOf({ rows: page, points, variables: query.variables, units: query.units }),
              ),
            ],
    })
  },
})

/** Returns the columns, the first rows of the page, a summary, and the places that could not be answered. */
function tableLines(
  { title }: Family,
  { columns, points }: QueryAnswer,
  page: readonly (readonly TableCell[])[],
  summary: string,
): string[] {
  const nameOf = (index: number) => points[index]?.label ?? points[index]?.name ?? String(index)
  const unplaced = points.filter(({ failure }) => failure)
  return [
    `${title}${points.length === 1 ? ` at ${nameOf(0)}` : ''}: ${columns.map(({ name, unit }) => (unit ? `${name} [${unit}]` : name)).join(', ')}`,
    ...page.slice(0, MAX_LINES).map((row) => row.map((cell, i) => cellWords(cell, columns[i], nameOf)).join(', ')),
    summary,
    ...unplaced.slice(0, 5).map(({ label, name, failure }) => `${label ?? name}: not answered. ${failure?.message}`),
  ]
}

/** Returns the newest report, run or frame that answered; for runs without values the served run. */
function newestTime(context: ToolContext, family: Family, { newest, products, runs }: QueryAnswer): number | undefined {
  if (family.storage === 'stations') return latest(newest.values())
  return runs[0]?.run ?? latest(products.values()) ?? servedRun(context, family)
}

const rowsNamePoints = ([first]: readonly TableColumn[]) => first?.name === 'point'

function ageWords({ now }: ToolContext, { storage }: Family, newest: number | undefined): string {
  if (newest === undefined) return ''
  const seconds = Math.max(0, Math.round((now - newest) / 1000))
  return `, ${storage === 'runs' || storage === 'blend' ? 'run' : 'newest'} ${isoSeconds(newest)}, ${age(seconds)} old`
}

function latest(times: Iterable<number>): number | undefined {
  const all = [...times]
  return all.length > 0 ? Math.max(...all) : undefined
}

function pointRow(point: QueryPoint, { statusOf }: QueryAnswer) {
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
  query: QueryInput,
  { id, storage }: Family,
  provenance: { readonly isCut: boolean } | undefined,
): MetaWarning[] {
  if (!query.provenance) return []
  if (provenance?.isCut)
    return [
      warning(
        'fields_missing',
        'provenance',
        'the list is shortened: ask for fewer variables or hours to get the rest',
      ),
    ]
  if (storage === 'runs') return []
  const reason =
    storage === 'blend'
      ? 'blend is computed from several sources: ask nbm, hrrr or gfs for the bytes'
      : `${id} is not read from runs, so it has no byte ranges`
  return [warning('not_held', 'provenance', reason)]
}

const warning = (code: MetaWarning['code'], section: string, detail: string): MetaWarning => ({ code, section, detail })

/** Rows in the text block; the data has the whole page. */
const MAX_LINES = 5

/** Returns the text of a cell: a point is shown by its label or name, because an index alone does not identify the place of a row. */
const cellWords = (cell: TableCell, column: TableColumn | undefined, nameOf: (index: number) => string) =>
  cell === null ? '–' : column?.name === 'point' ? nameOf(Number(cell)) : cell

/** Returns a table of several points with the label or name of each row's point as its last column. */
function labelled(
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
  points: readonly QueryPoint[],
): [readonly TableColumn[], readonly (readonly TableCell[])[]] {
  if (columns[0]?.name !== 'point' || (points.length < 2 && !points[0]?.label)) return [columns, rows]
  return [
    [...columns, { name: 'label', type: 'string', unit: null }],
    rows.map((row) => {
      const point = points[Number(row[0])]
      return [...row, point?.label ?? point?.name ?? null]
    }),
  ]
}

/** Returns why there are no rows: the dataset has no values, or the filters exclude all of them. */
function noRowsReason(query: QueryInput, read: number): string {
  if (read === 0) return 'the dataset has no data for these places and times'
  const filters = (query.filters ?? []).map(({ variable, op, value }) => `${variable} ${op} ${value}`)
  return `no value meets all filters (${filters.join(' and ')}), ${read} rows without them`
}

/** Returns every product that answered, with its newest run or frame. */
function freshnessOf(family: Family, { runs, products }: QueryAnswer, newest: number | undefined): SourceFreshness[] {
  const newestByProduct = new Map(products)
  for (const { dataset, run } of runs) newestByProduct.set(dataset, Math.max(run, newestByProduct.get(dataset) ?? run))
  if (newestByProduct.size === 0)
    return newest === undefined ? [] : [{ source: family.id, product_id: family.id, referenceTime: newest }]
  return [...newestByProduct].map(([product_id, referenceTime]) => ({ source: family.id, product_id, referenceTime }))
}
