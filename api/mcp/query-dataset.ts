import { createHash } from 'node:crypto'
import { z } from 'zod'
import { nearest } from '../../ingest/domain/nearest.ts'
import { units } from '../present/units.ts'
import { quantityOf } from '../values.ts'
import type { ToolContext } from './context.ts'
import { type Family, factsOf, families, familyOf, isAnalysis, servedRun } from './dataset.ts'
import { type PointTable, readPoint } from './dataset-read.ts'
import { ToolError } from './error.ts'
import * as shape from './input.ts'
import { runAsked, spanOf } from './query-when.ts'
import { pointsOf, type QueryPoint } from './query-where.ts'
import { age, plainMeta, reply } from './reply.ts'
import { aggregate, arrow, type Cell, type Column, csv } from './table.ts'
import { tool } from './tool.ts'

const HOUR = 3_600_000
const MOST_VALUES = 100_000
const LARGEST_PAGE = 62_000
const functionName = /^(min|max|mean|sum|median|stddev|count|p[1-9]\d?)$/
const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`

const input = z.strictObject({
  ...shape.place,
  dataset_id: z.string().min(1).max(80).describe('Dataset, as list_datasets names it.'),
  variables: z.array(z.string().min(1).max(80)).min(1).max(20).describe('Variables, as describe_dataset names them.'),
  points: z
    .array(
      z.strictObject({
        location: z.string().min(1).max(200).optional().describe('Place.'),
        lat: z.number().min(-90).max(90).optional().describe('Latitude.'),
        lon: z.number().min(-180).max(180).optional().describe('Longitude.'),
        label: z.string().min(1).max(80).optional().describe('Your own name for the point.'),
      }),
    )
    .min(1)
    .max(50)
    .optional()
    .describe('1 to 50 places instead of one.'),
  bbox: z
    .array(z.number())
    .length(4)
    .optional()
    .describe('west, south, east, north in degrees: every cell whose centre lies inside, 500 at most.'),
  resolution: z
    .number()
    .int()
    .min(3)
    .max(7)
    .optional()
    .describe('H3 resolution of the cells of bbox; absent: the finest that fits.'),
  stations: z
    .array(z.string().min(3).max(5))
    .min(1)
    .max(20)
    .optional()
    .describe('Station ids, for datasets of kind station.'),
  start: z
    .string()
    .min(1)
    .max(40)
    .optional()
    .describe('First time: ISO date-time with zone, or a date for a whole UTC day.'),
  end: z.string().min(1).max(40).optional().describe('Last time, inclusive; not together with hours.'),
  hours: z.number().int().min(1).max(264).optional().describe('Length in hours; 24 where neither it nor end is given.'),
  run: z.string().min(1).max(40).default('latest').describe('latest, or a reference time of describe_dataset.'),
  aggregate: z
    .strictObject({
      over: z
        .enum(['time', 'day', 'space', 'all'])
        .describe('time: one row a point; day: one row a point and local day; space: one row a time; all: one row.'),
      functions: z.array(z.string()).min(1).max(6).describe('min, max, mean, sum, median, stddev, count, p1 to p99.'),
    })
    .optional()
    .describe('Aggregates instead of single values.'),
  filters: z
    .array(
      z.strictObject({
        variable: z.string().min(1).max(80).describe('Variable.'),
        op: z.enum(['lt', 'le', 'eq', 'ne', 'ge', 'gt']).describe('Comparison.'),
        value: z.number().describe('In the units asked for.'),
      }),
    )
    .min(1)
    .max(5)
    .optional()
    .describe('Only rows where all hold, before aggregation.'),
  ...shape.units,
  format: z.enum(['json', 'csv', 'arrow']).default('json').describe('csv and arrow come as an embedded resource.'),
  limit: z.number().int().min(1).max(5000).default(500).describe('Rows a page.'),
  cursor: z.string().min(1).max(500).optional().describe('next_cursor of the page before, with the same arguments.'),
  provenance: z.boolean().default(false).describe('Also tell which bytes of which file each variable came from.'),
})
type Input = z.output<typeof input>

export const queryDataset = tool({
  name: 'query_dataset',
  title: 'Query a dataset',
  description:
    'Values of any variables of one dataset as a table: for a place, up to 50 points or a box, over a time range, from the newest or an earlier run, filtered and aggregated (min, max, mean, percentiles …), as JSON, CSV or Arrow. For numeric questions that no other tool answers, such as the 90th percentile of HRRR gusts over 18 hours at 12 turbines as CSV. Call describe_dataset first for names and time range. For the plain forecast of a place use get_forecast or get_hourly_forecast. Imperial units unless asked otherwise, 24 hours and 500 rows a page by default. Covers the 50 US states and DC.',
  progress: true,
  input,
  output: z.object({
    dataset_id: z.string(),
    units: z.string(),
    reference_time: z.string().nullable(),
    points: z.array(
      z.object({
        index: z.number().int(),
        lat: z.number(),
        lon: z.number(),
        name: z.string(),
        label: z.string().optional(),
        station_id: z.string().optional(),
        status: z.enum(['ok', 'out_of_domain', 'no_data']),
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
    const points = pointsOf(asked)
    const cursor = readCursor(asked)
    const run = cursor?.run ?? (await runAsked(context, family, asked.run))
    const { from, to } = cursor ?? (await spanOf(context, family, asked, run))
    const inside = points.filter(({ spot }) => spot)
    if (inside.length === 0)
      throw new ToolError(
        'outside-coverage',
        'All points lie outside the coverage, which is the 50 US states and DC.',
        'do not retry; ask for points inside.',
        { field: 'points' },
      )
    const names = [...new Set([...asked.variables, ...(asked.filters ?? []).map(({ variable }) => variable)])]
    const cost = inside.length * (Math.floor((to - from) / HOUR) + 1) * asked.variables.length
    if (cost > MOST_VALUES)
      throw new ToolError(
        'bad-request',
        `${inside.length} points × ${Math.floor((to - from) / HOUR) + 1} hours × ${asked.variables.length} variables are ${cost} values, ${MOST_VALUES} at most.`,
        'ask for fewer points, hours or variables.',
        { field: 'hours', allowed: MOST_VALUES, got: cost },
      )
    if (cost > 10_000) await context.count(Math.ceil(cost / 10_000) - 1)

    // Pages of one query never mix runs; of analyses every hour is a run of its own.
    const pinned = asked.run !== 'latest' ? run : isAnalysis(family) || family.id === 'blend' ? undefined : cursor?.run
    const tables = new Map<number, PointTable>()
    let done = 0
    for (const point of inside) {
      context.signal.throwIfAborted()
      const spot = point.spot as NonNullable<QueryPoint['spot']>
      const table = await readPoint(context, point.lat, point.lon, spot.resolved.domain, {
        family,
        variables: names,
        from,
        to,
        units: asked.units,
        run: pinned,
      })
      if (table) tables.set(point.index, table)
      if (++done % 10 === 0) await context.progress(done, inside.length, 'points read')
    }
    if (pinned !== undefined && cursor && [...tables.values()].every(({ runs }) => runs.length === 0)) {
      throw new ToolError(
        'bad-request',
        `cursor: its run ${iso(pinned)} is not held any more.`,
        'begin again without cursor: a newer run answers.',
        { field: 'cursor' },
      )
    }
    const served =
      [...tables.values()].map((table) => table.run).find((one) => one !== undefined) ?? servedRun(context, family)
    const { columns, rows } = asked.aggregate ? aggregated(asked, points, tables) : plain(asked, points, tables)
    const status = (point: QueryPoint) =>
      !point.spot
        ? 'out_of_domain'
        : !tables.has(point.index)
          ? 'out_of_domain'
          : tables.get(point.index)?.times.length
            ? 'ok'
            : 'no_data'
    const listed = points.map((point) => ({
      index: point.index,
      lat: point.lat,
      lon: point.lon,
      name: point.name,
      ...(point.label && { label: point.label }),
      status: status(point),
    }))

    const offset = cursor?.offset ?? 0
    const page = fit(rows.slice(offset, offset + asked.limit), asked.format)
    const next =
      offset + page.length < rows.length
        ? writeCursor(asked, { offset: offset + page.length, from, to, run: served })
        : null
    const structured = {
      dataset_id: asked.dataset_id,
      units: asked.units,
      reference_time: served === undefined ? null : iso(served),
      points: listed,
      columns,
      rows: asked.format === 'json' ? page : [],
      row_count: page.length,
      total_rows: rows.length,
      next_cursor: next,
      format: asked.format,
      ...(asked.provenance && { provenance: await provenanceOf(asked, tables, from, to) }),
    }
    const seconds = served === undefined ? undefined : Math.max(0, Math.round((context.now - served) / 1000))
    const lines = [
      `${family.title}: ${columns.map(({ name, unit }) => (unit ? `${name} [${unit}]` : name)).join(', ')}`,
      ...page.slice(0, 5).map((row) => row.map((cell) => cell ?? 'null').join(', ')),
      `${page.length} of ${rows.length} rows${served === undefined ? '' : `, run ${iso(served)}, ${age(seconds as number)} old`}.${next ? ' Call again with next_cursor for the rest.' : ''}`,
    ]
    const freshness = served === undefined ? [] : [{ source: family.id, product_id: family.id, referenceTime: served }]
    const block = asked.format === 'json' ? [] : [resource(asked, columns, page)]
    return reply({
      structured,
      lines,
      meta: plainMeta(
        context,
        family.members.map(({ id }) => id),
        { freshness },
      ),
      blocks: block,
    })
  },
})

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

const compare = {
  lt: (a: number, b: number) => a < b,
  le: (a: number, b: number) => a <= b,
  eq: (a: number, b: number) => a === b,
  ne: (a: number, b: number) => a !== b,
  ge: (a: number, b: number) => a >= b,
  gt: (a: number, b: number) => a > b,
}

function passes(asked: Input, table: PointTable, time: number): boolean {
  return (asked.filters ?? []).every(({ variable, op, value }) => {
    const held = table.values.get(variable)?.get(time)
    return typeof held === 'number' && compare[op](held, value)
  })
}

const unitOf = (asked: Input, name: string) => units[asked.units].of[quantityOf(name)].label || null

function plain(
  asked: Input,
  points: readonly QueryPoint[],
  tables: ReadonlyMap<number, PointTable>,
): { columns: Column[]; rows: Cell[][] } {
  const columns: Column[] = [
    { name: 'point', type: 'integer', unit: null },
    { name: 'valid_time', type: 'string', unit: null },
    ...asked.variables.map((name) => ({ name, type: 'number' as const, unit: unitOf(asked, name) })),
  ]
  const rows: Cell[][] = []
  for (const { index } of points) {
    const table = tables.get(index)
    for (const time of table?.times ?? []) {
      if (!passes(asked, table as PointTable, time)) continue
      rows.push([index, iso(time), ...asked.variables.map((name) => table?.values.get(name)?.get(time) ?? null)])
    }
  }
  return { columns, rows }
}

function aggregated(
  asked: Input,
  points: readonly QueryPoint[],
  tables: ReadonlyMap<number, PointTable>,
): { columns: Column[]; rows: Cell[][] } {
  const { over, functions } = asked.aggregate as NonNullable<Input['aggregate']>
  const groups = new Map<string, { keys: Cell[]; values: Map<string, number[]> }>()
  const dates = new Map<string, Intl.DateTimeFormat>()
  const dateOf = (point: QueryPoint, time: number) => {
    const zone = point.spot?.timezone ?? 'UTC'
    let format = dates.get(zone)
    if (!format)
      dates.set(
        zone,
        (format = new Intl.DateTimeFormat('en-CA', {
          timeZone: zone,
          year: 'numeric',
          month: '2-digit',
          day: '2-digit',
        })),
      )
    return format.format(time)
  }
  for (const point of points) {
    const table = tables.get(point.index)
    for (const time of table?.times ?? []) {
      if (!passes(asked, table as PointTable, time)) continue
      const keys: Cell[] =
        over === 'time'
          ? [point.index]
          : over === 'day'
            ? [point.index, dateOf(point, time)]
            : over === 'space'
              ? [iso(time)]
              : []
      const key = keys.join('|')
      let group = groups.get(key)
      if (!group) groups.set(key, (group = { keys, values: new Map() }))
      for (const name of asked.variables) {
        const value = table?.values.get(name)?.get(time)
        const list = group.values.get(name) ?? []
        if (typeof value === 'number') list.push(value)
        group.values.set(name, list)
      }
    }
  }
  const heads: Column[] =
    over === 'time'
      ? [{ name: 'point', type: 'integer', unit: null }]
      : over === 'day'
        ? [
            { name: 'point', type: 'integer', unit: null },
            { name: 'date', type: 'string', unit: null },
          ]
        : over === 'space'
          ? [{ name: 'valid_time', type: 'string', unit: null }]
          : []
  const columns: Column[] = [
    ...heads,
    ...asked.variables.flatMap((name) =>
      functions.map((one) => ({
        name: `${name}_${one}`,
        type: one === 'count' ? ('integer' as const) : ('number' as const),
        unit: one === 'count' ? null : unitOf(asked, name),
      })),
    ),
  ]
  const rows = [...groups.values()].map(({ keys, values }) => [
    ...keys,
    ...asked.variables.flatMap((name) =>
      functions.map((one) => aggregate(one, values.get(name) ?? [], quantityOf(name) === 'direction')),
    ),
  ])
  if (over === 'space') rows.sort((a, b) => String(a[0]).localeCompare(String(b[0])))
  return { columns, rows }
}

/** As many rows as a page may hold in bytes: the page gets shorter, never the values. */
function fit(rows: Cell[][], format: Input['format']): Cell[][] {
  if (format !== 'json') return rows
  let bytes = 0
  for (const [i, row] of rows.entries()) {
    bytes += JSON.stringify(row).length + 1
    if (bytes > LARGEST_PAGE - 12_000) return rows.slice(0, Math.max(1, i))
  }
  return rows
}

interface Position {
  readonly offset: number
  readonly from: number
  readonly to: number
  readonly run: number | undefined
}

/** What a cursor stands for: all that was asked, but for the cursor itself. */
function fingerprint(asked: Input): string {
  const { cursor: _, ...rest } = asked
  return createHash('sha256').update(JSON.stringify(rest)).digest('base64url').slice(0, 16)
}

function writeCursor(asked: Input, { offset, from, to, run }: Position): string {
  return Buffer.from(JSON.stringify([fingerprint(asked), offset, from, to, run ?? null])).toString('base64url')
}

function readCursor(asked: Input): Position | undefined {
  if (asked.cursor === undefined) return undefined
  const bad = (why: string) =>
    new ToolError('bad-request', `cursor: ${why}.`, 'begin again without cursor.', { field: 'cursor' })
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(asked.cursor, 'base64url').toString())
  } catch {
    throw bad('it is not one of ours')
  }
  if (
    !Array.isArray(parts) ||
    parts.length !== 5 ||
    !parts.slice(1, 4).every((one) => Number.isSafeInteger(one) && one >= 0)
  )
    throw bad('it is not one of ours')
  if (parts[0] !== fingerprint(asked)) throw bad('it belongs to a call with other arguments')
  return { offset: parts[1], from: parts[2], to: parts[3], run: parts[4] ?? undefined }
}

async function provenanceOf(
  asked: Input,
  tables: ReadonlyMap<number, PointTable>,
  from: number,
  to: number,
): Promise<object[]> {
  const runs = [...new Set([...tables.values()].flatMap(({ runs }) => runs))]
  const list: object[] = []
  for (const open of runs) {
    const sources = await open.provenance()
    for (const variable of asked.variables) {
      const times = open.variables.get(variable)?.times ?? []
      for (const [i, source] of (sources.get(variable) ?? []).entries()) {
        if (!source || times[i] < from || times[i] > to || list.length >= 200) continue
        list.push({
          variable,
          valid_time: iso(times[i]),
          file: source.url,
          message: null,
          byte_range: [source.from, source.from + source.length - 1],
          reference_time: iso(open.run),
        })
      }
    }
  }
  return list
}

function resource(asked: Input, columns: readonly Column[], rows: readonly (readonly Cell[])[]) {
  const uri = `hexcast://query/${asked.dataset_id}/${fingerprint(asked)}`
  if (asked.format === 'csv')
    return {
      type: 'resource' as const,
      resource: { uri: `${uri}.csv`, mimeType: 'text/csv', text: csv(columns, rows) },
    }
  return {
    type: 'resource' as const,
    resource: {
      uri: `${uri}.arrows`,
      mimeType: 'application/vnd.apache.arrow.stream',
      blob: Buffer.from(arrow(columns, rows)).toString('base64'),
    },
  }
}
