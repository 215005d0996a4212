import { z } from 'zod'
import type { DomainId } from '../../../ingest/domain/domain.ts'
import { nearest } from '../../../ingest/domain/nearest.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import type { OpenRun } from '../../../ingest/tile/read.ts'
import { quantityOf } from '../../answer/values.ts'
import type { MetaWarning, SourceFreshness } from '../../contract.ts'
import type { Cell, Column } from '../../present/table.ts'
import type { ToolContext } from '../query/context.ts'
import { type Family, factsOf, families, familyOf, servedRun } from '../query/dataset.ts'
import { openReader, type PointTable } from '../query/dataset-read.ts'
import { ToolError } from '../query/error.ts'
import { provenanceOf, readCursor, resource, shorten, writeCursor } from '../query/page.ts'
import { type Input, input } from '../query/query-input.ts'
import { aggregated, plain } from '../query/rows.ts'
import { readStations, stationPoints } from '../query/station-read.ts'
import { runAsked, spanOf } from '../query/when.ts'
import { pointsOf, type QueryPoint } from '../query/where.ts'
import { age, plainMeta, reply } from '../server/reply.ts'
import { tool } from '../server/tool.ts'
import * as shape from './input.ts'

const MAX_VALUES = 100_000
const functionName = /^(min|max|mean|sum|median|stddev|count|p[1-9]\d?)$/
const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`

export const queryDataset = tool({
  name: 'query_dataset',
  title: 'Query a dataset',
  description:
    'Values of any variables of one dataset as a table: a place, up to 50 points or a box, over a time range, of the newest or an earlier run, filtered and aggregated (min, max, mean, percentiles), as JSON, CSV or Arrow. For numeric questions that no other tool answers, such as the 90th percentile of HRRR gusts over 18 hours at 12 turbines as CSV. Call describe_dataset first for names and times; for the plain forecast use get_forecast or get_hourly_forecast. 24 hours, 500 rows a page, imperial units by default. 50 US states and DC.',
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
    const family = familyOf(context, asked.dataset_id)
    checkVariables(context, family, asked)
    const ofStations = family.kind === 'station'
    const points = ofStations ? stationPoints(context, family, asked, asked.variables) : pointsOf(asked)
    const { datasets } = context.deps.values
    const cursor = readCursor(asked, datasets, context.now)
    const run = await runAsked(context, family, asked.run)
    const { from, to } = cursor ?? (await spanOf(context, family, asked, run))
    const inside = points.filter(({ spot, station_id }) => spot ?? station_id)
    if (inside.length === 0)
      throw new ToolError(
        'outside-coverage',
        'All points lie outside the coverage, which is the 50 US states and DC.',
        'do not retry; ask for points inside.',
        { field: 'points' },
      )
    const hours = Math.floor((to - from) / HOUR) + 1
    const cost = inside.length * hours * asked.variables.length
    if (cost > MAX_VALUES)
      throw new ToolError(
        'bad-request',
        `${inside.length} points × ${hours} hours × ${asked.variables.length} variables are ${cost} values, ${MAX_VALUES} at most.`,
        'ask for fewer points, hours or variables.',
        { field: 'hours', allowed: MAX_VALUES, got: cost },
      )
    if (cost > 10_000) await context.count(Math.ceil(cost / 10_000) - 1)

    const wanted = {
      family,
      variables: [...new Set([...asked.variables, ...(asked.filters ?? []).map(({ variable }) => variable)])],
      from,
      to,
      units: asked.units,
      run,
      pins: cursor?.pins,
    }
    const reader = ofStations ? undefined : await openReader(context, wanted)
    const tables = ofStations ? await readStations(context, inside, wanted) : new Map<number, PointTable>()
    const used = new Set<DomainId>()
    let done = 0
    for (const { index, lat, lon, spot } of reader ? inside : []) {
      context.signal.throwIfAborted()
      if (!reader || !spot || lat === null || lon === null) continue
      const { domain } = spot.resolved
      const table = await reader.point(lat, lon, domain)
      if (table) tables.set(index, table)
      used.add(domain)
      if (++done % 10 === 0) await context.progress(done, inside.length, 'points read')
    }
    if (tables.size === 0)
      throw new ToolError(
        'outside-coverage',
        `${family.id} does not reach ${inside.length === 1 ? inside[0].name : 'any of these points'}: it covers ${domainsOf(family)}.`,
        'do not retry; blend and nbm reach all 50 states and DC.',
        { field: 'dataset_id', got: asked.dataset_id, suggestions: ['blend', 'nbm'] },
      )
    const { columns, rows } = asked.aggregate ? aggregated(asked, points, tables) : plain(asked, points, tables)
    if (cursor && cursor.total !== rows.length)
      throw new ToolError(
        'bad-request',
        `cursor: the data has changed since the first page (${cursor.total} rows then, ${rows.length} now).`,
        'begin again without cursor.',
        { field: 'cursor' },
      )

    const runs = [...new Set([...tables.values()].flatMap((table) => table.runs))]
    const newest = runs[0]?.run ?? servedRun(context, family)
    const provenance = asked.provenance
      ? await provenanceOf(asked, tables, (time) => time >= from && time <= to)
      : undefined
    const empty = points.filter((point) => (point.spot ?? point.station_id) && !tables.get(point.index)?.times.length)
    const warnings: MetaWarning[] = [
      ...(provenance?.cut
        ? [warning('fields_missing', 'provenance', 'provenance is cut: ask for fewer variables or hours for the rest')]
        : []),
      ...(asked.provenance && family.id === 'blend'
        ? [
            warning(
              'not_held',
              'provenance',
              'blend is computed from several sources: ask nbm, hrrr or gfs for the bytes',
            ),
          ]
        : []),
      ...(empty.length > 0 ? [warning('source_missing', 'points', missing(family, empty, from, to))] : []),
    ]
    const meta = plainMeta(
      context,
      family.members.map(({ id }) => id),
      { warnings, freshness: freshnessOf(family, runs, newest), spots: points.map(({ spot }) => spot) },
    )
    const rest = {
      dataset_id: asked.dataset_id,
      units: asked.units,
      reference_time: newest === undefined ? null : iso(newest),
      reference_times: referenceTimes(tables),
      points: points.map(({ index, lat, lon, name, label, spot, station_id, status, failure }) => ({
        index,
        lat,
        lon,
        name,
        ...(label && { label }),
        ...(station_id && { station_id }),
        ...(status === 'not_found' || status === 'ambiguous'
          ? { status, candidates: failure?.candidates ?? [] }
          : {
              status:
                !(spot ?? station_id) || !tables.has(index)
                  ? 'out_of_domain'
                  : tables.get(index)?.times.length
                    ? 'ok'
                    : 'no_data',
            }),
      })),
      columns,
      ...(provenance && { provenance: provenance.list }),
    }
    const offset = cursor?.offset ?? 0
    const page = shorten(rows.slice(offset, offset + asked.limit), asked.format, { ...rest, meta })
    const pins = cursor?.pins ?? reader?.pins(used) ?? { at: context.now, runs: [] }
    const next =
      offset + page.length < rows.length
        ? writeCursor(asked, { offset: offset + page.length, from, to, total: rows.length, pins }, datasets)
        : null
    const seconds = newest === undefined ? undefined : Math.max(0, Math.round((context.now - newest) / 1000))
    const nameOf = (index: number) => points[index]?.label ?? points[index]?.name ?? String(index)
    const unplaced = points.filter(({ failure }) => failure)
    const lines = [
      `${family.title}${points.length === 1 ? ` at ${nameOf(0)}` : ''}: ${columns.map(({ name, unit }) => (unit ? `${name} [${unit}]` : name)).join(', ')}`,
      ...page.slice(0, MAX_LINES).map((row) => row.map((cell, i) => cellWords(cell, columns[i], nameOf)).join(', ')),
      rows.length === 0
        ? `No rows: ${noRowsReason(asked, tables)}, from ${iso(from)} to ${iso(to)}.`
        : `${page.length} of ${rows.length} rows from ${iso(from)} to ${iso(to)}${newest === undefined ? '' : `, run ${iso(newest)}, ${age(seconds as number)} old`}.${page.length > MAX_LINES ? ` ${page.length - MAX_LINES} more in data.` : ''}${next ? ' Call again with next_cursor for the rest.' : ''}`,
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
      blocks: asked.format === 'json' ? [] : [await resource(asked, ...labelled(columns, page, points))],
    })
  },
})

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

/** Newest run that answered, by variable. */
function referenceTimes(tables: ReadonlyMap<number, PointTable>): Record<string, string> {
  const newest = new Map<string, number>()
  for (const { runByVariable } of tables.values())
    for (const [name, run] of runByVariable) newest.set(name, Math.max(run, newest.get(name) ?? run))
  return Object.fromEntries([...newest].map(([name, run]) => [name, iso(run)]))
}

/** Whether the filters or the data are the reason, with the count of values before the filters. */
function noRowsReason(asked: Input, tables: ReadonlyMap<number, PointTable>): string {
  const times = [...tables.values()].reduce((sum, table) => sum + table.times.length, 0)
  if (times === 0) return 'the dataset gives nothing for these places and times'
  const filters = (asked.filters ?? []).map(({ variable, op, value }) => `${variable} ${op} ${value}`)
  return `no value meets all filters (${filters.join(' and ')}), ${times} rows without them`
}

const domainsOf = ({ members }: Family) =>
  [
    ...new Set(
      members.flatMap(({ domains }) => domains.map(({ id }) => (id === 'conus' ? 'the lower 48 states' : id))),
    ),
  ].join(', ')

function missing(family: Family, points: readonly QueryPoint[], from: number, to: number): string {
  const names = points.slice(0, 3).map(({ label, name }) => label ?? name)
  return `${family.id} gives nothing for ${names.join('; ')}${points.length > 3 ? ` and ${points.length - 3} more` : ''} from ${iso(from)} to ${iso(to)}`
}

/** Every product that answered, with its newest run. */
function freshnessOf(family: Family, runs: readonly OpenRun[], newest: number | undefined): SourceFreshness[] {
  if (runs.length === 0)
    return newest === undefined ? [] : [{ source: family.id, product_id: family.id, referenceTime: newest }]
  const products = new Map<string, number>()
  for (const { dataset, run } of runs) products.set(dataset, Math.max(run, products.get(dataset) ?? run))
  return [...products].map(([product_id, referenceTime]) => ({ source: family.id, product_id, referenceTime }))
}

function withoutRepeats(given: Input): Input {
  for (const [name, list] of [
    ['variables', given.variables],
    ['aggregate.functions', given.aggregate?.functions ?? []],
  ] as const) {
    if (new Set(list).size !== list.length)
      throw new ToolError(
        'bad-request',
        `${name}: each may stand once, got ${list.join(', ')}.`,
        'leave the repeated ones out.',
        { field: name, got: list },
      )
  }
  return given
}

function checkVariables(context: ToolContext, family: Family, asked: Input): void {
  if (!family.queryable)
    throw new ToolError(
      'bad-request',
      `${family.id} is not a table and cannot be queried.`,
      family.useTool ? `call ${family.useTool}.` : 'no tool answers from it yet.',
      { field: 'dataset_id', got: asked.dataset_id, suggestions: family.useTool ? [family.useTool] : [] },
    )
  const names = [...asked.variables, ...(asked.filters ?? []).map(({ variable }) => variable)]
  for (const name of names) {
    if (family.variables.includes(name)) continue
    const suggestions = nearest(name, family.variables)
    const others = families(context)
      .filter((one) => one.variables.includes(name))
      .map(({ id }) => id)
    const hint =
      others.length > 0
        ? ` ${others.join(', ')} has it.`
        : suggestions.length > 0
          ? ` Nearest: ${suggestions.join(', ')}.`
          : ''
    throw new ToolError(
      'not-found',
      `${family.id} has no variable "${name}".${hint}`,
      'describe_dataset lists the variables.',
      {
        field: asked.variables.includes(name) ? 'variables' : 'filters',
        got: name,
        suggestions: others.length > 0 ? others : suggestions,
      },
    )
  }
  for (const one of asked.aggregate?.functions ?? []) {
    if (!functionName.test(one))
      throw new ToolError(
        'bad-request',
        `aggregate.functions: wanted min, max, mean, sum, median, stddev, count or p1 to p99, got "${one}".`,
        'mend it and call again.',
        { field: 'aggregate.functions', got: one },
      )
    for (const name of asked.variables) {
      const { kind, functions } = factsOf(name, [])
      if (one === 'sum' && kind !== 'accumulation')
        throw new ToolError(
          'bad-request',
          `sum is for accumulations only, and ${name} is of kind ${kind}.`,
          'use mean, or leave the variable out.',
          { field: 'aggregate.functions', allowed: functions, got: one },
        )
      if (quantityOf(name) === 'direction' && one !== 'mean' && one !== 'count')
        throw new ToolError(
          'bad-request',
          `${name} is a direction: only its mean (circular) and count make sense, got ${one}.`,
          'use mean.',
          { field: 'aggregate.functions', allowed: functions, got: one },
        )
    }
  }
}
