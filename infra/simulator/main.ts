import { flushCompileCache } from 'node:module'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { alertFeed } from './alert-feed.ts'
import { lightningSources } from './lightning.ts'
import { type Mirror, startMirror } from './mirror.ts'
import { modelSources } from './models.ts'
import { outlookSource } from './outlooks.ts'
import { stormSource } from './probsevere.ts'
import { radarSource } from './radar.ts'
import type { Source } from './source.ts'

export interface SimulatorOptions {
  /** Every so many-th point of the real grids, each way; 1 is full size. */
  readonly coarse?: number
  readonly port?: number
  /** Milliseconds added to the machine's clock. */
  readonly clockOffset?: number
}

/** Every upstream that is simulated. */
export function simulatedSources(coarse: number): readonly Source[] {
  // Echoes need finer points than models: motion is found in their shapes.
  const fine = Math.max(1, Math.min(5, coarse))
  return [...modelSources(coarse), radarSource(fine), stormSource, ...lightningSources, alertFeed(), outlookSource]
}

/** Starts the simulated upstream in this thread. */
export function startSimulator(options: SimulatorOptions = {}): Promise<Mirror> {
  return startMirror({
    sources: simulatedSources(options.coarse ?? 8),
    port: options.port,
    now: () => Date.now() + (options.clockOffset ?? 0),
  })
}

/** Starts the simulated upstream in a thread of its own: it makes files without holding up anyone. */
export function startSimulatorThread(options: SimulatorOptions = {}): Promise<{ url: string; close(): Promise<void> }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: { simulator: options } })
  return new Promise((resolve, reject) => {
    worker.once('message', (url: string) => resolve({ url, close: async () => void (await worker.terminate()) }))
    worker.once('error', reject)
  })
}

if (!isMainThread && workerData?.simulator) {
  const mirror = await startSimulator(workerData.simulator as SimulatorOptions)
  parentPort?.postMessage(mirror.url)
  flushCompileCache()
} else if (import.meta.main) {
  const word = (name: string) => process.argv.find((arg) => arg.startsWith(`--${name}=`))?.split('=')[1]
  if (process.argv.includes('--help')) {
    console.log(
      'usage: node infra/simulator/main.ts [--port=9090] [--coarse=8]\n\nServes a simulated NOAA at http://127.0.0.1:PORT/HOST/PATH. Point hexcast at it with UPSTREAM=http://127.0.0.1:PORT.\n--coarse=1 gives the full grids. POST /_misbehave takes a list such as [{"path":"f006.co","how":"truncate","times":1}].',
    )
  } else {
    const mirror = await startSimulator({ port: Number(word('port') ?? 9090), coarse: Number(word('coarse') ?? 8) })
    console.log(mirror.url)
  }
}
