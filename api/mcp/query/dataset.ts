import type { Dataset, FeedDataset, GridDataset } from '../../../ingest/domain/dataset.ts'
import type { DomainId } from '../../../ingest/domain/domain.ts'
import { nearest } from '../../../ingest/domain/nearest.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import { variables as table } from '../../../ingest/domain/variable.ts'
import { wantedVariables } from '../../../ingest/domain/want.ts'
import type { OpenRun } from '../../../ingest/tile/read.ts'
import { monitorRange } from '../../../sql/queries/air-quality.ts'
import { observationRange } from '../../../sql/queries/observations.ts'
import { storedRuns } from '../../../sql/queries/runs.ts'
import { quantityOf } from '../../answer/values.ts'
import { units } from '../../present/units.ts'
import { hourlyNumbers, hourlyUncertainty } from '../../sections/fields.ts'
import type { ToolContext } from './context.ts'
import { ToolError } from './error.ts'
import { NORMALS_RANGE, normalVariables } from './normals-table.ts'

/** A dataset of the tools: one of the catalog, the products of one source together, or the blended forecast. */
export interface Family {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly kind: Dataset['kind']
  readonly members: readonly Dataset[]
  readonly variables: readonly string[]
  readonly queryable: boolean
  /** The tool that answers where it cannot be queried. */
  readonly useTool: string | null
}

export const BLEND_HOURS = 336
const blendNames = [...hourlyNumbers, ...hourlyUncertainty].map(({ name }) => name)
/** Datasets that only their own tools can read. */
const ownTools: Readonly<Record<string, string>> = {
  mrms: 'get_radar',
  glm: 'get_lightning_activity',
  'storm-tracks': 'get_storm_tracks',
  alerts: 'search_alerts',
  'nws-alerts': 'search_alerts',
  spc: 'get_severe_outlook',
  'spc-outlooks': 'get_severe_outlook',
  'spc-fire': 'get_fire_weather',
  'climate-reports': 'get_climate_records',
  text: 'get_forecast_discussion',
}

/** What tools call the areas of feeds, and the product of the catalog that they come from. */
const polygons: readonly (Omit<Family, 'members' | 'variables' | 'queryable' | 'useTool'> & { product: string })[] = [
  {
    id: 'alerts',
    product: 'nws-alerts',
    title: 'NWS alerts',
    description: 'Active watches, warnings and advisories.',
    kind: 'event',
  },
  {
    id: 'spc',
    product: 'spc-outlooks',
    title: 'SPC convective outlooks',
    description: 'Severe thunderstorm, tornado, hail and wind outlooks for days 1 to 8.',
    kind: 'event',
  },
  {
    id: 'spc-fire',
    product: 'spc-outlooks',
    title: 'SPC fire weather outlooks',
    description: 'Fire weather outlooks.',
    kind: 'event',
  },
]

export function families({ deps }: Pick<ToolContext, 'deps'>): Family[] {
  const { datasets } = deps.values
  const ids = [...new Set(datasets.map((one) => one.family ?? one.id))]
  const fromDatasets = ids.map((id): Family => {
    const members = datasets.filter((one) => (one.family ?? one.id) === id)
    const main = members.find((one) => one.id === id) ?? members[0]
    const grids = members.filter((one): one is GridDataset => one.kind === 'grid')
    const gridded = [...new Set(grids.flatMap((one) => one.wants.flatMap(wantedVariables)))].filter((name) =>
      table.has(name),
    )
    const variables =
      main.kind === 'station'
        ? givenBy(main).map(({ name }) => name)
        : main.kind === 'climatology'
          ? normalVariables
          : gridded
    const queryable = variables.length > 0
    return {
      id,
      title: main.title,
      description: main.description,
      kind: main.kind === 'frame' ? (ownTools[id] === 'get_radar' ? 'grid' : 'event') : main.kind,
      members,
      variables,
      queryable,
      useTool: queryable ? null : (ownTools[id] ?? null),
    }
  })
  const blend: Family = {
    id: 'blend',
    title: 'Published hourly forecast',
    description: 'The hourly forecast as REST and get_hourly_forecast publish it: all sources blended and closed.',
    kind: 'grid',
    members: datasets.filter(({ id }) => id === 'nbm'),
    variables: blendNames,
    queryable: true,
    useTool: null,
  }
  const taken = new Set(fromDatasets.map(({ id }) => id))
  return [
    blend,
    ...fromDatasets,
    ...polygons
      .filter(({ id }) => !taken.has(id))
      .map(({ product, ...one }) => ({
        ...one,
        members: datasets.filter(({ id }) => id === product),
        variables: [],
        queryable: false,
        useTool: ownTools[one.id] ?? null,
      })),
  ]
}

/** What a dataset of stations measures. */
function givenBy(dataset: Dataset): NonNullable<FeedDataset['gives']> {
  return (dataset as FeedDataset).gives ?? []
}

/** @throws ToolError not-found with the nearest ids */
export function familyOf(context: ToolContext, id: string): Family {
  const all = families(context)
  const asked = id.toLowerCase()
  const found = all.find((one) => one.id === asked) ?? memberAsFamily(all, asked)
  if (found) return found
  const suggestions = nearest(
    asked,
    all.map((one) => one.id),
  )
  throw new ToolError(
    'not-found',
    `No dataset is called "${id}".${suggestions.length > 0 ? ` Nearest: ${suggestions.join(', ')}.` : ''}`,
    'list_datasets names them all.',
    { field: 'dataset_id', got: id, suggestions },
  )
}

/** One product of a family, by its own id. */
function memberAsFamily(all: readonly Family[], id: string): Family | undefined {
  for (const family of all) {
    const member = family.members.find((one) => one.id === id)
    if (!member || family.id === 'blend') continue
    const variables = member.kind === 'grid' ? [...new Set((member as GridDataset).wants.flatMap(wantedVariables))] : []
    return {
      ...family,
      useTool: ownTools[id] ?? family.useTool,
      id,
      title: member.title,
      description: member.description,
      members: [member],
      variables,
    }
  }
  return undefined
}

/** Stored reference times of any domain, newest first; none for the blend, which combines many runs. */
export async function storedTimes({ deps }: Pick<ToolContext, 'deps'>, family: Family): Promise<number[]> {
  const times = new Set<number>()
  if (family.id === 'blend') return []
  for (const { id, kind } of family.members) {
    if (kind !== 'grid') continue
    for (const row of await storedRuns(deps.database, id))
      if (row.state === 'published' && row.manifest_key) times.add(row.run.getTime())
  }
  return [...times].sort((a, b) => b - a)
}

export interface TimeRange {
  readonly start: number
  readonly end: number
}

/** Newest and oldest valid time of the served runs. */
export async function timeRange(context: ToolContext, family: Family): Promise<TimeRange | null> {
  const { deps, now } = context
  const hour = Math.floor(now / HOUR) * HOUR
  if (family.kind === 'station') return stationRange(context, family)
  if (family.id === 'blend') return { start: hour, end: hour + (BLEND_HOURS - 1) * HOUR }
  if (family.kind === 'climatology') return NORMALS_RANGE
  const served = [...deps.values.current.all()].filter(({ dataset }) =>
    family.members.some(({ id, kind }) => id === dataset && kind === 'grid'),
  )
  const range = rangeOf(await Promise.all(served.map(async (one) => one.opened ?? (await one.open()))))
  if (!range || !isAnalysis(family)) return range
  return { ...range, start: Math.min(range.start, ...(await storedTimes(context, family))) }
}

/** First and last time of reports; null before anything was read. */
async function stationRange({ deps }: Pick<ToolContext, 'deps'>, { id }: Family): Promise<TimeRange | null> {
  const { oldest, newest } = await (id === 'metar' ? observationRange(deps.database) : monitorRange(deps.database))
  return oldest && newest ? { start: oldest.getTime(), end: newest.getTime() } : null
}

/** First and last valid time of runs; null where they have none. */
export function rangeOf(runs: readonly OpenRun[]): TimeRange | null {
  const axes = runs.flatMap(({ variables }) => [...variables.values()]).filter(({ times }) => times.length > 0)
  if (axes.length === 0) return null
  return {
    start: axes.reduce((first, { times }) => Math.min(first, times[0]), Number.POSITIVE_INFINITY),
    end: axes.reduce((last, { times }) => Math.max(last, times[times.length - 1]), Number.NEGATIVE_INFINITY),
  }
}

/** Each run is one valid time: the history is that of the stored runs. */
export function isAnalysis(family: Family): boolean {
  return /^(rtma|urma)/.test(family.id)
}

export function servedRun({ deps }: Pick<ToolContext, 'deps'>, family: Family, domain?: DomainId): number | undefined {
  const runs = [...deps.values.current.all()]
    .filter((one) => family.members.some(({ id }) => id === one.dataset) && (!domain || one.domain === domain))
    .map(({ run }) => run)
  return runs.length > 0 ? Math.max(...runs) : undefined
}

export interface VariableFacts {
  readonly name: string
  readonly standard_name: string | null
  readonly description: string
  readonly unit: string
  readonly units: Readonly<Record<'imperial' | 'metric' | 'si', string>>
  readonly kind: 'instant' | 'accumulation' | 'extreme' | 'probability' | 'code'
  readonly window_hours: number | null
  readonly range: readonly [number, number]
  readonly precision: number
  readonly domains: readonly string[]
  readonly functions: readonly string[]
}

const functions = ['min', 'max', 'mean', 'median', 'stddev', 'count', 'p1…p99']

export function factsOf(name: string, domains: readonly string[]): VariableFacts {
  const known = table.get(name)
  const quantity = quantityOf(name)
  const kind =
    known?.kind ??
    (/^(precip|snow|ice)_amount/.test(name) ? 'accumulation' : name.includes('prob') ? 'probability' : 'instant')
  return {
    name,
    standard_name: known?.standardName ?? null,
    description: known?.description ?? name.replaceAll('_', ' '),
    unit: known?.unit ?? units.si.of[quantity].label,
    units: {
      imperial: units.imperial.of[quantity].label,
      metric: units.metric.of[quantity].label,
      si: units.si.of[quantity].label,
    },
    kind,
    window_hours: known?.windowHours ?? (kind === 'accumulation' ? 1 : null),
    range: known?.range ?? [0, 100],
    precision: known?.precision ?? 1,
    domains,
    functions:
      quantity === 'direction' ? ['mean', 'count'] : kind === 'accumulation' ? ['sum', ...functions] : functions,
  }
}
