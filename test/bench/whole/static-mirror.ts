import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { feedSources } from '../../../infra/simulator/feeds.ts'
import { type Mirror, startMirror } from '../../../infra/simulator/mirror.ts'
import { modelSources } from '../../../infra/simulator/models.ts'
import { nameTag, type SimulatedHost } from '../../../infra/simulator/source.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { HOUR, stamp } from '../../../ingest/domain/time.ts'
import { restamped, restampedIndex, unpadded } from './restamp.ts'

/** The run for which the files are written; they are served for other runs with other times. */
const WRITTEN_RUN = Date.UTC(2026, 5, 16, 12)

/** A file of the mirror, and the file of the folder behind it. */
export interface MirroredFile {
  readonly bucket: string
  readonly lead: number
  readonly written: { readonly name: string; readonly lead: number }
  key(run: number): string
}

const two = (n: number) => String(n).padStart(2, '0')
const three = (n: number) => String(n).padStart(3, '0')

/** Leads of a first stage of NBM: hourly to 36, then every third hour of the clock. */
const nbmLeads = (run: number) =>
  Array.from({ length: 51 }, (_, i) => i + 1).filter(
    (lead) => lead <= 36 || (new Date(run).getUTCHours() + lead) % 3 === 0,
  )

const models = {
  nbm: {
    bucket: 'noaa-nbm-grib2-pds',
    leads: nbmLeads,
    small: [1, 2, 3, 4, 5, 6, 39, 42],
    key: (run: number, lead: number) =>
      `blend.${day(run)}/${hour(run)}/core/blend.t${hour(run)}z.core.f${three(lead)}.co.grib2`,
  },
  hrrr: {
    bucket: 'noaa-hrrr-bdp-pds',
    leads: () => Array.from({ length: 19 }, (_, lead) => lead),
    small: [0, 1, 2, 3, 4, 5],
    key: (run: number, lead: number) => `hrrr.${day(run)}/conus/hrrr.t${hour(run)}z.wrfsfcf${two(lead)}.grib2`,
  },
  rtma: {
    bucket: 'noaa-rtma-pds',
    leads: () => [0],
    small: [0],
    key: (run: number) => `rtma2p5.${day(run)}/rtma2p5.t${hour(run)}z.2dvaranl_ndfd.grb2_wexp`,
  },
} as const

function day(run: number): string {
  return stamp(run).day
}

function hour(run: number): string {
  return stamp(run).hour
}

/**
 * Returns the files of a run: 41 files of a first stage of NBM over CONUS, 19 files of HRRR, and the analysis.
 * @param small uses 8, 6 and 1 written files repeatedly, which takes a fifth of the time to write
 */
export function mirroredFiles(small: boolean, run = WRITTEN_RUN): readonly MirroredFile[] {
  return Object.entries(models).flatMap(([model, { bucket, leads, small: few, key }]) => {
    const written: readonly number[] = small ? few : leads(WRITTEN_RUN)
    return leads(run).map((lead) => {
      const from = nearest(written, lead, (run - WRITTEN_RUN) / HOUR)
      return {
        bucket,
        lead,
        written: { name: `${model}.f${three(from)}`, lead: from },
        key: (runTime) => key(runTime, lead),
      }
    })
  })
}

/** The intervals of a file depend on its hour of the clock modulo six, and on whether its lead is 0 or above 36. */
function nearest(written: readonly number[], lead: number, later: number): number {
  const alike = (from: number) => (from === 0) === (lead === 0) && from > 36 === lead > 36
  const sameHour = (from: number) => (from - lead - later) % 6 === 0
  const list = written.filter(alike)
  const best = list.some(sameHour) ? list.filter(sameHour) : list
  return best.reduce((a, b) => (Math.abs(b - lead) < Math.abs(a - lead) ? b : a))
}

/**
 * Writes the files that the folder lacks, with two threads. A full-size file of NBM takes 16 s of one core.
 * @param model writes the files of this model only
 */
export async function writeFiles(folder: string, coarse: number, small: boolean, model = ''): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const names = new Set(mirroredFiles(small).flatMap(({ written: { name } }) => (name.startsWith(model) ? [name] : [])))
  const missing = [...names].filter((name) => !existsSync(join(folder, name)))
  if (missing.length === 0) return
  const began = performance.now()
  let next = 0
  await Promise.all(
    [0, 1].map(async () => {
      const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { folder, coarse } })
      for (let i = next++; i < missing.length; i = next++) {
        worker.postMessage(nth(missing, i))
        await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
        worker.removeAllListeners('error')
        console.log(`${missing[i]} written, ${((performance.now() - began) / 1000).toFixed(0)} s`)
      }
      await worker.terminate()
    }),
  )
}

export interface StaticMirror extends Mirror {
  /** Prepares the files of a run in advance, so that no request waits for them; the first takes some 1 GB of memory. */
  prepare(run: number): void
  /** When a file or an index of a run was first requested, in performance.now(). */
  readonly firstRequests: ReadonlyMap<number, number>
}

/** Serves the files for the runs in the list, which may grow, and simulated feeds. */
export async function serveFiles(folder: string, small: boolean, runs: readonly number[]): Promise<StaticMirror> {
  const { sources, ...rest } = fileSources(folder, small, runs)
  return { ...(await startMirror({ sources: [...sources, ...feedSources()], now: Date.now })), ...rest }
}

/**
 * Returns buckets with the files for the runs in the list.
 * @param shownAt returns when a file was published; undefined if it is not published
 */
export function fileSources(
  folder: string,
  small: boolean,
  runs: readonly number[],
  shownAt: (key: string, run: number) => number | undefined = (_, run) => run + HOUR,
): { sources: SimulatedHost[] } & Pick<StaticMirror, 'prepare' | 'firstRequests'> {
  const bytesByName = new Map<string, Buffer>()
  const once = (name: string, make: () => Buffer): Buffer => {
    const bytes = bytesByName.get(name) ?? make()
    bytesByName.set(name, bytes)
    // The cache has the files and indexes of two runs.
    if (bytesByName.size > 4 * mirroredFiles(small).length) bytesByName.delete(bytesByName.keys().next().value!)
    return bytes
  }
  const bytesOf = ({ lead, written, key }: MirroredFile, run: number): Buffer =>
    once(key(run), () => restamped(readFileSync(join(folder, written.name)), run - WRITTEN_RUN, lead - written.lead))
  const indexOf = ({ lead, written, key }: MirroredFile, run: number): Buffer =>
    once(`${key(run)}.idx`, () => {
      const lines = readFileSync(join(folder, `${written.name}.idx`), 'latin1')
      return Buffer.from(restampedIndex(lines, `${day(run)}${hour(run)}`, lead - written.lead))
    })
  const firstRequests = new Map<number, number>()
  const sizes = new Map<string, number>()
  const sizeOf = ({ written: { name } }: MirroredFile) => {
    if (!sizes.has(name)) sizes.set(name, statSync(join(folder, name)).size)
    return sizes.get(name)!
  }
  const sources = [...new Set(mirroredFiles(small).map(({ bucket }) => bucket))].map((bucket): SimulatedHost => {
    const filesOf = new Map<number, { readonly file: MirroredFile; readonly run: number }[]>()
    const files = () =>
      runs.flatMap((run) => {
        const known =
          filesOf.get(run) ??
          mirroredFiles(small, run).flatMap((file) => (file.bucket === bucket ? [{ file, run }] : []))
        filesOf.set(run, known)
        return known
      })
    return {
      host: `${bucket}.s3.amazonaws.com`,
      list: (prefix) =>
        files().flatMap(({ file, run }) => {
          const key = file.key(run)
          const entry = (name: string, size: () => number) => {
            const lastModified = name.startsWith(prefix) ? shownAt(name, run) : undefined
            return lastModified === undefined ? [] : [{ key: name, lastModified, size: size(), etag: nameTag(name) }]
          }
          return [...entry(key, () => sizeOf(file)), ...entry(`${key}.idx`, () => indexOf(file, run).length)]
        }),
      find(path) {
        const key = decodeURIComponent(path.slice(1))
        const match = files().find(({ file, run }) => key === file.key(run) || key === `${file.key(run)}.idx`)
        const lastModified = match && shownAt(key, match.run)
        if (!match || lastModified === undefined) return undefined
        const { file, run } = match
        if (!firstRequests.has(run)) firstRequests.set(run, performance.now())
        const isIndex = key.endsWith('.idx')
        return {
          etag: nameTag(key),
          lastModified,
          type: isIndex ? 'text/plain' : 'application/octet-stream',
          body: () => (isIndex ? indexOf(file, run) : bytesOf(file, run)),
        }
      },
    }
  })
  const prepare = (run: number) => {
    for (const file of mirroredFiles(small, run)) for (const make of [bytesOf, indexOf]) make(file, run)
  }
  return { sources, prepare, firstRequests }
}

if (!isMainThread && workerData?.folder) {
  const { folder, coarse } = workerData as { folder: string; coarse: number }
  const sources = modelSources(coarse)
  parentPort!.on('message', async (requestedName: string) => {
    const { bucket, written, key } = mirroredFiles(false).find((file) => file.written.name === requestedName)!
    const { name } = written
    const source = sources.find(({ host }) => host.startsWith(bucket))!
    const at = (path: string) => source.find(`/${path}`, new URLSearchParams(), WRITTEN_RUN + 3 * HOUR)
    const body = await (await at(key(WRITTEN_RUN)))!.body()
    writeFileSync(join(folder, `${name}.idx`), await (await at(`${key(WRITTEN_RUN)}.idx`))!.body())
    const scratch = join(folder, `.${name}`)
    writeFileSync(scratch, unpadded(body))
    renameSync(scratch, join(folder, name))
    parentPort!.postMessage('written')
  })
}
