import { datasetOf, gridDatasets } from '../../ingest/catalog.ts'
import type {
  Dataset,
  DatasetRole,
  FeedDataset,
  FrameDataset,
  GridDataset,
} from '../../ingest/domain/dataset/dataset.ts'
import { ANALYSES } from '../../ingest/domain/dataset/history.ts'
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

/**
 * A dataset under the name that tools and clients use: a dataset of the catalog, all products of one source, or the
 * published forecast.
 */
export interface Family {
  readonly id: string
  readonly title: string
  readonly description: string
  readonly kind: Dataset['kind']
  readonly members: readonly Dataset[]
  readonly variables: readonly string[]
  /** The kind of storage from which values are read; undefined if the family cannot be queried. */
  readonly storage: StorageKind | undefined
  readonly queryable: boolean
  /** The tool that reads the family if it cannot be queried. */
  readonly useTool: string | null
}

/** Id of the published hourly forecast. */
export const BLEND = 'blend'
export const BLEND_HOURS = 336
/** Models that a complete forecast needs, the most important first. */
export const requiredModels = gridDatasets.filter(({ required }) => required).map(({ id }) => id)
/** The family of the radar products. */
export const radarFamily = familyIdOf(datasetOf('precip_rate'))
const analysisIds: ReadonlySet<string> = new Set(ANALYSES)
const blendNames = [...hourlyNumbers, ...hourlyUncertainty].map(({ name }) => name)
/** Tools for the datasets that query_dataset cannot read. */
const toolsByRole: Readonly<Partial<Record<DatasetRole, string>>> = {
  lightning_flashes: 'get_lightning_activity',
  storm_tracks: 'get_storm_tracks',
  storm_cells: 'get_storm_tracks',
  alerts: 'search_alerts',
  outlooks: 'get_severe_outlook',
  site_scans: 'get_map_snapshot',
  climate_reports: 'get_climate_records',
  texts: 'get_forecast_discussion',
}

/** Names of families whose first product has a name that would not describe them. */
const familyWords: Readonly<Record<string, { readonly title: string; readonly description: string }>> = {
  [radarFamily]: {
    title: 'Multi-Radar/Multi-Sensor system',
    description:
      'Radar over the US: rate and type of precipitation, reflectivity, totals of 1 and 24 hours, lightning. 0 where radar sees nothing, null without coverage.',
  },
}

/** Names of the areas of feeds for tools, with the dataset of the catalog from which they come. */
const polygons: readonly (Omit<Family, 'members' | 'variables' | 'storage' | 'queryable'> & {
  product: string
})[] = [
  {
    id: 'alerts',
    product: datasetOf('alerts').id,
    title: 'NWS alerts',
    description: 'Active watches, warnings and advisories.',
    kind: 'event',
    useTool: 'search_alerts',
  },
  {
    id: 'spc',
    product: datasetOf('outlooks').id,
    title: 'SPC convective outlooks',
    description: 'Severe thunderstorm, tornado, hail and wind outlooks for days 1 to 8.',
    kind: 'event',
    useTool: 'get_severe_outlook',
  },
  {
    id: 'spc-fire',
    product: datasetOf('outlooks').id,
    title: 'SPC fire weather outlooks',
    description: 'Fire weather outlooks.',
    kind: 'event',
    useTool: 'get_fire_weather',
  },
]

/** The family of a dataset, or its own id. */
function familyIdOf({ id, family }: Dataset): string {
  return family ?? id
}

/** All families: the blend first, then the datasets of the catalog, then the areas of feeds. */
export function families({ deps }: Pick<QueryContext, 'deps'>): Family[] {
  const { datasets } = deps.values
  const ids = [...new Set(datasets.map(familyIdOf))]
  const fromDatasets = ids.flatMap((id): Family[] => {
    const members = datasets.filter((dataset) => familyIdOf(dataset) === id)
    const main = members.find((member) => member.id === id) ?? members[0]
    return main ? [familyFrom(id, familyWords[id] ?? main, main.kind, members)] : []
  })
  const blend: Family = {
    id: BLEND,
    title: 'Published hourly forecast',
    description: 'The hourly forecast as REST and get_hourly_forecast publish it: all sources blended and closed.',
    kind: 'grid',
    members: datasets.filter(({ id }) => id === requiredModels[0]),
    variables: blendNames,
    storage: 'blend',
    queryable: true,
    useTool: null,
  }
  const existing = new Set(fromDatasets.map(({ id }) => id))
  return [
    blend,
    ...fromDatasets,
    ...polygons
      .filter(({ id }) => !existing.has(id))
      .map(({ product, ...family }) => ({
        ...family,
        members: datasets.filter(({ id }) => id === product),
        variables: [],
        storage: undefined,
        queryable: false,
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
    useTool: queryable ? null : (members.map(({ role }) => role && toolsByRole[role]).find(Boolean) ?? null),
  }
}

function storageOf(members: readonly Dataset[]): StorageKind | undefined {
  if (members.some(({ kind }) => kind === 'grid')) return 'runs'
  if (members.some(isGridded)) return 'frames'
  const kind = members[0]?.kind
  return kind === 'station' ? 'stations' : kind === 'climatology' ? 'normals' : undefined
}

/** Returns true for a product whose frames are values on a grid; flashes and storms are lists. */
const isGridded = (dataset: Dataset): dataset is FrameDataset =>
  dataset.kind === 'frame' && (dataset as FrameDataset).format === 'mrms'

function variablesOf(storage: StorageKind, members: readonly Dataset[]): readonly string[] {
  switch (storage) {
    case 'runs': {
      const grids = members.filter((member): member is GridDataset => member.kind === 'grid')
      return [...new Set(grids.flatMap(({ wants }) => wants.flatMap(wantedVariables)))].filter((name) =>
        table.has(name),
      )
    }
    case 'normals':
      return normalVariables
    default: {
      const observed = members.flatMap((member) => (member as FeedDataset | FrameDataset).gives ?? [])
      return [...new Set(observed.map(({ name }) => name))]
    }
  }
}

/**
 * Returns the products of a family that have a variable as frames, best first: values near the surface, and
 * gauge-corrected values.
 */
export function frameProducts({ members }: Family, variable: string): readonly FrameDataset[] {
  const rank = ({ id }: Dataset) => (id.endsWith('-surface') ? 0 : id.endsWith('-pass1') ? 2 : 1)
  return members
    .filter(isGridded)
    .filter(({ gives }) => gives.some(({ name }) => name === variable))
    .sort((a, b) => rank(a) - rank(b))
}

/**
 * Returns the family with an id, which may also be the id of one of its products. @throws QueryError not-found with
 * similar ids
 */
export function familyOf(context: QueryContext, id: string): Family {
  const all = families(context)
  const lowerId = id.toLowerCase()
  const family = all.find((candidate) => candidate.id === lowerId) ?? memberAsFamily(all, lowerId)
  if (family) return family
  const suggestions = nearest(
    lowerId,
    all.map((candidate) => candidate.id),
  )
  throw new QueryError(
    'not-found',
    `No dataset is called "${id}".${suggestions.length > 0 ? ` Nearest: ${suggestions.join(', ')}.` : ''}`,
    'list_datasets lists all datasets.',
    { field: 'dataset_id', got: id, suggestions },
  )
}

/** One product of a family as a family of its own. */
export function memberAsFamily(all: readonly Family[], id: string): Family | undefined {
  for (const family of all) {
    const member = family.members.find((candidate) => candidate.id === id)
    if (member && family.id !== BLEND) return familyFrom(id, member, member.kind, [member])
  }
  return undefined
}

/** Returns stored reference times of any domain, newest first. The blend, which combines many runs, has none. */
export async function storedTimes({ deps }: Pick<QueryContext, 'deps'>, family: Family): Promise<number[]> {
  if (family.storage !== 'runs' && family.storage !== 'frames') return []
  const ids = family.members.filter(hasRuns).map(({ id }) => id)
  const rows = await sharedQuery(deps.database, `times ${ids}`, () => publishedTimes(deps.database, ids))
  return [...new Set(rows.filter((row) => covers(family, row)).map(({ run }) => run.getTime()))]
}

const hasRuns = ({ kind }: Dataset) => kind === 'grid' || kind === 'frame'
const covers = ({ members }: Family, { dataset, domain }: { readonly dataset: string; readonly domain: string }) =>
  members.some(({ id, domains }) => id === dataset && domains.some((candidate) => candidate.id === domain))

/**
 * Returns the first and last stored reference time; null if nothing is stored. One query reads all datasets, because a
 * list of datasets needs each.
 */
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

/** First and last time for which a family has values; null if it has none. */
export async function timeRange(context: QueryContext, family: Family): Promise<TimeRange | null> {
  const { deps, now } = context
  const hour = Math.floor(now / HOUR) * HOUR
  if (family.kind === 'station') return stationRange(context, family)
  if (family.id === BLEND) return { start: hour, end: hour + (BLEND_HOURS - 1) * HOUR }
  if (family.kind === 'climatology') return NORMALS_RANGE
  if (family.storage === 'frames') return storedRange(context, family)
  const served = [...deps.values.current.all()].filter(({ dataset, domain }) =>
    family.members.some(
      ({ id, kind, domains }) =>
        id === dataset && kind === 'grid' && domains.some((candidate) => candidate.id === domain),
    ),
  )
  const range = rangeOf(await Promise.all(served.map((run) => run.open())))
  if (!range || !isAnalysis(family)) return range
  return { ...range, start: Math.min(range.start, (await storedRange(context, family))?.start ?? range.start) }
}

/** Returns true for the family of station reports, false for the family of air quality monitors. */
export const isStationReports = ({ members }: Family) => members.some(({ role }) => role === 'station_reports')

/** First and last time of reports; null if none is stored. */
async function stationRange({ deps }: Pick<QueryContext, 'deps'>, family: Family): Promise<TimeRange | null> {
  const { oldest, newest } = await sharedQuery(deps.database, `range ${family.id}`, () =>
    isStationReports(family) ? observationRange(deps.database) : monitorRange(deps.database),
  )
  return oldest && newest ? { start: oldest.getTime(), end: newest.getTime() } : null
}

/** First and last valid time of runs; null if they have no valid times. */
export function rangeOf(runs: readonly OpenRun[]): TimeRange | null {
  const axes = runs.flatMap(({ variables }) => [...variables.values()])
  const ends = axes.flatMap(({ times }) => [...times.slice(0, 1), ...times.slice(-1)])
  if (ends.length === 0) return null
  return { start: Math.min(...ends), end: Math.max(...ends) }
}

/** Returns true for analyses: each run has one valid time, so the history of an analysis consists of the stored runs. */
export function isAnalysis({ members }: Family): boolean {
  return members.some(({ id }) => analysisIds.has(id))
}

/** Reference time of the newest served run of a family, in a domain or in any. */
export function servedRun({ deps }: Pick<QueryContext, 'deps'>, family: Family, domain?: DomainId): number | undefined {
  const runs = [...deps.values.current.all()]
    .filter((run) => family.members.some(({ id }) => id === run.dataset) && (!domain || run.domain === domain))
    .map(({ run }) => run)
  return runs.length > 0 ? Math.max(...runs) : undefined
}
