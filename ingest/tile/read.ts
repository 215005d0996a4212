import { crc32 } from 'node:zlib'
import { idOfCell } from '../domain/cell.ts'
import type { DomainId } from '../domain/domain.ts'
import { Fault, isFault } from '../domain/fault.ts'
import { nth } from '../domain/nth.ts'
import type { RangeRead } from '../domain/range.ts'
import { type Instant, runName } from '../domain/time.ts'
import { createTileCache, type TileCache } from './cache.ts'
import { pointDecoder } from './decode.ts'
import { type Directory, readDirectory } from './directory.ts'
import { manifestName, runPrefix, sourcesName, stagePrefix, tileName } from './key.ts'
import { type Manifest, openText } from './manifest.ts'
import type { MessageSource } from './slab.ts'

/** The operation of the object store that the reader uses. */
export interface TileObjects {
  get(key: string): Promise<Uint8Array>
  readonly range: RangeRead
}

export interface VariableAxis {
  /** Valid times, ascending: the end of the interval for variables that have a window. */
  readonly times: Float64Array
  /** Quantum of the stored values, in the variable's unit. */
  readonly quantum: number
}

export interface Series extends VariableAxis {
  /** One value for each time; NaN if missing. */
  readonly values: Float32Array
}

/** Variables by name. Views of their values are created on demand: an answer reads about half of a run's variables. */
export interface CellVariables extends Pick<ReadonlyMap<string, Series>, 'get' | 'keys'> {
  /** All values in one array with the offset of each variable, if they are stored in this form. */
  readonly packed?: { readonly values: Float32Array; readonly rows: ReadonlyMap<string, TileRow> }
}

/** All variables and valid times of a run at a cell. */
export interface PointSeries {
  readonly dataset: string
  readonly domain: DomainId
  readonly run: Instant
  readonly variables: CellVariables
}

/** The upstream source of a value. */
export interface ValueSource extends MessageSource {
  /** Only in tiles that combine several datasets: the dataset of the value, and its reference time. */
  readonly of?: { readonly dataset: string; readonly run: Instant }
}

export interface OpenRun {
  readonly manifestKey: string
  readonly dataset: string
  readonly domain: DomainId
  readonly run: Instant
  /** Name of the stage, such as `h051`; a run's last stage contains everything of the earlier stages. */
  readonly stage: string
  /** Number of the republication of the run, from 0. */
  readonly revision: number
  /** H3 resolution of the cells. */
  readonly resolution: number
  readonly cellCount: number
  readonly variables: ReadonlyMap<string, VariableAxis>
  readonly point: PointRead
  /**
   * Returns the upstream address of every field by variable, in the order of times; undefined if it was not recorded.
   */
  provenance(): Promise<ReadonlyMap<string, readonly (ValueSource | undefined)[]>>
}

/**
 * Returns the values at a cell (H3 index); undefined if the run's grid does not contain the cell. Without cached data
 * it costs at most 2 ranged reads and 256 KB; with cached data it reads nothing.
 * @throws Fault Corrupt that names dataset, run, object and block; Missing or Refused from the store
 */
export type PointRead = (cell: string) => Promise<PointSeries | undefined>

type StoredMessage = readonly [from: number, length: number, number?: string, sha256?: string]
type StoredSource = readonly [
  url: number,
  from: number,
  length: number,
  number?: string,
  v?: StoredMessage | null,
  sha256?: string,
]

/**
 * Stored form of `provenance`: the distinct addresses, then for each variable and time the index of an address and the
 * byte range in it.
 */
export interface SourceTable {
  readonly urls: readonly string[]
  /** Only in tiles that combine several datasets: dataset and reference time (seconds) of each of `urls`. */
  readonly runs?: readonly (readonly [dataset: string, run: number])[]
  readonly variables: Readonly<Record<string, readonly (StoredSource | null)[]>>
}

/** Cached blocks and directories of all runs, for readers without their own cache. */
const shared = createTileCache(40 * 1_048_576)

/**
 * Opens a published stage by reading an object of some 20 KB. Callers cache the result by its key.
 * @throws Fault Corrupt, Missing
 */
export async function openRun(objects: TileObjects, manifestKey: string, cache: TileCache = shared): Promise<OpenRun> {
  const manifest = openText<Manifest>('HXM1', manifestKey, await objects.get(manifestKey))
  checkManifest(manifestKey, manifest)
  const { dataset, domain, run, stage, revision = 0, resolution, level, tiles } = manifest
  const folder = manifestKey.slice(0, -manifestName.length)
  const axes = manifest.axes.map((seconds) => Float64Array.from(seconds, (second) => run + second * 1000))
  const variables = new Map(
    manifest.variables.map(({ name, axis, quantum }) => [name, { times: nth(axes, axis), quantum }] as const),
  )
  const rows = rowsOf(variables)
  const decode = pointDecoder({
    format: manifest.format,
    level,
    seek: manifest.seek,
    times: manifest.variables.map(({ axis }) => nth(axes, axis).length),
    quanta: manifest.variables.map(({ quantum }) => quantum),
    offsets: manifest.variables.map(({ offset }) => offset),
  })
  const runText = `${dataset}/${domain}/${runName(run)}/${stage}`
  const { directories, directoryOf, blockAtHand, loadBlock } = blockReader(objects, cache, manifestKey, tiles)

  /** Adds the run to a fault. */
  function named(error: unknown): never {
    if (!isFault(error, 'Corrupt')) throw error
    const details = { dataset, domain, run, stage, ...error.details }
    throw new Fault('Corrupt', `${runText}: ${error.message}`, details, error)
  }

  async function point(cell: string): Promise<PointSeries | undefined> {
    if (Number.parseInt(cell.slice(1, 2), 16) !== resolution) {
      throw new Fault('Invalid', `${runText}: the cell must have resolution ${resolution}, but is ${cell}`, { cell })
    }
    const id = idOfCell(cell)
    const parent = Math.floor(id / 8 ** level)
    const tile = tileOf(tiles, parent)
    if (tile < 0) return undefined
    try {
      const directory = directories[tile] ?? (await directoryOf(tile))
      const place = directory.find(parent)
      if (place < 0) return undefined
      // The bytes are decoded before the next await, because the next read may overwrite them.
      const bytes = blockAtHand(tile, directory, place, parent) ?? (await loadBlock(tile, directory, place, parent))
      const values = decoded(decode, bytes, id)
      return values && { dataset, domain, run, variables: cellVariables(rows, values) }
    } catch (error) {
      return named(error)
    }
  }

  return {
    manifestKey,
    dataset,
    domain,
    run,
    stage,
    revision,
    resolution,
    cellCount: manifest.cells,
    variables,
    point,
    async provenance() {
      const key = folder + sourcesName
      return provenanceOf(openText<SourceTable>('HXS1', key, await objects.get(key)), variables)
    },
  }
}

function checkManifest(manifestKey: string, { format, dataset, domain, run, stage, revision }: Manifest): void {
  if (format !== 1 && format !== 2) {
    const fault = `the format must be 1 or 2, but is ${format as number}`
    throw new Fault('Invalid', `object ${manifestKey}: ${fault}. Read it with a newer version.`)
  }
  // Manifests of earlier versions have no revision, and neither have their keys.
  const place =
    revision === undefined
      ? `${runPrefix(dataset, domain, run)}/${stage}-`
      : stagePrefix({ dataset, domain, run, stage, revision }, '')
  if (!manifestKey.startsWith(place)) {
    const fault = `the key does not match the content, which is the manifest of ${place}`
    throw new Fault('Corrupt', `object ${manifestKey}: ${fault}. Build the tiles again with hexcast weave.`, {
      object: manifestKey,
    })
  }
}

/** Reads directories and blocks of the tiles of one stage through the cache. */
function blockReader(objects: TileObjects, cache: TileCache, manifestKey: string, tiles: Manifest['tiles']) {
  const folder = manifestKey.slice(0, -manifestName.length)
  const keys = tiles.map((_, tile) => folder + tileName(tile))
  const directories: (Directory | undefined)[] = []
  const blocks = cache.blocks(manifestKey)

  async function directoryOf(tile: number): Promise<Directory> {
    const { directory: length, check, size } = nth(tiles, tile)
    const key = nth(keys, tile)
    // Directories are cached under negative numbers: parents are numbered from 0.
    const number = -1 - tile
    const cached = blocks.peek(number, check)
    const bytes = cached
      ? new Uint8Array(cached)
      : await blocks.load(number, check, async () => {
          const read = await objects.range(key, 0, length)
          readDirectory(key, read, check, size)
          return read
        })
    return (directories[tile] ??= readDirectory(key, bytes, check, size))
  }

  /** Returns the bytes of a block from memory or a local file, valid until the next block is read; undefined if they must be loaded. */
  function blockAtHand(tile: number, directory: Directory, place: number, parent: number): Uint8Array | undefined {
    const check = directory.check(place)
    const cached = blocks.peek(parent, check)
    if (cached || !objects.range.now) return cached
    const length = directory.offset(place + 1) - directory.offset(place)
    const into = blocks.reserve(length)
    const byteCount = objects.range.now(nth(keys, tile), directory.offset(place), into)
    if (byteCount === undefined) return undefined
    checked(nth(keys, tile), place, byteCount === length ? into : into.subarray(0, byteCount), length, check)
    blocks.keep(parent, check)
    return into
  }

  function loadBlock(tile: number, directory: Directory, place: number, parent: number): Promise<Uint8Array> {
    const check = directory.check(place)
    const key = nth(keys, tile)
    const from = directory.offset(place)
    const length = directory.offset(place + 1) - from
    return blocks.load(parent, check, async () =>
      checked(key, place, await objects.range(key, from, length), length, check),
    )
  }

  return { directories, directoryOf, blockAtHand, loadBlock }
}

function checked(key: string, block: number, bytes: Uint8Array, length: number, check: number): Uint8Array {
  const checksum = crc32(bytes)
  if (check === checksum && bytes.length === length) return bytes
  throw new Fault(
    'Corrupt',
    `tile ${key}, block ${block}: must have ${length} bytes with the checksum ${check.toString(16)}, but has ${bytes.length} with ${checksum.toString(16)}. Build the tiles again with hexcast weave.`,
    { object: key, block },
  )
}

function decoded(decode: ReturnType<typeof pointDecoder>, bytes: Uint8Array, id: number): Float32Array | undefined {
  try {
    return decode(bytes, id)
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw error
    const fault = 'a block whose checksum matches cannot be decoded'
    throw new Fault('Corrupt', `${fault}. Build the tiles again with hexcast weave.`, {}, error)
  }
}

function provenanceOf(
  sources: SourceTable,
  variables: ReadonlyMap<string, VariableAxis>,
): ReadonlyMap<string, readonly (ValueSource | undefined)[]> {
  return new Map(
    Array.from(variables, ([name, { times }]) => {
      const stored = sources.variables[name] ?? []
      const list = Array.from(times, (_, t) => {
        const source = stored[t]
        return source ? sourceFrom(sources, source) : undefined
      })
      return [name, list] as const
    }),
  )
}

function sourceFrom({ urls, runs }: SourceTable, [url, from, length, number, v, sha256]: StoredSource): ValueSource {
  const run = runs?.[url]
  const origin = run && { of: { dataset: run[0], run: run[1] * 1000 } }
  const message = { url: nth(urls, url), from, length, ...(number && { number }), ...(sha256 && { sha256 }), ...origin }
  if (!v) return message
  const [vFrom, vLength, vNumber, vSha256] = v
  const second = { from: vFrom, length: vLength, ...(vNumber && { number: vNumber }) }
  return { ...message, v: { ...second, ...(vSha256 && { sha256: vSha256 }) } }
}

export interface TileRow extends VariableAxis {
  /** Offset of the variable's values among those of the cell. */
  readonly from: number
}

function rowsOf(variables: ReadonlyMap<string, VariableAxis>): ReadonlyMap<string, TileRow> {
  const rows = new Map<string, TileRow>()
  let from = 0
  for (const [name, { times, quantum }] of variables) {
    rows.set(name, { times, quantum, from })
    from += times.length
  }
  return rows
}

function cellVariables(rows: ReadonlyMap<string, TileRow>, values: Float32Array): CellVariables {
  return {
    packed: { values, rows },
    get(name) {
      const row = rows.get(name)
      if (!row) return undefined
      const { times, quantum, from } = row
      return { times, quantum, values: values.subarray(from, from + times.length) }
    },
    keys: () => rows.keys(),
  }
}

/** Returns the tile whose range contains a parent; -1 before the first tile. */
function tileOf(tiles: Manifest['tiles'], parent: number): number {
  let low = 0
  let high = tiles.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    if (nth(tiles, middle).first <= parent) low = middle + 1
    else high = middle - 1
  }
  return high
}
