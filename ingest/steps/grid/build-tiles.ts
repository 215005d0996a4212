import { createHash } from 'node:crypto'
import PQueue from 'p-queue'
import { discard } from '../../domain/discard.ts'
import type { DomainId } from '../../domain/domain.ts'
import { Fault } from '../../domain/fault.ts'
import { nth } from '../../domain/nth.ts'
import { type Instant, runName } from '../../domain/time.ts'
import type { Objects } from '../../ports/objects.ts'
import type { Cover } from '../../tile/cover.ts'
import { ENCODER_VERSION, manifestName, sourcesName, stagePrefix, tileName } from '../../tile/key.ts'
import { type Manifest, type ManifestTile, sealText } from '../../tile/manifest.ts'
import type { SourceTable } from '../../tile/read.ts'
import { checkParts, headLength, readSlabHead, type SlabHead } from '../../tile/slab.ts'
import { fieldKey, planTiles, type ShardTask, type Tile, type TilePlan } from '../../tile/write.ts'
import type { Pool, ShardBuildTask } from '../pool-tasks.ts'

export interface BuildRequest {
  readonly dataset: string
  readonly domain: DomainId
  readonly run: Instant
  /** Name of the stage, which is part of the keys: `h051`, `h264`, `f18`. */
  readonly stage: string
  /** Number of the republication of the run; 0 if absent. */
  readonly revision?: number
  /** Version of the code; `ENCODER_VERSION` if absent. */
  readonly encoder?: number
  /**
   * Keys of the packed slabs (`sampleFile`), one for each upstream file. If two slabs have the same variable and time,
   * the later slab is used.
   */
  readonly slabs: readonly string[]
  /** Fields to leave out because they are implausible beside the others. */
  readonly except?: readonly { readonly variable: string; readonly time: Instant }[]
  /** Whether the slabs are of several runs or datasets with the same cells. */
  readonly mixed?: boolean
  /** Maximum number of values in an object. The default of 24 million gives some 7 MB, and several hundred objects for the largest run. */
  readonly objectValues?: number
}

export interface BuiltStage {
  readonly manifestKey: string
  readonly objects: number
  readonly bytes: number
  readonly values: number
  readonly tiles: readonly ManifestTile[]
}

/** Version of the manifest and its blocks. */
const TILE_FORMAT = 2
const shardValues = 24_000_000
/** Maximum number of blocks of an object, so that its directory stays below 100 KB. */
const shardBlocks = 8192
const firstRead = 65_536

/**
 * Builds the tiles of a stage from slabs, and writes the manifest last. The keys are a function of the content of the slabs, the encoder and
 * the revision, and are written only if they are absent. A repeated call finds its objects there.
 * @param slabs the store with the packed slabs @param objects the store for the tiles
 * @throws Fault Corrupt with the names of broken slabs
 */
export async function buildTiles(
  pool: Pool,
  slabs: Pick<Objects, 'range'>,
  objects: Pick<Objects, 'put'>,
  request: BuildRequest,
): Promise<BuiltStage> {
  const { dataset, domain, run, stage, revision = 0, encoder = ENCODER_VERSION } = request
  const heads = await Promise.all(request.slabs.map((key) => headOf(slabs, key, request)))
  const { coverId } = nth(heads, 0)
  const odd = heads.findIndex((head) => head.coverId !== coverId)
  if (odd >= 0) {
    throw new Fault(
      'Invalid',
      `weave ${dataset}/${domain}: all slabs must have the cells ${coverId}, but ${request.slabs[odd]} has ${nth(heads, odd).coverId}. Put fields of other grids into a separate dataset.`,
    )
  }
  const cover = nth(heads, 0).cover()
  const except = (request.except ?? []).map(({ variable, time }) => fieldKey(variable, time))
  const plan = planTiles(heads, new Set(except))
  const inputs = createHash('sha256')
    .update(JSON.stringify([TILE_FORMAT, encoder, coverId, request.slabs, heads.map(({ check }) => check), ...except]))
    .digest('hex')
    .slice(0, 8)
  const prefix = stagePrefix({ dataset, domain, run, stage, revision }, inputs)
  const shards = cutShards(cover, plan, request.objectValues ?? shardValues)
  const tiles: ManifestTile[] = []
  let bytes = 0
  const build = async (shardPlan: (typeof shards)[number], s: number) => {
    const name = `${dataset}/${domain}/${runName(run)}/${stage}/${s}`
    const shard = await readShard(slabs, request.slabs, heads, cover, plan, shardPlan, name)
    const task: ShardBuildTask = { kind: 'weave', shard }
    const tile = await pool.run<Tile>(
      task,
      shard.files.map((file) => file.bytes.buffer as ArrayBuffer),
    )
    await objects.put(`${prefix}/${tileName(s)}`, tile.bytes, { ifAbsent: true })
    const { first, directory, check } = tile
    tiles[s] = { first, directory, size: tile.bytes.length, check }
    bytes += tile.bytes.length
    discard(tile.bytes)
  }
  // There is one shard more than threads, so that its slabs are read while the others are built.
  const built = new PQueue({ concurrency: pool.size + 1 }).addAll(shards.map((shard, s) => () => build(shard, s)))
  const table = sealText('HXS1', sourcesOf(heads, plan, request.mixed))
  const sources = objects.put(`${prefix}/${sourcesName}`, table, { ifAbsent: true })
  await Promise.all([built, sources])
  const manifestKey = `${prefix}/${manifestName}`
  const manifest = sealText('HXM1', manifestOf({ ...request, revision, encoder }, cover, plan, tiles))
  await objects.put(manifestKey, manifest, { ifAbsent: true })
  return { manifestKey, objects: shards.length + 2, bytes, values: cover.ids.length * plan.valuesPerCell, tiles }
}

async function headOf(slabs: Pick<Objects, 'range'>, key: string, request: BuildRequest): Promise<SlabHead> {
  let bytes = await slabs.range(key, 0, firstRead)
  const length = headLength(key, bytes)
  if (length > bytes.length) {
    bytes = Buffer.concat([bytes, await slabs.range(key, bytes.length, length - bytes.length)])
  }
  const head = readSlabHead(key, bytes)
  const [expected, actual] = [request, head].map(({ dataset, domain, run }) => `${dataset}/${domain}/${runName(run)}`)
  if (expected !== actual && !request.mixed)
    throw new Fault('Corrupt', `slabs ${key}: must be of ${expected}, but are of ${actual}`, { object: key })
  return head
}

interface Shard {
  /** Returns the parts of the cover in a half-open range. */
  readonly from: number
  readonly to: number
}

function cutShards(cover: Cover, plan: TilePlan, values: number): Shard[] {
  const cells = Math.min(values / plan.valuesPerCell, shardBlocks * 7 ** plan.level * 0.6)
  const parts = cover.partCells.length - 1
  const shards: Shard[] = []
  for (let from = 0; from < parts; ) {
    let to = from + 1
    while (to < parts && cover.partCells[to + 1]! - cover.partCells[from]! <= cells) to++
    shards.push({ from, to })
    from = to
  }
  return shards
}

async function readShard(
  slabs: Pick<Objects, 'range'>,
  keys: readonly string[],
  heads: readonly SlabHead[],
  cover: Cover,
  plan: TilePlan,
  { from, to }: Shard,
  name: string,
): Promise<ShardTask> {
  const files = await Promise.all(
    heads.map(async (head, f) => {
      const begin = head.offsets[from]!
      const length = head.offsets[to]! - begin
      const read = await slabs.range(nth(keys, f), head.length + begin, length)
      checkParts(nth(keys, f), head, from, to, read)
      // The buffer is transferred to another thread, so it must not be part of Node's pool (whose slice() shares
      // memory).
      const bytes = read.buffer.byteLength === read.length && read.length > 65_536 ? read : new Uint8Array(read)
      const offsets = head.offsets.slice(from, to + 1).map((offset) => offset - begin)
      return { bytes: bytes.byteLength === 0 ? new Uint8Array(1) : bytes, offsets, slabs: head.items.length }
    }),
  )
  const [firstCell, lastCell] = [cover.partCells[from]!, cover.partCells[to]!]
  const [firstGroup, lastGroup] = [cover.partGroups[from]!, cover.partGroups[to]!]
  return {
    name,
    plan,
    ids: cover.ids.slice(firstCell, lastCell),
    groups: cover.groups.slice(firstGroup, lastGroup),
    partGroups: cover.partGroups.slice(from, to + 1).map((group) => group - firstGroup),
    files,
  }
}

function manifestOf(request: BuildRequest, cover: Cover, plan: TilePlan, tiles: readonly ManifestTile[]): Manifest {
  const { dataset, domain, run, stage, revision, encoder } = request
  const axes: number[][] = []
  const numbers = new Map<string, number>()
  const variables = plan.variables.map(({ name, times, quantum, offset }) => {
    const seconds = times.map((time) => (time - run) / 1000)
    const key = seconds.join()
    let axis = numbers.get(key)
    if (axis === undefined) {
      numbers.set(key, (axis = axes.length))
      axes.push(seconds)
    }
    return { name, axis, quantum, offset }
  })
  const { resolution, level, seek } = plan
  return {
    format: TILE_FORMAT,
    dataset,
    domain,
    run,
    stage,
    revision,
    encoder,
    resolution,
    cells: cover.ids.length,
    level,
    seek,
    axes,
    variables,
    tiles,
  }
}

function sourcesOf(heads: readonly SlabHead[], plan: TilePlan, mixed = false): SourceTable {
  const urls = new Map<string, number>()
  const runs: [dataset: string, run: number][] = []
  const variables: Record<string, SourceTable['variables'][string]> = {}
  for (const { name, times, files, items } of plan.variables) {
    variables[name] = times.map((_, t) => {
      const { dataset, run, items: stored } = nth(heads, files[t]!)
      const { source } = nth(stored, items[t]!)
      if (!source) return null
      let url = urls.get(source.url)
      if (url === undefined) {
        urls.set(source.url, (url = urls.size))
        runs.push([dataset, run / 1000])
      }
      const { from, length, number = '', sha256, v } = source
      const second = v ? ([v.from, v.length, v.number ?? '', v.sha256] as const) : null
      return [url, from, length, number, second, sha256]
    })
  }
  return { urls: [...urls.keys()], ...(mixed && { runs }), variables }
}
