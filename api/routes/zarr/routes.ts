import PQueue from 'p-queue'
import { z } from 'zod'
import { isFault } from '../../../ingest/domain/fault.ts'
import { simulatedWarnings, warningsHeader } from '../../present/meta.ts'
import { Problem } from '../../problem.ts'
import { displayed } from '../../query/query.ts'
import type { Answer, Contract, Route, RouteRequest } from '../../route.ts'
import { noParameters } from '../shapes.ts'
import { chunkIndices, chunkOf } from './chunk.ts'
import { arrayDocument, arraysOf, groupDocument, MAX_CHUNK_CELLS } from './metadata.ts'
import { openStores, type StoreDeps } from './store.ts'

/** Chunks that all requests together compute at once; the others wait, as long as their time limits allow. */
const CONCURRENT_CHUNKS = 2
export const CHUNK_TYPE = 'application/vnd.hexcast.zarr-chunk'

const text = (description: string) => z.string().max(100).meta({ description })
const params = {
  dataset: text('A dataset of model runs of /v1/catalog, such as nbm'),
  domain: text('A domain of the dataset, such as conus'),
  run: text(
    'The name of a run as in the redirect of /zarr/{dataset}/{domain}; or its reference time, which is redirected',
  ),
  array: text('An array of the group, such as temperature'),
  chunk: text('The key of a chunk, such as c.0.12'),
}
const PLACE = '/zarr/:dataset/:domain'
const RUN = `${PLACE}/:run`

/**
 * Returns the routes of a read-only Zarr store (version 3) for each stored run: arrays by time and H3 cell, whose chunks are computed from
 * the tiles of the run.
 */
export function zarrRoutes(deps: StoreDeps): Route[] {
  const stores = openStores(deps)
  const computing = new PQueue({ concurrency: CONCURRENT_CHUNKS })
  const simulated = () => deps.current.simulated()
  const placeIn = ({ params, query }: RouteRequest) => {
    noParameters(query)
    return stores.placeOf(params['dataset'] ?? '', params['domain'] ?? '')
  }
  const openIn = (request: RouteRequest) => stores.open(placeIn(request), request.params['run'] ?? '')
  // Nothing changes under the name of a run.
  const headed = () => ({
    headers: { 'Cache-Control': 'max-age=86400, immutable', ...warningsHeader(simulatedWarnings(simulated())) },
  })
  const json = (body: object): Answer => ({ ...headed(), body })
  const group = async (request: RouteRequest) => json(groupDocument(await openIn(request), simulated()))
  const redirect = async (request: RouteRequest, run?: string): Promise<Answer> => {
    const place = placeIn(request)
    const name = await stores.nameOf(place, run)
    const Location = `/zarr/${place.dataset.id}/${place.domain.id}/${name}`
    return { status: 302, headers: { Location, 'Cache-Control': 'no-cache' } }
  }
  const arrayIn = async (request: RouteRequest) => {
    const store = await openIn(request).catch(refuseAbsentRun)
    const { array: name = '' } = request.params
    const array = arraysOf(store).get(name)
    if (array) return { store, name, array }
    throw new Problem('not-found', `The run has no array ${displayed(name.slice(0, 60))}. See its zarr.json.`)
  }
  const chunk = async (request: RouteRequest): Promise<Answer> => {
    const { store, name, array } = await arrayIn(request)
    const { chunk: key = '' } = request.params
    const indices = chunkIndices(array, key)
    if (!indices)
      throw new Problem('not-found', `${name} has no chunk ${displayed(key.slice(0, 60))}. See its zarr.json.`)
    const { signal } = request.cancellation
    const body = await computing
      .add(() => chunkOf(store, name, array, indices, signal), { signal })
      .catch(refuseAbsentRun)
    return { ...headed(), body, type: CHUNK_TYPE }
  }
  return [
    route(PLACE, (request) => redirect(request), {
      summary: 'Redirects to the Zarr group of the served run',
      description: 'The address of a run stays valid until the run is removed, so that a reader never mixes two runs.',
      answer: { 302: z.null() },
    }),
    route(
      RUN,
      (request) => {
        const { run = '' } = request.params
        return run.includes('.') ? group(request) : redirect(request, run)
      },
      {
        summary: 'The Zarr group of a run; a reference time such as 2026-08-20T12Z redirects to it',
        description: 'The same document as its zarr.json, for readers that open the address of the group.',
        answer: documentShape,
      },
    ),
    route(`${RUN}/zarr.json`, group, {
      summary: 'The metadata of a run and all its arrays (Zarr version 3, consolidated)',
      description: 'Units, names and coordinates follow the conventions for climate and forecast (CF).',
      answer: documentShape,
    }),
    route(`${RUN}/:array/zarr.json`, async (request) => json(arrayDocument((await arrayIn(request)).array)), {
      summary: 'The metadata of one array of a run',
      description: 'The same as in the consolidated metadata of the run.',
      answer: documentShape,
    }),
    route(`${RUN}/:array/:chunk`, chunk, {
      summary: 'A chunk of an array',
      description: `Little-endian numbers: all values of at most ${MAX_CHUNK_CELLS} cells, NaN where a value is missing. 410 if the run is not stored. Not open to trial keys.`,
      answer: z.string().meta({ format: 'binary' }),
      type: CHUNK_TYPE,
    }),
  ]
}

const documentShape = z.looseObject({}).meta({
  description: 'Metadata in Zarr version 3',
  examples: [{ zarr_format: 3, node_type: 'group', attributes: { dataset: 'nbm', domain: 'conus' } }],
})

function route(path: string, handle: NonNullable<Route['handle']>, contract: Omit<Contract, 'tag'>): Route {
  const used = Object.entries(params).filter(([name]) => path.includes(`:${name}`))
  return {
    method: 'get',
    path,
    trial: false,
    handle,
    contract: { tag: 'standards', ...contract, params: Object.fromEntries(used) },
  }
}

/** Readers take a 404 for a missing chunk and fill it with NaN, so a run that is not stored is 410 here. */
function refuseAbsentRun(error: unknown): never {
  const isAbsent = error instanceof Problem ? error.status === 404 : isFault(error, 'Missing')
  if (!isAbsent) throw error
  const detail = error instanceof Problem ? error.message : 'This run has been removed meanwhile. Open the served run.'
  throw new Problem('not-found', detail, { status: 410, cause: error })
}
