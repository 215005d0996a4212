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
  /** Stride of grid points in both directions; 1 gives the full grids. */
  readonly coarse?: number
  readonly port?: number
  /** Milliseconds added to the machine's clock. */
  readonly clockOffset?: number
  /** Whether RRFS has files. */
  readonly withRrfs?: boolean
}

/** Returns the sources of every simulated upstream. */
export function simulatedSources(coarse: number, models = modelSources(coarse)): readonly SimulatedHost[] {
  // Radar needs finer grids than models, because motion is derived from the shapes of echoes.
  const fine = Math.max(1, Math.min(5, coarse))
  return [...models, radarSource(fine), stormSource, radarSiteSource, ...lightningSources, ...feedSources()]
}

/**
 * Interval of garbage collections. Listings and radar scans leave nearly 1 MB of garbage a second, which V8 collects
 * only after 80 MB.
 */
const COLLECT_MS = 20_000

/** Default stride of grid points. */
const COARSE = 8

/**
 * Starts the simulated upstream in this thread.
 * @param models sources of the models, if another thread builds their files
 */
export function startSimulator(options: SimulatorOptions = {}, models?: readonly SimulatedHost[]): Promise<Mirror> {
  const coarse = options.coarse ?? COARSE
  return startMirror({
    sources: simulatedSources(coarse, models ?? modelSources(coarse, options)),
    port: options.port,
    now: () => Date.now() + (options.clockOffset ?? 0),
  })
}

/**
 * Starts the simulated upstream in a thread. Another thread builds the files of models, so that this does not block
 * requests.
 */
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
  const { withRrfs } = options
  const mirror = await startSimulator(
    options,
    sourcesInThread(modelSources(coarse, { withRrfs }), new URL('./models-thread.ts', import.meta.url), {
      coarse,
      withRrfs,
    }),
  )
  parentPort?.postMessage(mirror.url)
  setInterval(collectGarbage, COLLECT_MS).unref()
  flushCompileCache()
} else if (import.meta.main) {
  const word = (name: string) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1]
  if (process.argv.includes('--help')) {
    console.log(`usage: node infra/simulator/main.ts [--port=9090] [--coarse=8] [--rrfs]

Serves simulated NOAA files at http://127.0.0.1:PORT/HOST/PATH. Hexcast reads them with UPSTREAM=http://127.0.0.1:PORT.
--coarse is the stride of grid points; 1 gives the full grids. --rrfs adds files of RRFS and REFS.

POST /_misbehave replaces the list of faults, such as [{"path":"f006.co","how":"truncate","times":1}]; an empty list ends all
faults. GET /_misbehave shows the list. "path" is a part of HOST/PATH. Optional members: "times" is the number of affected
answers, "every": 3 affects every third answer, "seconds" is the delay of "slow". Values of "how":

${Object.entries(misbehaviours)
  .map(([how, effect]) => `  ${how.padEnd(13)} ${effect}`)
  .join('\n')}`)
  } else {
    const mirror = await startSimulator({
      port: Number(word('port') ?? 9090),
      coarse: Number(word('coarse') ?? 8),
      withRrfs: process.argv.includes('--rrfs'),
    })
    console.log(mirror.url)
  }
}
