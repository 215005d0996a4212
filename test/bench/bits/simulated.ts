import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { modelSources } from '../../../infra/simulator/models.ts'
import type { GridDataset } from '../../../ingest/domain/dataset/dataset.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { HOUR } from '../../../ingest/domain/time.ts'
import type { Objects } from '../../../ingest/ports/objects.ts'
import { openUpstream } from '../../../ingest/ports/upstream.ts'
import { sampleFile } from '../../../ingest/steps/grid/sample.ts'
import type { Pool } from '../../../ingest/steps/pool-tasks.ts'
import { recordedMirror } from '../../walks/recorded-mirror.ts'
import { unpadded } from '../whole/restamp.ts'

/** A path of the simulator: `HOST/KEY`. */
const pathOf = (url: string) => new URL(url).host + new URL(url).pathname
const cached = (folder: string, path: string) => join(folder, path.replaceAll('/', '-'))

/** Writes the files that the folder lacks, with two threads. A full-size file of NBM takes 16 s of one core. */
async function writeFiles(folder: string, paths: readonly string[], until: number): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const missing = paths.filter((path) => !existsSync(cached(folder, path)))
  let next = 0
  await Promise.all(
    [0, 1].map(async () => {
      if (next >= missing.length) return
      const worker = new Worker(fileURLToPath(import.meta.url), { workerData: { folder, until } })
      for (let i = next++; i < missing.length; i = next++) {
        worker.postMessage(nth(missing, i))
        await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
        worker.removeAllListeners('error')
        console.log(`${missing[i]} written`)
      }
      await worker.terminate()
    }),
  )
}

/** Samples the simulator's files of a run and keeps the files in `folder`. @returns the keys of the slabs */
export async function sampleSimulated(
  dataset: GridDataset,
  run: number,
  leads: readonly number[],
  { folder, objects, pool }: { readonly folder: string; readonly objects: Objects; readonly pool: Pool },
): Promise<string[]> {
  const files = leads.map((lead) => dataset.file(run, 'conus', lead))
  const paths = files.flatMap(({ url, indexUrl }) => [pathOf(url), pathOf(indexUrl!)])
  await writeFiles(folder, paths, run + 24 * HOUR)
  const keys: string[] = []
  for (const file of files) {
    const served = new Map(
      [file.url, file.indexUrl!].map((url) => [pathOf(url), readFileSync(cached(folder, pathOf(url)))]),
    )
    const mirror = await recordedMirror(served)
    const upstream = openUpstream({ mirror: mirror.url })
    const ports = { upstream, slabs: objects, pool, resolution: 7, cacheDir: join(folder, 'mappings') }
    const [receipt] = await sampleFile(ports, dataset, run, file, ['conus'])
    keys.push(receipt!.slabKey)
    await upstream.close()
    await mirror.close()
  }
  return keys
}

if (!isMainThread && workerData?.folder) {
  const { folder, until } = workerData as { folder: string; until: number }
  const sources = modelSources(1)
  parentPort!.on('message', async (path: string) => {
    const slash = path.indexOf('/')
    const source = sources.find(({ host }) => host === path.slice(0, slash))!
    const body = await (await source.find(path.slice(slash), new URLSearchParams(), until))!.body()
    const to = cached(folder, path)
    writeFileSync(`${to}~`, path.endsWith('.idx') ? body : unpadded(body))
    renameSync(`${to}~`, to)
    parentPort!.postMessage('written')
  })
}
