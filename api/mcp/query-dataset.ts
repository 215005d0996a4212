import { z } from 'zod'
import type { DomainId } from '../../ingest/domain/dataset.ts'
import { nearest } from '../../ingest/domain/nearest.ts'
import { quantityOf } from '../values.ts'
import type { ToolContext } from './context.ts'
import { type Family, factsOf, families, familyOf, isAnalysis, servedRun } from './dataset.ts'
import { type PointTable, readPoint } from './dataset-read.ts'
import { ToolError } from './error.ts'
import * as shape from './input.ts'
import { type Input, input } from './query-input.ts'
import { provenanceOf, readCursor, resource, shorten, writeCursor } from './query-page.ts'
import { aggregated, plain } from './query-rows.ts'
import { runAsked, spanOf } from './query-when.ts'
import { pointsOf, type QueryPoint } from './query-where.ts'
import { age, plainMeta, reply } from './reply.ts'
import { tool } from './tool.ts'

const HOUR = 3_600_000
const MOST_VALUES = 100_000
const functionName = /^(min|max|mean|sum|median|stddev|count|p[1-9]\d?)$/
const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`

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
    const run = await runAsked(context, family, asked.run)
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

    // Pages of one query never mix runs; of analyses every hour is a run of its own. Each domain has runs of its own.
    const oneRun = !isAnalysis(family) && family.id !== 'blend'
    const pinned = (domain: DomainId) => run ?? (oneRun ? cursor?.runs[domain] : undefined)
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
        run: pinned(spot.resolved.domain),
      })
      if (table) tables.set(point.index, table)
      if (++done % 10 === 0) await context.progress(done, inside.length, 'points read')
    }
    const runs: Partial<Record<DomainId, number>> = {}
    for (const { index, spot } of inside) {
      const read = tables.get(index)?.run
      if (spot && read !== undefined) runs[spot.resolved.domain] ??= read
    }
    if (cursor && oneRun && Object.keys(cursor.runs).some((domain) => runs[domain as DomainId] === undefined)) {
      throw new ToolError(
        'bad-request',
        'cursor: its run is not held any more.',
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
    const page = shorten(rows.slice(offset, offset + asked.limit), asked.format)
    const next =
      offset + page.length < rows.length ? writeCursor(asked, { offset: offset + page.length, from, to, runs }) : null
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
      ...page.slice(0, 5).map((row) => row.map((cell) => cell ?? '–').join(', ')),
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
