/**
 * Entry point of the thread that builds the files of models. It imports only the modules of the simulator that build
 * them.
 */
import { parentPort, workerData } from 'node:worker_threads'
import { collectYoung } from '../../ingest/ports/collect.ts'
import { type ModelOptions, modelSources } from './models.ts'
import type { FileReply, FileRequest } from './source-thread.ts'
import { forgetStorms, STORM_FIELDS } from './storms.ts'

const { coarse, ...options } = workerData as ModelOptions & { coarse: number }
const sources = modelSources(coarse, options)

parentPort?.on('message', async ({ id, host, path, query, now }: FileRequest) => {
  try {
    const source = sources.find((candidate) => candidate.host === host)
    const file = await (await source?.find(path, new URLSearchParams(query), now))?.body()
    forgetStorms(STORM_FIELDS)
    // Only a copy may be transferred, because this thread caches the file.
    const bytes = file && Uint8Array.from(file)
    parentPort?.postMessage(
      { id, bytes, error: `${path} does not exist` } satisfies FileReply,
      bytes ? [bytes.buffer] : [],
    )
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) } satisfies FileReply)
  }
  // Building a file leaves some 10 MB of garbage.
  collectYoung()
})
