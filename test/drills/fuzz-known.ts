import { entryOf } from '../../ingest/domain/nth.ts'
import type { Sent } from './fuzz-calls.ts'

/** A path without parameters, and the API key that owns the resource at the path. */
interface Place {
  readonly path: string
  readonly key?: string
}

type JsonObject = Readonly<Record<string, unknown>>
/** Largest number of remembered paths for a template. */
const MAX_PATHS = 200
/** Webhooks and keys that calls created. */
const MAX_CREATED = 60
const SITES = ['FTG', 'TLX', 'SGF']
const ZARR_DATASETS = ['nbm', 'hrrr', 'rtma']

/** Paths of existing resources: those in the server's own lists and those that calls created. */
export class Known {
  readonly #base: string
  readonly #key: string
  /** Datasets and domains with stored runs. */
  collections = 0
  #paths = new Map<string, string[]>()
  readonly #created = new Map<string, Place[]>()

  constructor(base: string, key: string) {
    this.#base = base
    this.#key = key
  }

  place(template: string, random: () => number): Place | undefined {
    const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
    for (const [prefix, created] of this.#created)
      if (template.startsWith(`${prefix}/`)) {
        const resource = pick(created)
        return resource && { ...resource, path: resource.path + template.slice(template.indexOf('}') + 1) }
      }
    const path = pick(this.#paths.get(template) ?? [])
    return path === undefined ? undefined : { path }
  }

  /** Remembers the resource that a call created. */
  learn(call: Sent, text: string): void {
    const name = { 'post /v1/webhooks': 'id', 'post /developer/keys': 'prefix' }[call.operationName]
    if (name === undefined) return
    const id = (JSON.parse(text) as JsonObject)[name]
    const parent = call.operationName.slice('post '.length)
    const created = this.#created.get(parent) ?? []
    this.#created.set(parent, created)
    created.push({ path: `${parent}/${id}`, key: entryOf(call.headers, 'authorization').slice('Bearer '.length) })
    if (created.length > MAX_CREATED) created.shift()
  }

  /** Returns the templates with parameters for which no path is known. */
  missing(templates: readonly string[]): string[] {
    const own = (template: string) => /^\/(v1\/webhooks|developer\/keys)\//.test(template)
    return templates.filter((resource) => resource.includes('{') && !own(resource) && !this.#paths.has(resource))
  }

  /** Reads the server's lists again. @throws Error if a list is not JSON */
  async look(): Promise<void> {
    const paths = new Map<string, string[]>()
    const add = (template: string, path: string) => {
      const list = paths.get(template) ?? []
      paths.set(template, list)
      if (list.length < MAX_PATHS) list.push(path)
    }
    await this.#lookAtRadar(add)
    await this.#lookAtCollections(add)
    await this.#lookAtRuns(add)
    await this.#lookAtZarr(add)
    for (const { product_id: id } of (await this.#list('/v1/catalog', 'products')) as { product_id: string }[])
      add('/v1/catalog/{product_id}', `/v1/catalog/${id}`)
    this.#paths = paths
  }

  async #list(path: string, member: string): Promise<readonly JsonObject[]> {
    const response = await fetch(this.#base + path, { headers: { authorization: `Bearer ${this.#key}` } })
    return (((await response.json()) as JsonObject)[member] ?? []) as readonly JsonObject[]
  }

  async #lookAtRadar(add: (template: string, path: string) => void): Promise<void> {
    for (const product of ['mrms-reflectivity', 'mrms-precip-rate']) {
      const radar = `/v1/radar/${product}`
      const times = (await this.#list(radar, 'times')) as unknown as string[]
      if (times.length === 0) continue
      add('/v1/radar/{product}', radar)
      add('/v1/radar/{product}.png', `${radar}.png`)
      add('/v1/radar/{product}/legend.png', `${radar}/legend.png`)
      for (const time of ['latest', ...times]) {
        add('/v1/radar/{product}/{time}/tiles.json', `${radar}/${time}/tiles.json`)
        for (const tile of ['5/6/12', '7/26/48', '9/106/194'])
          add('/v1/radar/{product}/{time}/{z}/{x}/{y}.png', `${radar}/${time}/${tile}.png`)
      }
    }
    for (const site of SITES) {
      const path = `/v1/radar/site/${site}/N0B`
      if ((await this.#list(path, 'legend')).length === 0) continue
      add('/v1/radar/site/{id}/{product}', path)
      add('/v1/radar/site/{id}/{product}.png', `${path}.png`)
    }
  }

  async #lookAtCollections(add: (template: string, path: string) => void): Promise<void> {
    const collections = (await this.#list('/edr/collections', 'collections')) as {
      id: string
      data_queries?: JsonObject
    }[]
    for (const { id, data_queries: queries = {} } of collections) {
      const path = `/edr/collections/${id}`
      const template = '/edr/collections/{collection_id}'
      add(template, path)
      const locations = queries['locations'] ? await this.#list(`${path}/locations?limit=3`, 'features') : []
      const runs = queries['instances'] ? await this.#list(`${path}/instances`, 'instances') : []
      const at = (from: string, to: string) => {
        for (const query of ['position', 'radius', 'area', 'cube', 'locations'])
          if (queries[query]) add(`${from}/${query}`, `${to}/${query}`)
        for (const resource of locations)
          add(`${from}/locations/{location_id}`, `${to}/locations/${encodeURIComponent(String(resource['id']))}`)
      }
      at(template, path)
      if (queries['instances']) add(`${template}/instances`, `${path}/instances`)
      for (const run of runs.slice(0, 3)) {
        const instance = `${path}/instances/${run['id']}`
        add(`${template}/instances/{instance_id}`, instance)
        at(`${template}/instances/{instance_id}`, instance)
      }
      if (!queries['items']) continue
      add(`${template}/items`, `${path}/items`)
      for (const feature of await this.#list(`${path}/items?limit=5`, 'features'))
        add(`${template}/items/{feature_id}`, `${path}/items/${encodeURIComponent(String(feature['id']))}`)
    }
  }

  async #lookAtRuns(add: (template: string, path: string) => void): Promise<void> {
    const collections = (await this.#list('/stac/collections', 'collections')) as { id: string }[]
    this.collections = collections.length
    for (const { id } of collections) {
      const collection = `/stac/collections/${id}`
      const template = '/stac/collections/{collection_id}'
      add(template, collection)
      add(`${template}/items`, `${collection}/items`)
      const items = await this.#list(`${collection}/items?limit=2`, 'features')
      for (const item of items as { id: string; assets: JsonObject }[]) {
        const path = `${collection}/items/${item.id}`
        add(`${template}/items/{item_id}`, path)
        for (const name of Object.keys(item.assets).slice(0, 4))
          add(`${template}/items/{item_id}/assets/{asset_name}`, `${path}/assets/${name}`)
      }
    }
  }

  async #lookAtZarr(add: (template: string, path: string) => void): Promise<void> {
    const template = '/zarr/{dataset}/{domain}'
    for (const dataset of ZARR_DATASETS) {
      const place = `/zarr/${dataset}/conus`
      const response = await fetch(this.#base + place, { headers: { authorization: `Bearer ${this.#key}` } })
      const run = new URL(response.url).pathname
      const group = (await response.json()) as { consolidated_metadata?: { metadata: JsonObject } }
      if (!group.consolidated_metadata) continue
      add(template, place)
      add(`${template}/{run}`, run)
      add(`${template}/{run}/zarr.json`, `${run}/zarr.json`)
      for (const name of Object.keys(group.consolidated_metadata.metadata).slice(0, 8)) {
        add(`${template}/{run}/{array}/zarr.json`, `${run}/${name}/zarr.json`)
        const isCoordinate = ['cell', 'latitude', 'longitude', 'time'].includes(name)
        add(`${template}/{run}/{array}/{chunk}`, `${run}/${name}/${isCoordinate ? 'c.0' : 'c.0.0'}`)
      }
    }
  }
}
