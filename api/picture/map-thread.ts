import { parentPort } from 'node:worker_threads'
import { paintMap } from './map-paint.ts'
import type { MapTask } from './map-task.ts'

// This thread draws maps: it receives plain data and returns a PNG. The canvas library (30 MB) is loaded only here.

parentPort?.on('message', async ({ id, task }: { id: number; task: MapTask }) => {
  try {
    parentPort?.postMessage({ id, picture: await paintMap(task) })
  } catch (error) {
    parentPort?.postMessage({ id, error: error instanceof Error ? error.message : String(error) })
  }
})
