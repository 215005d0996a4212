/** The thread that makes the files of models, and imports nothing else of the simulator. */
import { parentPort, workerData } from 'node:worker_threads'
import { collectYoung } from '../../ingest/ports/collect.ts'
import { modelSources } from './models.ts'
import type { FileReply, FileRequest } from './source-thread.ts'
import { forgetStorms, STORM_FIELDS } from './storms.ts'

const sources = modelSources((workerData as { coarse: number }).coarse)

parentPort!.on('message', async ({ id, host, path, query, now }: FileRequest) => {
  try {
    const source = sources.find((one) => one.host === host)
    const made = await (await source?.find(path, new URLSearchParams(query), now))?.body()
    forgetStorms(STORM_FIELDS)
    // Buffers that are cached here must not be transferred.
    const bytes = made && Uint8Array.from(made)
    parentPort!.postMessage({ id, bytes, error: `no ${path}` } satisfies FileReply, bytes ? [bytes.buffer] : [])
  } catch (error) {
    parentPort!.postMessage({ id, error: String(error) } satisfies FileReply)
  }
  // A file leaves some 10 MB of fields behind.
  collectYoung()
})
