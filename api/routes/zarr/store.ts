import { LRUCache } from 'lru-cache'
import { gridDatasets } from '../../../ingest/catalog.ts'
import type { Domain, GridDataset } from '../../../ingest/domain/dataset/dataset.ts'
import { isFault } from '../../../ingest/domain/fault.ts'
import { parseRun } from '../../../ingest/domain/time.ts'
import { cellsInBox } from '../../../ingest/geo/cells-in-box.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import type { Objects } from '../../../ingest/ports/objects.ts'
import { manifestName, runPrefix } from '../../../ingest/tile/key.ts'
import { type OpenRun, openRun } from '../../../ingest/tile/read.ts'
import { publishedRunOf, publishedRuns } from '../../../sql/queries/history.ts'
import type { Current } from '../../live/served-runs.ts'
import { Problem } from '../../problem.ts'
import { displayed, nearestWord } from '../../query/query.ts'

/** A run with the axes of its Zarr group. */
export interface RunStore {
  readonly dataset: GridDataset
  readonly domain: Domain
  readonly run: OpenRun
  /** Ids of the model cells in the box of the domain, ascending. */
  readonly cells: Uint32Array
  /** Valid times of all variables, ascending. */
  readonly times: readonly number[]
}

/** A dataset in a domain, from the path of a request. */
export interface DatasetDomain {
  readonly dataset: GridDataset
  readonly domain: Domain
}

export interface StoreDeps {
  readonly database: Database
  readonly objects: Objects
  readonly current: Current
}

export interface RunStores {
  /** @throws Problem not-found with the nearest dataset or the domains */
  placeOf(dataset: string, domain: string): DatasetDomain
  /** Returns the name of the served run; or of the stored run with a reference time such as `2026-08-20T12Z`. @throws Problem not-found */
  nameOf(place: DatasetDomain, run?: string): Promise<string>
  /** @throws Problem not-found */
  open(place: DatasetDomain, name: string): Promise<RunStore>
}

/** Runs that stay open; each has up to 10 MB of directories after its cells have been read. */
const MAX_OPEN_RUNS = 8
/** One for each domain, of 6 MB or less. */
const MAX_CELL_LISTS = 3

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}(?:\d{2})?Z$/
/**
 * A reference time, then the stage, the revision (absent in runs of earlier versions) and the digest of its inputs: the
 * objects under such a name never change.
 */
const namePattern = /^(\d{4}-\d{2}-\d{2}T\d{2}(?:\d{2})?Z)\.(\w{1,12}-(?:r\d{1,6}-)?[0-9a-f]{8})$/

/** Opens the stored runs by name. A name stays valid until the run is removed, also while newer runs and stages are served. */
export function openStores({ database, objects, current }: StoreDeps): RunStores {
  const runs = new LRUCache<string, RunStore>({ max: MAX_OPEN_RUNS })
  const lists = new LRUCache<string, Promise<Uint32Array>>({ max: MAX_CELL_LISTS })

  const cellsOf = ({ bbox }: Domain, resolution: number) => {
    const key = `${bbox.join()}/${resolution}`
    let list = lists.get(key)
    if (!list) lists.set(key, (list = cellsInBox(bbox, resolution)))
    return list
  }
  const openNamed = async ({ dataset, domain }: DatasetDomain, name: string) => {
    const [, time = '', stage] = namePattern.exec(name) ?? []
    const run = parseRun(time)
    const served = current.served(dataset.id, domain.id)
    if (served && nameOfKey(served.manifestKey) === name) return served.open()
    if (Number.isNaN(run) || !(await publishedRunOf(database, dataset.id, domain.id, new Date(run)))) return undefined
    try {
      // Earlier stages stay stored as long as the run.
      return await openRun(objects, `${runPrefix(dataset.id, domain.id, run)}/${stage}/${manifestName}`)
    } catch (error) {
      if (isFault(error, 'Missing')) return undefined
      throw error
    }
  }
  return {
    placeOf(datasetId, domainId) {
      const dataset = gridDatasets.find(({ id }) => id === datasetId)
      const ids = gridDatasets.map(({ id }) => id)
      if (!dataset)
        throw new Problem(
          'not-found',
          `No dataset of model runs is named ${displayed(datasetId.slice(0, 60))}; nearest: ${nearestWord(datasetId, ids)}. See /v1/catalog.`,
        )
      const domain = dataset.domains.find(({ id }) => id === domainId)
      const domains = dataset.domains.map(({ id }) => id).join(', ')
      if (!domain)
        throw new Problem(
          'not-found',
          `${datasetId} has no domain ${displayed(domainId.slice(0, 60))}. Use one of ${domains}.`,
        )
      return { dataset, domain }
    },
    async nameOf(place, run) {
      const { dataset, domain } = place
      const served = current.served(dataset.id, domain.id)
      if (run === undefined) {
        const name = served && nameOfKey(served.manifestKey)
        if (!name)
          throw new Problem('not-found', `No run of ${dataset.id} is served in ${domain.id} now. See /v1/catalog.`)
        return name
      }
      const at = timePattern.test(run) ? parseRun(run) : Number.NaN
      const row = Number.isNaN(at) ? undefined : await publishedRunOf(database, dataset.id, domain.id, new Date(at))
      const name = row && nameOfKey(row.manifest_key)
      if (!name) throw await noRun(database, place, run)
      return name
    },
    async open(place, name) {
      const key = `${place.dataset.id}/${place.domain.id}/${name}`
      const known = runs.get(key)
      if (known) return known
      const run = await openNamed(place, name)
      if (!run) throw await noRun(database, place, name)
      const times = [...new Set([...run.variables.values()].flatMap(({ times }) => [...times]))].sort((a, b) => a - b)
      const store = { ...place, run, times, cells: await cellsOf(place.domain, run.resolution) }
      runs.set(key, store)
      return store
    },
  }
}

/** Returns the name of a run from the key of its manifest; undefined if the key is not one of tiles. */
export function nameOfKey(manifestKey: string): string | undefined {
  const name = manifestKey.split('/').slice(4, 6).join('.')
  return namePattern.test(name) ? name : undefined
}

async function noRun(database: Database, { dataset, domain }: DatasetDomain, name: string): Promise<Problem> {
  const [newest] = await publishedRuns(database, dataset.id, domain.id, 0, 1)
  const hint = newest ? ` The newest is ${nameOfKey(newest.manifest_key)}.` : ''
  const address = `/zarr/${dataset.id}/${domain.id}`
  return new Problem(
    'not-found',
    `${dataset.id} has no stored run ${displayed(name.slice(0, 60))} in ${domain.id}.${hint} ${address} redirects to the served run.`,
  )
}
