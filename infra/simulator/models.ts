import { DAY, HOUR, MINUTE, stamp } from '../../ingest/domain/time.ts'
import { analysis } from './analysis.ts'
import { keyOf, type ModelFact, modelFact } from './facts.ts'
import { gfs } from './gfs.ts'
import { gribMessage, type Origin } from './grib.ts'
import { coarsen, grids, type SimulatedGrid } from './grids.ts'
import { hrrr } from './hrrr.ts'
import type { SimulatedMessage } from './message.ts'
import { nbm } from './nbm.ts'
import { nbmQmd } from './nbm-qmd.ts'
import { refsProducts } from './refs.ts'
import { rrfs } from './rrfs.ts'
import { type MirrorObject, nameTag, type SimulatedHost, type SimulatedListing } from './source.ts'

/** A kind of file in a bucket: the times of its runs, their leads and the keys of its files. */
interface FamilyDefinition {
  readonly bucket: string
  readonly grid: SimulatedGrid
  readonly origin: Omit<Origin, 'run'>
  /** Milliseconds between runs. */
  readonly cadence: number
  /** Milliseconds from the reference time of a run until its first file appears. */
  readonly first: number
  /** Milliseconds from the reference time of a run until its last file appears. */
  readonly last: number
  leads(run: number): readonly number[]
  key(run: number, lead: number): string
  messages(run: number, lead: number): readonly SimulatedMessage[]
  /**
   * Bytes for each point of a message in the padded file, nearly twice the maximum over seasons, leads and strides of
   * grid points.
   */
  readonly pointBytes: number
  /** Time for which upstream keeps a run, ms. */
  readonly retention: number
}

interface FileFamily extends FamilyDefinition {
  /** Returns the number of messages of a file. It depends on the hour of the run and on the lead. */
  count(run: number, lead: number): number
}

const hourOf = (run: number) => Math.floor(run / HOUR) % 24

const leadsByHour = new Map<number, readonly number[]>()

/** Returns the leads of a run, which agree with `listedNbmLeads`. */
export function nbmLeads(run: number): readonly number[] {
  const known = leadsByHour.get(hourOf(run))
  if (known) return known
  const leads: number[] = []
  for (let lead = 1; lead <= 264; lead++) {
    const clock = hourOf(run) + lead
    if (lead <= 36 || (lead <= 192 - (hourOf(run) % 6) && clock % 3 === 0) || clock % 6 === 0) leads.push(lead)
  }
  leadsByHour.set(hourOf(run), leads)
  return leads
}

const range = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step)

/**
 * Returns the size of a file, bytes. A local use section in the last message pads the file to this size, so that a
 * listing does not need to build the file.
 */
function sizeOf(family: FileFamily, run: number, lead: number): number {
  const points = family.grid.nx * family.grid.ny
  return family.count(run, lead) * (700 + Math.ceil(points * family.pointBytes))
}

interface SimulatedFile {
  readonly bytes: Uint8Array
  readonly index: string
}

function buildFile(family: FileFamily, run: number, lead: number): SimulatedFile {
  const list = family.messages(run, lead)
  const scene = { grid: family.grid, run, leadHours: lead }
  const origin = { ...family.origin, run }
  const out = new Uint8Array(sizeOf(family, run, lead))
  const lines: string[] = []
  let at = 0
  for (const [i, message] of list.entries()) {
    const isLast = i === list.length - 1
    const values = message.values(scene)
    let bytes = gribMessage(origin, family.grid, message.product, message.packing, values)
    if (isLast) {
      const room = out.length - at - bytes.length
      if (room < 5)
        throw new Error(
          `simulated file of ${family.bucket} needs ${at + bytes.length} bytes, but its size is ${out.length}: raise its pointBytes`,
        )
      bytes = gribMessage(origin, family.grid, message.product, message.packing, values, room - 5)
    }
    lines.push(`${i + 1}:${at}:d=${day(run)}${hh(run)}:${message.line}\n`)
    out.set(bytes, at)
    at += bytes.length
  }
  return { bytes: out, index: lines.join('') }
}

const day = (run: number) => stamp(run).day
const hh = (run: number) => stamp(run).hour
const ncep = (subcentre: number, process: number) => ({ centre: 7, subcentre, process })

/** Returns a grid with fewer points. Small and coarse grids are reduced less. */
function reduce(grid: SimulatedGrid, coarse: number): SimulatedGrid {
  if (grid.nx < 700) return coarsen(grid, Math.max(1, Math.floor(coarse / 2)))
  if (grid.nx === 1440) return coarsen(grid, Math.max(1, Math.floor(coarse / 4)))
  return coarsen(grid, coarse)
}

type FactMember = 'bucket' | 'first' | 'last' | 'key'

/** Returns the members of a family that the table of facts provides. */
function fromFact(dataset: string, domain: ModelFact['domain']): Pick<FamilyDefinition, FactMember> {
  const fact = modelFact(dataset, domain)
  return {
    bucket: fact.bucket,
    first: fact.firstMinutes * MINUTE,
    last: fact.lastMinutes * MINUTE,
    key: (run, lead) => keyOf(fact, run, lead),
  }
}

const nbmFamily = (domain: ModelFact['domain'], grid: SimulatedGrid): FamilyDefinition => ({
  ...fromFact('nbm', domain),
  grid,
  origin: ncep(14, 104),
  cadence: HOUR,
  retention: 2 * DAY,
  leads: nbmLeads,
  messages: nbm,
  pointBytes: 1,
})

const qmdFamily = (domain: ModelFact['domain'], grid: SimulatedGrid): FamilyDefinition => ({
  ...nbmFamily(domain, grid),
  ...fromFact('nbm-qmd', domain),
  cadence: 6 * HOUR,
  leads: () => range(6, 240, 6),
  messages: nbmQmd,
  pointBytes: 1.4,
})

const hrrrFamily = (domain: ModelFact['domain'], grid: SimulatedGrid, cadence: number): FamilyDefinition => ({
  ...fromFact('hrrr', domain),
  grid,
  origin: ncep(0, 83),
  cadence,
  retention: 2 * DAY,
  leads: (run) => range(0, hourOf(run) % 6 === 0 ? 48 : 18),
  messages: hrrr,
  pointBytes: 1.3,
})

const rrfsFamily = (domain: ModelFact['domain'], grid: SimulatedGrid): FamilyDefinition => ({
  ...fromFact('rrfs', domain),
  grid,
  origin: ncep(0, 134),
  cadence: 3 * HOUR,
  retention: 2 * DAY,
  leads: (run) => range(0, hourOf(run) % 6 === 0 ? 84 : 18),
  messages: rrfs,
  pointBytes: 1.3,
})

const analysisFamily = (
  dataset: string,
  domain: ModelFact['domain'],
  grid: SimulatedGrid,
  cadence = HOUR,
): FamilyDefinition => ({
  ...fromFact(dataset, domain),
  grid,
  origin: ncep(0, 109),
  cadence,
  retention: 2 * DAY,
  leads: () => [0],
  messages: () => analysis(),
  pointBytes: 2.2,
})

function families(coarse: number): readonly FamilyDefinition[] {
  const grid = (fullGrid: SimulatedGrid) => reduce(fullGrid, coarse)
  return [
    nbmFamily('conus', grid(grids.nbmConus)),
    nbmFamily('alaska', grid(grids.nbmAlaska)),
    nbmFamily('hawaii', grid(grids.nbmHawaii)),
    qmdFamily('conus', grid(grids.nbmConus)),
    qmdFamily('alaska', grid(grids.nbmAlaska)),
    qmdFamily('hawaii', grid(grids.nbmHawaii)),
    hrrrFamily('conus', grid(grids.hrrrConus), HOUR),
    hrrrFamily('alaska', grid(grids.hrrrAlaska), 3 * HOUR),
    analysisFamily('rtma', 'conus', grid(grids.rtmaConus)),
    analysisFamily('rtma-ru', 'conus', grid(grids.rtmaConus), 15 * MINUTE),
    analysisFamily('rtma', 'alaska', grid(grids.rtmaAlaska)),
    analysisFamily('rtma', 'hawaii', grid(grids.rtmaHawaii)),
    analysisFamily('urma', 'conus', grid(grids.rtmaConus)),
    analysisFamily('urma', 'alaska', grid(grids.rtmaAlaska)),
    analysisFamily('urma', 'hawaii', grid(grids.rtmaHawaii)),
    {
      ...fromFact('gfs', 'conus'),
      grid: grid(grids.gfs),
      origin: ncep(0, 96),
      cadence: 6 * HOUR,
      retention: 3 * DAY,
      leads: () => [...range(0, 120), ...range(123, 384, 3)],
      messages: gfs,
      pointBytes: 0.5,
    },
  ]
}

/** RRFS and REFS, which are simulated only on request: a cycle of both has 975 files. */
function rrfsFamilies(coarse: number): readonly FamilyDefinition[] {
  const areas = [
    ['conus', reduce(grids.hrrrConus, coarse)],
    ['alaska', reduce(grids.rrfsAlaska, coarse)],
    ['hawaii', reduce(grids.rrfsHawaii, coarse)],
  ] as const
  return areas.flatMap(([domain, grid]) => [
    rrfsFamily(domain, grid),
    ...refsProducts.map(
      ({ dataset, messages }): FamilyDefinition => ({
        ...fromFact(dataset, domain),
        grid,
        origin: ncep(0, 136),
        cadence: 6 * HOUR,
        retention: 2 * DAY,
        leads: () => range(1, 60),
        messages: messages(domain),
        pointBytes: 1.6,
      }),
    ),
  ])
}

/**
 * Maximum size of the cache of files, bytes. It holds the files that are being read: a reader requests the index of a
 * file and then its ranges.
 */
const CACHE_BYTES = 12e6

/** Builds files when they are first read, and caches them. */
class FileCache {
  readonly #files = new Map<string, SimulatedFile>()
  #bytes = 0

  get(family: FileFamily, key: string, run: number, lead: number): SimulatedFile {
    const cached = this.#files.get(key)
    if (cached) return cached
    const file = buildFile(family, run, lead)
    this.#files.set(key, file)
    this.#bytes += file.bytes.length
    for (const [oldKey, { bytes }] of this.#files) {
      if (this.#bytes < CACHE_BYTES || oldKey === key) break
      this.#files.delete(oldKey)
      this.#bytes -= bytes.length
    }
    return file
  }
}

interface AvailableFile {
  readonly family: FileFamily
  readonly run: number
  readonly lead: number
  readonly key: string
  /** Time at which the file appeared. */
  readonly since: number
}

/** Yields the files of a family that exist at `now` and whose key, or the key of their index, begins with `prefix`. */
function* availableFiles(family: FileFamily, now: number, prefix: string): Generator<AvailableFile> {
  const [, date] = /\.(\d{8})/.exec(prefix) ?? []
  const from = date ? Date.UTC(+date.slice(0, 4), +date.slice(4, 6) - 1, +date.slice(6, 8)) : undefined
  const oldest = Math.max(now - family.retention, from ?? 0)
  const newest = Math.min(now, from === undefined ? now : from + DAY - 1)
  for (let run = Math.ceil(oldest / family.cadence) * family.cadence; run <= newest; run += family.cadence) {
    const leads = family.leads(run)
    // The keys of a run have the same folder: skip the run if the folder does not match.
    const firstKey = family.key(run, leads[0] ?? 0)
    const folder = firstKey.slice(0, firstKey.lastIndexOf('/') + 1)
    if (!folder.startsWith(prefix.slice(0, folder.length))) continue
    for (const [i, lead] of leads.entries()) {
      const key = family.key(run, lead)
      // The first leads appear first.
      const delay = Math.round(((family.last - family.first) * i) / Math.max(1, leads.length - 1))
      const since = run + family.first + delay
      if (since <= now && (key.startsWith(prefix) || `${key}.idx`.startsWith(prefix)))
        yield { family, run, lead, key, since }
    }
  }
}

export interface ModelOptions {
  /** Maximum number of messages in a file, for tests of runs that do not need all values. */
  readonly maxMessages?: number
  /** Whether the bucket of RRFS and REFS has files; otherwise it is empty. */
  readonly withRrfs?: boolean
}

/** Returns the buckets of NBM, HRRR, RTMA, URMA, GFS, RRFS and REFS. Each file is built when it is first read. */
export function modelSources(coarse: number, options: ModelOptions = {}): readonly SimulatedHost[] {
  const { maxMessages = Number.POSITIVE_INFINITY, withRrfs = false } = options
  const allFamilies = [...families(coarse), ...(withRrfs ? rrfsFamilies(coarse) : [])].map((family): FileFamily => {
    const messages = (run: number, lead: number) => family.messages(run, lead).slice(0, maxMessages)
    const counts = new Map<string, number>()
    const count = (run: number, lead: number) => {
      const key = `${hourOf(run)}+${lead}`
      let number = counts.get(key)
      if (number === undefined) counts.set(key, (number = messages(run, lead).length))
      return number
    }
    return { ...family, messages, count }
  })
  const cache = new FileCache()
  const byBucket = Map.groupBy(allFamilies, ({ bucket }) => bucket)
  const { bucket: rrfsBucket } = modelFact('rrfs', 'conus')
  if (!withRrfs) byBucket.set(rrfsBucket, [])
  return Array.from(byBucket, ([bucket, bucketFamilies]) => bucketSource(bucket, bucketFamilies, coarse, cache))
}

function bucketSource(
  bucket: string,
  bucketFamilies: readonly FileFamily[],
  coarse: number,
  cache: FileCache,
): SimulatedHost {
  const etagOf = (key: string) => nameTag(`${key}/${coarse}`)
  return {
    host: `${bucket}.s3.amazonaws.com`,
    list(prefix, now) {
      const listed: SimulatedListing[] = []
      for (const file of bucketFamilies.flatMap((family) => [...availableFiles(family, now, prefix)])) {
        const { family, run, lead, key, since } = file
        if (key.startsWith(prefix))
          listed.push({ key, size: sizeOf(family, run, lead), etag: etagOf(key), lastModified: since })
        const indexKey = `${key}.idx`
        const indexSize = 60 * family.count(run, lead)
        listed.push({ key: indexKey, size: indexSize, etag: etagOf(indexKey), lastModified: since })
      }
      return listed.sort((a, b) => (a.key < b.key ? -1 : 1))
    },
    find(path, _query, now): MirrorObject | undefined {
      const key = decodeURIComponent(path.slice(1))
      const dataKey = key.replace(/\.idx$/, '')
      const isIndex = key !== dataKey
      for (const family of bucketFamilies) {
        for (const file of availableFiles(family, now, dataKey)) {
          if (file.key !== dataKey) continue
          return {
            etag: etagOf(key),
            lastModified: file.since,
            type: isIndex ? 'text/plain' : 'application/octet-stream',
            size: isIndex ? undefined : sizeOf(family, file.run, file.lead),
            body: () => {
              const { bytes, index } = cache.get(family, dataKey, file.run, file.lead)
              return isIndex ? Buffer.from(index) : bytes
            },
          }
        }
      }
      return undefined
    },
  }
}
