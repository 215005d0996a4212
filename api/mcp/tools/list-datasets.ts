import { z } from 'zod'
import { nearest } from '../../../ingest/domain/nearest.ts'
import { isoSeconds } from '../../../ingest/domain/time.ts'
import type { MetaWarning } from '../../contract.ts'
import { type Family, familyOf, servedRun, storedTimes, timeRange } from '../../dataset/dataset.ts'
import { factsOf } from '../../dataset/variable-facts.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { datasetSkill } from '../query/dataset-skill.ts'
import { everyDataset, mapProductOf } from '../query/map-product.ts'
import { age, plainMeta, reply } from '../words/reply.ts'
import { type ServiceStatusRow, statusOf } from './get-service-status.ts'

const range = z.object({ start: z.string(), end: z.string() }).nullable()

/** Returns a row of list_datasets. */
async function rowOf(context: ToolContext, family: Family, status: readonly ServiceStatusRow[]) {
  const statusRow = status.find(({ dataset_id }) => dataset_id === family.id)
  const run = servedRun(context, family)
  const reference = run === undefined ? (statusRow?.reference_time ?? null) : isoSeconds(run)
  const seconds = reference === null ? null : Math.max(0, Math.round((context.now - Date.parse(reference)) / 1000))
  const stale = seconds === null || seconds > (statusRow?.stale_after_seconds ?? Number.POSITIVE_INFINITY)
  const times = family.queryable ? await timeRange(context, family) : null
  return {
    dataset_id: family.id,
    title: family.title,
    kind: family.kind,
    domains: [...new Set(family.members.flatMap(({ domains }) => domains.map(({ id }) => id)))],
    variable_count: family.variables.length,
    time_range: times ? { start: isoSeconds(times.start), end: isoSeconds(times.end) } : null,
    reference_time: reference,
    age_seconds: seconds,
    stale,
    queryable: family.queryable,
    use_tool: family.useTool,
    map_product: mapProductOf(family),
  }
}

export const listDatasets = tool({
  name: 'list_datasets',
  title: 'List datasets',
  description:
    'Every dataset that can be described or queried: kind, coverage, time range, age. Begin here for numeric questions that no other tool answers, or to find which dataset has a variable; then describe_dataset, query_dataset. How fresh the sources are: get_service_status.',
  input: z.strictObject({
    search: z.string().min(1).max(80).optional().describe('Words of id, title, text or variables.'),
    kind: z.enum(['grid', 'station', 'climatology', 'event', 'text']).optional().describe('Kind of dataset.'),
    domain: z.enum(['conus', 'alaska', 'hawaii']).optional().describe('Datasets that cover it.'),
    variable: z.string().min(1).max(80).optional().describe('Datasets that hold this variable.'),
    queryable: z.boolean().optional().describe('Only those that query_dataset takes (true) or does not (false).'),
  }),
  output: z.object({
    datasets: z.array(
      z.object({
        dataset_id: z.string(),
        title: z.string(),
        kind: z.string(),
        domains: z.array(z.string()),
        variable_count: z.number().int(),
        time_range: range,
        reference_time: z.string().nullable(),
        age_seconds: z.number().nullable(),
        stale: z.boolean(),
        queryable: z.boolean(),
        use_tool: z.string().nullable(),
        map_product: z.string().nullable(),
      }),
    ),
    count: z.number().int(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const words = input.search?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
    const grouped = everyDataset(context)
    const all = grouped.flatMap(({ family, products }) => [family, ...products])
    const variable = input.variable?.trim().toLowerCase().replaceAll(/[ -]/g, '_')
    const chosen = all.filter(
      (family) =>
        words.every((word) => searchable(family).includes(word)) &&
        (!input.kind || family.kind === input.kind) &&
        (!input.domain ||
          family.id === 'blend' ||
          family.members.some(({ domains }) => domains.some(({ id }) => id === input.domain))) &&
        (!variable || family.variables.includes(variable)) &&
        (input.queryable === undefined || family.queryable === input.queryable),
    )
    const status = await statusOf(context)
    const datasets = await Promise.all(chosen.map((family) => rowOf(context, family, status)))
    const near =
      variable && datasets.length === 0
        ? nearest(variable, [...new Set(all.flatMap(({ variables }) => variables))])
        : []
    const lines =
      datasets.length === 0
        ? [
            `0 of ${all.length} datasets match ${filterWords(input)}.${near.length > 0 ? ` The nearest variables are ${near.join(', ')}.` : ''}`,
          ]
        : [
            `${datasets.length} datasets${input.search || input.kind || input.domain || input.variable || input.queryable !== undefined ? ` of ${all.length} match ${filterWords(input)}` : ''}; the ids after a colon are products of the dataset before it:`,
            ...grouped.flatMap((group) => groupWords(group, datasets)),
          ]
    return reply({
      structured: { datasets, count: datasets.length },
      lines,
      meta: plainMeta(context, ['Hexcast catalog']),
    })
  },
})

const searchable = ({ id, title, description, variables }: Family) =>
  `${id} ${title} ${description} ${variables.join(' ')}`.toLowerCase()

type DatasetRow = Awaited<ReturnType<typeof rowOf>>

/** Returns a family and its products on one line; one line for each product if the filters exclude the family. */
function groupWords(
  { family, products }: { family: Family; products: Family[] },
  rows: readonly DatasetRow[],
): string[] {
  const familyRow = rows.find(({ dataset_id }) => dataset_id === family.id)
  const productRows = rows.filter(({ dataset_id }) => products.some(({ id }) => id === dataset_id))
  const ids = productRows.map(({ dataset_id }) => dataset_id).join(' ')
  if (!familyRow) return productRows.map(rowWords)
  return [`${rowWords(familyRow)}${ids ? `: ${ids}` : ''}`]
}

const rowWords = ({ dataset_id, title, age_seconds, queryable, variable_count, use_tool }: DatasetRow) =>
  [
    `${dataset_id}, ${title}`,
    ...(queryable ? [`${variable_count} variables`] : use_tool ? [`use ${use_tool}`] : ['not queryable']),
    ...(age_seconds === null ? [] : [`${age(age_seconds)} old`]),
  ].join(', ')

const filterWords = (filters: object) =>
  Object.entries(filters)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${value}`)
    .join(' and ')

export const describeDataset = tool({
  name: 'describe_dataset',
  title: 'Describe a dataset',
  description:
    'Which variables one dataset has, with units, meaning and bounds, coverage, cadence, latency, its runs and time range: "which variables does the NBM have". Call it before query_dataset; list_datasets names the datasets.',
  input: z.strictObject({
    dataset_id: z.string().min(1).max(80).describe('Id, such as nbm, hrrr, blend.'),
    variables: z.array(z.string().min(1).max(80)).min(1).max(40).optional().describe('Only these variables.'),
    search: z.string().min(1).max(80).optional().describe('Only variables that match.'),
  }),
  output: z.object({ dataset_id: z.string(), detail: z.looseObject({}), meta: shape.meta }),
  async run(input, context) {
    const family = familyOf(context, input.dataset_id)
    const names = selectedNames(family, input)
    const { detail, why, isShortened } = await detailOf(context, family, names)
    const warnings: MetaWarning[] = []
    if (isShortened)
      warnings.push({
        code: 'fields_missing',
        section: 'detail',
        detail:
          'descriptions, ranges and functions of variables are left out to fit: name variables or search for them',
      })
    if (why !== undefined) warnings.push({ code: 'not_held', section: 'skill', detail: `skill: ${why}` })
    const lines = [
      `${family.title} (${family.id}): ${family.description}`,
      family.queryable
        ? `${names.length === family.variables.length ? '' : `${names.length} of `}${family.variables.length} variables${input.search ? ` match ${input.search}` : ''}${names.length > 0 ? ': ' : ''}${names
            .slice(0, MAX_NAMES)
            .map((name) => `${name} [${factsOf(name, []).units.imperial || '1'}]`)
            .join(', ')}${names.length > MAX_NAMES ? `, ${names.length - MAX_NAMES} more in data` : ''}.`
        : `This dataset cannot be queried${family.useTool ? `; use ${family.useTool}` : ', and no tool reads it by itself'}.`,
      detail.run
        ? `${family.storage === 'frames' ? 'Newest frame' : 'Run served now'}: ${detail.run.reference_time}, ${age(detail.run.age_seconds)} old.`
        : family.storage === 'stations' || family.storage === 'normals'
          ? ''
          : `No ${family.storage === 'frames' ? 'frame' : 'run'} is served now.`,
      detail.time_range ? `Times: ${detail.time_range.start} to ${detail.time_range.end}.` : '',
    ]
    return reply({
      structured: { dataset_id: input.dataset_id, detail },
      lines: lines.filter(Boolean),
      meta: plainMeta(
        context,
        family.members.map(({ id }) => id),
        { warnings },
      ),
    })
  },
})

/** Variables in the text block. */
const MAX_NAMES = 40

/** Returns the variables that a call names and that match its search; without both, all variables. @throws ToolError not-found with the nearest names */
function selectedNames(
  family: Family,
  { variables, search }: { readonly variables?: readonly string[]; readonly search?: string },
): readonly string[] {
  for (const name of variables ?? []) {
    if (family.variables.includes(name)) continue
    const suggestions = nearest(name, family.variables)
    throw new ToolError(
      'not-found',
      `${family.id} has no variable "${name}".${suggestions.length > 0 ? ` Nearest: ${suggestions.join(', ')}.` : ''}`,
      'call again without variables for all of them.',
      { field: 'variables', got: name, suggestions },
    )
  }
  const word = search?.toLowerCase()
  const matches = (name: string) => `${name} ${factsOf(name, []).description}`.toLowerCase().includes(word ?? '')
  return (variables ?? family.variables).filter((name) => word === undefined || matches(name))
}

/** Largest description as JSON, characters. */
const MAX_DETAIL_LENGTH = 15_000

/** Returns the member `detail` of describe_dataset, shortened to fit. `why` says why there are no scores. */
async function detailOf(context: ToolContext, family: Family, variables: readonly string[] = family.variables) {
  const [main] = family.members
  const run = servedRun(context, family)
  const seconds = run === undefined ? undefined : Math.max(0, Math.round((context.now - run) / 1000))
  const times = family.queryable ? await timeRange(context, family) : null
  const runTimes = (await storedTimes(context, family)).slice(0, 48).map(isoSeconds)
  const domains = new Map(
    family.members.flatMap(({ domains }) => domains.map((domain) => [domain.id, domain] as const)),
  )
  const names = [...domains.keys()]
  const facts = variables.map((name) => factsOf(name, names))
  const verified = await datasetSkill(context, family.id)
  const detail = {
    title: family.title,
    description: family.description,
    kind: family.kind as string,
    provider: main?.provider ?? 'NOAA/NWS',
    attribution: family.id === 'blend' ? 'NOAA, blended by Hexcast' : (main?.attribution ?? 'NOAA/NWS'),
    domains: [...domains.values()].map(({ id, bbox, nativeKm }) => ({ id, bbox: [...bbox], native_km: nativeKm })),
    cadence_seconds: main?.cadenceSeconds ?? null,
    latency_seconds: main?.latencySeconds ?? null,
    stale_after_seconds: main?.staleAfterSeconds ?? null,
    run:
      run === undefined || seconds === undefined
        ? null
        : {
            reference_time: isoSeconds(run),
            age_seconds: seconds,
            stale: seconds > (main?.staleAfterSeconds ?? Number.POSITIVE_INFINITY),
          },
    runs: runTimes,
    time_range: times ? { start: isoSeconds(times.start), end: isoSeconds(times.end) } : null,
    steps: await stepsOf(context, family),
    variables: facts as readonly Partial<(typeof facts)[number]>[],
    h3_resolution: family.queryable ? context.deps.values.resolution : null,
    queryable: family.queryable,
    use_tool: family.useTool,
    map_product: mapProductOf(family),
    skill: verified.skill,
  }
  const why = verified.why
  if (JSON.stringify(detail).length <= MAX_DETAIL_LENGTH) return { detail, why, isShortened: false }
  return {
    why,
    detail: {
      ...detail,
      runs: runTimes.slice(0, 12),
      variables: facts.map(({ name, unit, units, kind, standard_name }) => ({
        name,
        unit,
        units,
        kind,
        standard_name,
      })),
    },
    isShortened: true,
  }
}

/** Ranges of lead hours with a constant step, from the valid times of the temperature in the served run. */
async function stepsOf(
  { deps }: ToolContext,
  family: Family,
): Promise<{ from_hour: number; to_hour: number; step_hours: number }[]> {
  if (family.id === 'blend') return [{ from_hour: 0, to_hour: 335, step_hours: 1 }]
  const served = [...deps.values.current.all()].find(({ dataset }) =>
    family.members.some(({ id, kind }) => id === dataset && kind === 'grid'),
  )
  if (!served) return []
  const open = served.opened ?? (await served.open())
  const axis = (open.variables.get('temperature') ?? [...open.variables.values()][0])?.times
  if (!axis) return []
  const leads = Array.from(axis, (time) => (time - open.run) / 3_600_000)
  const steps: { from_hour: number; to_hour: number; step_hours: number }[] = []
  let [previous] = leads
  for (const lead of leads.slice(1)) {
    const from_hour = previous ?? lead
    const step_hours = lead - from_hour
    const last = steps.at(-1)
    if (last?.step_hours === step_hours) last.to_hour = lead
    else steps.push({ from_hour, to_hour: lead, step_hours })
    previous = lead
  }
  return steps.slice(0, 12)
}
