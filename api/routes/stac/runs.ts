import { LRUCache } from 'lru-cache'
import { gridDatasets } from '../../../ingest/catalog.ts'
import type { Domain, GridDataset } from '../../../ingest/domain/dataset/dataset.ts'
import { isFault } from '../../../ingest/domain/fault.ts'
import { type Instant, parseRun, runName } from '../../../ingest/domain/time.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import type { Objects } from '../../../ingest/ports/objects.ts'
import { manifestName, sourcesName, tileName } from '../../../ingest/tile/key.ts'
import { type Manifest, openText } from '../../../ingest/tile/manifest.ts'
import { publishedRunOf, publishedRuns, publishedSpans } from '../../../sql/queries/history.ts'
import { Problem } from '../../problem.ts'
import { displayed, nearestWord } from '../../query/query.ts'

/** A STAC collection: a dataset of model runs in one domain. */
export interface RunCollection {
  readonly id: string
  readonly dataset: GridDataset
  readonly domain: Domain
}

/** A STAC item: a stored run. */
export interface RunItem {
  readonly id: string
  readonly run: Instant
  readonly availableAt: Instant | undefined
  /** Key of the manifest without its name. */
  readonly folder: string
  readonly manifest: Manifest
}

/** A STAC asset: an object of a run. */
export interface RunObject {
  readonly name: string
  readonly key: string
  /** Size in bytes, if the manifest has it. */
  readonly size?: number
  /** CRC-32 of the directory of a tile. */
  readonly check?: number
}

export const runCollections: readonly RunCollection[] = gridDatasets.flatMap((dataset) =>
  dataset.domains.map((domain) => ({ id: `${dataset.id}-${domain.id}`, dataset, domain })),
)

/** Finds a collection. @throws Problem not-found with the nearest id */
export function runCollection(id: string): RunCollection {
  const collection = runCollections.find((candidate) => candidate.id === id)
  if (collection) return collection
  const nearest = nearestWord(
    id,
    runCollections.map((candidate) => candidate.id),
  )
  const name = displayed(id.slice(0, 60))
  throw new Problem('not-found', `No collection ${name}; nearest: ${nearest}. See /stac/collections.`)
}

/** Cached manifests, of 20 KB each. */
const MAX_MANIFESTS = 300

export interface StoredRuns {
  /** Returns the first and last reference time of each collection with runs, by id. */
  spans(): Promise<ReadonlyMap<string, { readonly first: Instant; readonly last: Instant; readonly count: number }>>
  /** Returns reference times, newest first. */
  times(collection: RunCollection, offset: number, limit: number): Promise<readonly Instant[]>
  /** Returns runs, newest first, without runs that have been removed meanwhile. */
  items(collection: RunCollection, offset: number, limit: number): Promise<readonly RunItem[]>
  /** @throws Problem not-found */
  item(collection: RunCollection, id: string): Promise<RunItem>
}

/** Opens the stored runs, from the table of runs and their manifests. */
export function openStoredRuns({ database, objects }: { database: Database; objects: Objects }): StoredRuns {
  const manifests = new LRUCache<string, Promise<Manifest>>({ max: MAX_MANIFESTS })
  const manifestOf = (key: string): Promise<Manifest> => {
    let reading = manifests.get(key)
    if (!reading) {
      manifests.set(key, (reading = objects.get(key).then((bytes) => openText<Manifest>('HXM1', key, bytes))))
      reading.catch(() => manifests.delete(key))
    }
    return reading
  }
  type StacRow = Awaited<ReturnType<typeof publishedRuns>>[number]
  const itemOf = async ({ id }: RunCollection, row: StacRow): Promise<RunItem | undefined> => {
    try {
      return {
        id: `${id}-${runName(row.run.getTime())}`,
        run: row.run.getTime(),
        availableAt: row.published_at?.getTime(),
        folder: row.manifest_key.slice(0, -manifestName.length),
        manifest: await manifestOf(row.manifest_key),
      }
    } catch (error) {
      if (isFault(error, 'Missing')) return undefined
      throw error
    }
  }
  return {
    async spans() {
      const rows = await publishedSpans(
        database,
        gridDatasets.map(({ id }) => id),
      )
      return new Map(
        rows.map(({ dataset, domain, first, last, count }) => [
          `${dataset}-${domain}`,
          { first: first.getTime(), last: last.getTime(), count },
        ]),
      )
    },
    async times({ dataset, domain }, offset, limit) {
      return (await publishedRuns(database, dataset.id, domain.id, offset, limit)).map(({ run }) => run.getTime())
    },
    async items(collection, offset, limit) {
      const { dataset, domain } = collection
      const rows = await publishedRuns(database, dataset.id, domain.id, offset, limit)
      const items = await Promise.all(rows.map((row) => itemOf(collection, row)))
      return items.filter((item) => item !== undefined)
    },
    async item(collection, id) {
      const { dataset, domain } = collection
      const name = id.startsWith(`${collection.id}-`) ? id.slice(collection.id.length + 1) : ''
      const run = /^\d{4}-\d{2}-\d{2}T\d{2}(\d{2})?Z$/.test(name) ? parseRun(name) : Number.NaN
      const row = Number.isNaN(run) ? undefined : await publishedRunOf(database, dataset.id, domain.id, new Date(run))
      const item = row && (await itemOf(collection, row))
      if (item) return item
      const [newest] = await publishedRuns(database, dataset.id, domain.id, 0, 1)
      const hint = newest ? ` The newest is ${collection.id}-${runName(newest.run.getTime())}.` : ''
      throw new Problem('not-found', `${collection.id} has no stored run ${displayed(id.slice(0, 80))}.${hint}`)
    },
  }
}

/** Returns the objects of a run: its manifest, the sources of its values, and its tiles. */
export function objectsOf({ folder, manifest }: RunItem): RunObject[] {
  return [
    { name: manifestName, key: folder + manifestName },
    { name: sourcesName, key: folder + sourcesName },
    ...manifest.tiles.map(({ size, check }, i) => ({ name: tileName(i), key: folder + tileName(i), size, check })),
  ]
}
