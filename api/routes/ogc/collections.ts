import type { DomainId } from '../../../ingest/domain/domain.ts'
import { isoSeconds } from '../../../ingest/domain/time.ts'
import type { QueryContext } from '../../dataset/context.ts'
import { type Family, families, storedTimes, timeRange } from '../../dataset/dataset.ts'
import { factsOf, unitIn } from '../../dataset/variable-facts.ts'
import { ucumOf } from '../../present/coverage.ts'
import type { UnitSystem } from '../../present/units.ts'
import { Problem } from '../../problem.ts'
import { nearestWord } from '../../query/query.ts'
import { CRS84, GEOJSON_TYPE, JSON_TYPE, type Link, link } from './links.ts'

/** A collection of OGC API EDR: one dataset in one domain, or all stations of a dataset. */
export interface EdrCollection {
  readonly id: string
  readonly title: string
  readonly family: Family
  readonly domain: DomainId | undefined
  /** West, south, east, north; west is greater than east across the antimeridian. */
  readonly bbox: readonly number[]
}

export const edrFormats = ['covjson', 'geojson', 'csv'] as const
export const queryKinds = ['position', 'radius', 'area', 'cube', 'locations'] as const
export type QueryKind = (typeof queryKinds)[number]
export const DEFAULT_UNITS: UnitSystem = 'metric'
const formatNames = ['CoverageJSON', 'GeoJSON', 'CSV']
const COUNTRY = [-180, 15, -60, 72]
const domainNames: Readonly<Record<DomainId, string>> = {
  conus: 'contiguous states',
  alaska: 'Alaska',
  hawaii: 'Hawaii',
}

/** Returns every collection of the catalog. */
export function collectionsOf(context: QueryContext): EdrCollection[] {
  return families(context)
    .filter(({ queryable }) => queryable)
    .flatMap((family): EdrCollection[] => {
      if (family.storage === 'stations')
        return [{ id: family.id, title: family.title, family, domain: undefined, bbox: COUNTRY }]
      const domains = new Map(
        family.members.flatMap((member) => member.domains.map((domain) => [domain.id, domain] as const)),
      )
      return [...domains.values()].map(({ id: domain, bbox }) => ({
        id: `${family.id}-${domain}`,
        title: `${family.title}, ${domainNames[domain]}`,
        family: {
          ...family,
          members: family.members
            .map((member) => ({ ...member, domains: member.domains.filter(({ id }) => id === domain) }))
            .filter(({ domains }) => domains.length > 0),
        },
        domain,
        bbox,
      }))
    })
}

/** Finds a collection. @throws Problem not-found with the nearest id */
export function collectionById(context: QueryContext, id: string): EdrCollection {
  const all = collectionsOf(context)
  const collection = all.find((candidate) => candidate.id === id)
  if (collection) return collection
  const nearest = nearestWord(
    id,
    all.map((candidate) => candidate.id),
  )
  throw new Problem('not-found', `No collection "${id.slice(0, 60)}"; nearest: ${nearest}. See /edr/collections.`)
}

/** Returns the kinds of query that a collection supports. Stations do not form a grid, so they support no cube. */
export const kindsOf = ({ family }: EdrCollection): readonly QueryKind[] =>
  queryKinds.filter((kind) => kind !== 'cube' || family.storage !== 'stations')

/** Returns whether the runs of a collection are instances. Radar frames have none, because each scan would be one. */
export const hasInstances = ({ family }: EdrCollection): boolean => family.storage === 'runs'

/** Returns the reference times of a collection, newest first. */
export const instanceTimes = (context: QueryContext, collection: EdrCollection): Promise<number[]> =>
  hasInstances(collection) ? storedTimes(context, collection.family) : Promise.resolve([])

/** Returns the document of a collection, or of an instance. @param run reference time of an instance */
export async function collectionDocument(
  context: QueryContext,
  base: string,
  collection: EdrCollection,
  run?: number,
): Promise<object> {
  const { family, bbox, id, title } = collection
  const root = `${base}/edr/collections/${id}`
  const self = run === undefined ? root : `${root}/instances/${isoSeconds(run)}`
  const range = run === undefined ? await timeRange(context, family) : { start: run, end: run }
  const times = range && [isoSeconds(range.start), isoSeconds(range.end)]
  const links: Link[] = [link(self, 'self'), link(`${base}/edr/collections`, 'collection')]
  if (run === undefined && hasInstances(collection)) links.push(link(`${root}/instances`, 'items', JSON_TYPE, 'Runs'))
  return {
    id: run === undefined ? id : isoSeconds(run),
    title: run === undefined ? title : `${title}: run ${isoSeconds(run)}`,
    description: family.description,
    links,
    extent: {
      spatial: { bbox: [bbox], crs: CRS84 },
      ...(times && { temporal: { interval: [times], values: [times.join('/')], trs: 'Gregorian' } }),
    },
    data_queries: {
      ...Object.fromEntries(kindsOf(collection).map((kind) => [kind, { link: queryLink(self, kind) }])),
      ...(run === undefined &&
        hasInstances(collection) && {
          instances: { link: { ...link(`${root}/instances`, 'data'), variables: { query_type: 'instances' } } },
        }),
    },
    crs: ['CRS84'],
    distanceunits: ['km', 'mi', 'm'],
    output_formats: formatNames,
    parameter_names: Object.fromEntries(family.variables.map((name) => [name, parameterOf(name)])),
  }
}

function queryLink(self: string, kind: QueryKind): object {
  return {
    ...link(`${self}/${kind}`, 'data', kind === 'locations' ? GEOJSON_TYPE : 'application/prs.coverage+json'),
    variables: {
      title: kind,
      query_type: kind,
      output_formats: formatNames,
      default_output_format: 'CoverageJSON',
      crs_details: [{ crs: 'CRS84', wkt: CRS84_WKT }],
      ...(kind === 'radius' && { within_units: ['km', 'mi', 'm'] }),
      ...(kind === 'cube' && { height_units: [] }),
    },
  }
}

const CRS84_WKT =
  'GEOGCS["WGS 84 (CRS84)",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433],AXIS["Longitude",EAST],AXIS["Latitude",NORTH]]'

function parameterOf(name: string): object {
  const { description, standard_name: standardName } = factsOf(name, [])
  const unit = unitIn(name, DEFAULT_UNITS)
  return {
    type: 'Parameter',
    id: name,
    description,
    'data-type': 'float',
    unit: {
      label: unit || '1',
      symbol: { value: ucumOf(unit), type: 'http://www.opengis.net/def/uom/UCUM/' },
    },
    observedProperty: {
      label: name,
      ...(standardName && { id: `http://vocab.nerc.ac.uk/standard_name/${standardName}/` }),
    },
  }
}
