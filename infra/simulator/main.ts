import { flushCompileCache } from 'node:module'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { collectGarbage } from '../../ingest/ports/collect.ts'
import { feedSources } from './feeds.ts'
import { lightningSources } from './lightning.ts'
import { type Mirror, misbehaviours, startMirror } from './mirror.ts'
import { modelSources } from './models.ts'
import { stormSource } from './probsevere.ts'
import { radarSource } from './radar.ts'
import { radarSiteSource } from './radar-sites.ts'
import type { SimulatedHost } from './source.ts'
import { sourcesInThread } from './source-thread.ts'

export interface SimulatorOptions {
  /** Stride of the points of the real grids in both directions; 1 is full size. */
  readonly coarse?: number
  readonly port?: number
  /** Milliseconds added to the machine's clock. */
  readonly clockOffset?: number
}

/** Every upstream that is simulated. */
export function simulatedSources(coarse: number, models = modelSources(coarse)): readonly SimulatedHost[] {
  // Radar needs finer points than models: motion is found in the shapes of echoes.
  const fine = Math.max(1, Math.min(5, coarse))
  return [...models, radarSource(fine), stormSource, radarSiteSource, ...lightningSources, ...feedSources()]
}

/** Listings and radar scans leave nearly a megabyte a second behind, which V8 would collect after 80. */
const COLLECT_MS = 20_000

/** Default stride of grid points. */
const COARSE = 8

/** Starts the simulated upstream in this thread; `models`: sources of the models when another thread makes them. */
export function startSimulator(options: SimulatorOptions = {}, models?: readonly SimulatedHost[]): Promise<Mirror> {
  return startMirror({
    sources: simulatedSources(options.coarse ?? COARSE, models),
    port: options.port,
    now: () => Date.now() + (options.clockOffset ?? 0),
  })
}

/** Starts the simulated upstream in a thread of its own, and the files of models in another: making them blocks no request. */
export function startSimulatorThread(options: SimulatorOptions = {}): Promise<{ url: string; close(): Promise<void> }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { simulator: options } })
  return new Promise((resolve, reject) => {
    worker.once('message', (url: string) => resolve({ url, close: async () => void (await worker.terminate()) }))
    worker.once('error', reject)
  })
}

if (!isMainThread && workerData?.simulator) {
  const options = workerData.simulator as SimulatorOptions
  const coarse = options.coarse ?? COARSE
  const mirror = await startSimulator(
    options,
    sourcesInThread(modelSources(coarse), new URL('./models-thread.ts', import.meta.url), { coarse }),
  )
  parentPort?.postMessage(mirror.url)
  setInterval(collectGarbage, COLLECT_MS).unref()
  flushCompileCache()
} else if (import.meta.main) {
  const word = (name: string) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1]
  if (process.argv.includes('--help')) {
    console.log(`usage: node infra/simulator/main.ts [--port=9090] [--coarse=8]

Serves a simulated NOAA at http://127.0.0.1:PORT/HOST/PATH. Point hexcast at it with UPSTREAM=http://127.0.0.1:PORT.
--coarse=1 gives the full grids.

Faults are set by POST /_misbehave, which takes a list such as [{"path":"f006.co","how":"truncate","times":1}] in place
of the one before (an empty one ends it), GET shows it. "path" is a part of HOST/PATH, "times" how often, "every" each so
many-th time, "seconds" for how long. "how":

${Object.entries(misbehaviours)
  .map(([how, what]) => `  ${how.padEnd(13)} ${what}`)
  .join('\n')}`)
  } else {
    const mirror = await startSimulator({ port: Number(word('port') ?? 9090), coarse: Number(word('coarse') ?? 8) })
    console.log(mirror.url)
  }
}
