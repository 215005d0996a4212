import type { Dataset, FeedDataset, FrameDataset, GridDataset } from '../../ingest/domain/dataset/dataset.ts'
import { variables as table } from '../../ingest/domain/dataset/variable.ts'
import { wantedVariables } from '../../ingest/domain/dataset/want.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { nearest } from '../../ingest/domain/nearest.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import type { OpenRun } from '../../ingest/tile/read.ts'
import { monitorRange } from '../../sql/queries/air-quality.ts'
import { publishedSpans, publishedTimes } from '../../sql/queries/history.ts'
import { observationRange } from '../../sql/queries/observations.ts'
import { hourlyNumbers, hourlyUncertainty } from '../blend/fields.ts'
import type { QueryContext } from './context.ts'
import { QueryError } from './error.ts'
import { NORMALS_RANGE, normalVariables } from './normals-table.ts'
import { sharedQuery } from './shared-query.ts'

export type StorageKind = 'runs' | 'frames' | 'stations' | 'normals' | 'blend'

/** What tools call a dataset: one of the catalog, the products of one source together, or the published forecast. */
export interface Family {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly kind: Dataset['kind']
  readonly members: readonly Dataset[]
  readonly variables: readonly string[]
  /** What its values are read from; undefined where it cannot be queried. */
  readonly storage: StorageKind | undefined
  readonly queryable: boolean
  /** The tool that answers where it cannot be queried. */
  readonly useTool: string | null
}

export const BLEND_HOURS = 336
const blendNames = [...hourlyNumbers, ...hourlyUncertainty].map(({ name }) => name)
/** Datasets that only their own tools can read. */
const ownTools: Readonly<Record<string, string>> = {
  glm: 'get_lightning_activity',
  'storm-tracks': 'get_storm_tracks',
  'storm-cells': 'get_storm_tracks',
  alerts: 'search_alerts',
  'nws-alerts': 'search_alerts',
  spc: 'get_severe_outlook',
  'spc-outlooks': 'get_severe_outlook',
  'spc-fire': 'get_fire_weather',
  'nexrad-l3': 'get_map_snapshot',
  'climate-reports': 'get_climate_records',
  text: 'get_forecast_discussion',
  'nws-texts': 'get_forecast_discussion',
}

/** Names of families, where that of their first product would name the part for the whole. */
const familyWords: Readonly<Record<string, { readonly title: string; readonly description: string }>> = {
  mrms: {
    title: 'Multi-Radar/Multi-Sensor system',
    description:
      'Radar over the US: rate and kind of precipitation, reflectivity, totals of 1 and 24 hours, lightning. 0 where radar sees nothing, null without coverage.',
  },
}

/** What tools call the areas of feeds, and the product of the catalog that they come from. */
const polygons: readonly (Omit<Family, 'members' | 'variables' | 'storage' | 'queryable' | 'useTool'> & {
  product: string
})[] = [
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

export function families({ deps }: Pick<QueryContext, 'deps'>): Family[] {
  const { datasets } = deps.values
  const ids = [...new Set(datasets.map((one) => one.family ?? one.id))]
  const fromDatasets = ids.map((id): Family => {
    const members = datasets.filter((one) => (one.family ?? one.id) === id)
    const main = members.find((one) => one.id === id) ?? members[0]
    return familyFrom(id, familyWords[id] ?? main, main.kind, members)
  })
  const blend: Family = {
    id: 'blend',
    title: 'Published hourly forecast',
    description: 'The hourly forecast as REST and get_hourly_forecast publish it: all sources blended and closed.',
    kind: 'grid',
    members: datasets.filter(({ id }) => id === 'nbm'),
    variables: blendNames,
    storage: 'blend',
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
        storage: undefined,
        queryable: false,
        useTool: ownTools[one.id] ?? null,
      })),
  ]
}

function familyFrom(
  id: string,
  { title, description }: { readonly title: string; readonly description: string },
  kind: Dataset['kind'],
  members: readonly Dataset[],
): Family {
  const storage = storageOf(members)
  const variables = storage === undefined ? [] : variablesOf(storage, members)
  const queryable = variables.length > 0
  return {
    id,
    title,
    description,
    kind: kind === 'frame' ? (storage === 'frames' ? 'grid' : 'event') : kind,
    members,
    variables,
    storage: queryable ? storage : undefined,
    queryable,
    useTool: queryable ? null : (ownTools[id] ?? members.map((one) => ownTools[one.id]).find(Boolean) ?? null),
  }
}

function storageOf(members: readonly Dataset[]): StorageKind | undefined {
  if (members.some(({ kind }) => kind === 'grid')) return 'runs'
  if (members.some(isGridded)) return 'frames'
  const [{ kind }] = members
  return kind === 'station' ? 'stations' : kind === 'climatology' ? 'normals' : undefined
}

/** A product whose frames are values on a grid; lightning and storms are lists. */
const isGridded = (one: Dataset): one is FrameDataset => one.kind === 'frame' && (one as FrameDataset).format === 'mrms'

function variablesOf(storage: StorageKind, members: readonly Dataset[]): readonly string[] {
  switch (storage) {
    case 'runs': {
      const grids = members.filter((one): one is GridDataset => one.kind === 'grid')
      return [...new Set(grids.flatMap((one) => one.wants.flatMap(wantedVariables)))].filter((name) => table.has(name))
    }
    case 'normals':
      return normalVariables
    default: {
      const given = members.flatMap((one) => (one as FeedDataset | FrameDataset).gives ?? [])
      return [...new Set(given.map(({ name }) => name))]
    }
  }
}

/** Products of a family that give a variable as frames: what is near the surface and what gauges have corrected first. */
export function frameProducts({ members }: Family, variable: string): readonly FrameDataset[] {
  const rank = ({ id }: Dataset) => (id.endsWith('-surface') ? 0 : id.endsWith('-pass1') ? 2 : 1)
  return members
    .filter(isGridded)
    .filter(({ gives }) => gives.some(({ name }) => name === variable))
    .sort((a, b) => rank(a) - rank(b))
}

/** @throws QueryError not-found with the nearest ids */
export function familyOf(context: QueryContext, id: string): Family {
  const all = families(context)
  const asked = id.toLowerCase()
  const found = all.find((one) => one.id === asked) ?? memberAsFamily(all, asked)
  if (found) return found
  const suggestions = nearest(
    asked,
    all.map((one) => one.id),
  )
  throw new QueryError(
    'not-found',
    `No dataset is called "${id}".${suggestions.length > 0 ? ` Nearest: ${suggestions.join(', ')}.` : ''}`,
    'list_datasets names them all.',
    { field: 'dataset_id', got: id, suggestions },
  )
}

/** One product of a family, asked for by its own id. */
export function memberAsFamily(all: readonly Family[], id: string): Family | undefined {
  for (const family of all) {
    const member = family.members.find((one) => one.id === id)
    if (member && family.id !== 'blend') return familyFrom(id, member, member.kind, [member])
  }
  return undefined
}

/** Stored reference times of any domain, newest first; none for the blend, which combines many runs. */
export async function storedTimes({ deps }: Pick<QueryContext, 'deps'>, family: Family): Promise<number[]> {
  if (family.id === 'blend') return []
  if (family.storage !== 'runs' && family.storage !== 'frames') return []
  const ids = family.members.filter(hasRuns).map(({ id }) => id)
  const rows = await sharedQuery(deps.database, `times ${ids}`, () => publishedTimes(deps.database, ids))
  return [...new Set(rows.filter((row) => covers(family, row)).map(({ run }) => run.getTime()))]
}

const hasRuns = ({ kind }: Dataset) => kind === 'grid' || kind === 'frame'
const covers = ({ members }: Family, { dataset, domain }: { readonly dataset: string; readonly domain: string }) =>
  members.some(({ id, domains }) => id === dataset && domains.some((one) => one.id === domain))

/** First and last stored reference time; null before anything was read. All datasets are read together: a list of them asks for each. */
async function storedRange({ deps }: Pick<QueryContext, 'deps'>, family: Family): Promise<TimeRange | null> {
  const ids = deps.values.datasets.filter(hasRuns).map(({ id }) => id)
  const rows = await sharedQuery(deps.database, 'spans', () => publishedSpans(deps.database, ids))
  const own = rows.filter((row) => covers(family, row))
  if (own.length === 0) return null
  return {
    start: Math.min(...own.map(({ first }) => first.getTime())),
    end: Math.max(...own.map(({ last }) => last.getTime())),
  }
}

export interface TimeRange {
  readonly start: number
  readonly end: number
}

/** Newest and oldest valid time of the served runs. */
export async function timeRange(context: QueryContext, family: Family): Promise<TimeRange | null> {
  const { deps, now } = context
  const hour = Math.floor(now / HOUR) * HOUR
  if (family.kind === 'station') return stationRange(context, family)
  if (family.id === 'blend') return { start: hour, end: hour + (BLEND_HOURS - 1) * HOUR }
  if (family.kind === 'climatology') return NORMALS_RANGE
  if (family.storage === 'frames') return storedRange(context, family)
  const served = [...deps.values.current.all()].filter(({ dataset, domain }) =>
    family.members.some(
      ({ id, kind, domains }) => id === dataset && kind === 'grid' && domains.some((one) => one.id === domain),
    ),
  )
  const range = rangeOf(await Promise.all(served.map(async (one) => one.opened ?? (await one.open()))))
  if (!range || !isAnalysis(family)) return range
  return { ...range, start: Math.min(range.start, (await storedRange(context, family))?.start ?? range.start) }
}

/** First and last time of reports; null before anything was read. */
async function stationRange({ deps }: Pick<QueryContext, 'deps'>, { id }: Family): Promise<TimeRange | null> {
  const { oldest, newest } = await sharedQuery(deps.database, `range ${id}`, () =>
    id === 'metar' ? observationRange(deps.database) : monitorRange(deps.database),
  )
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

export function servedRun({ deps }: Pick<QueryContext, 'deps'>, family: Family, domain?: DomainId): number | undefined {
  const runs = [...deps.values.current.all()]
    .filter((one) => family.members.some(({ id }) => id === one.dataset) && (!domain || one.domain === domain))
    .map(({ run }) => run)
  return runs.length > 0 ? Math.max(...runs) : undefined
}
