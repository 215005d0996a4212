/**
 * NODE_OPTIONS imports this file into every process of `hexcast start`. In the API process it measures the main thread, and answers on
 * the socket at MEASURE_SOCKET with the figures since the last request.
 */

import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'
import { entryOf } from '../../ingest/domain/nth.ts'

const [, file = '', role] = process.argv
if (isMainThread && /\/child\.(ts|mjs)$/.test(file) && role === 'api')
  await measure(entryOf(process.env, 'MEASURE_SOCKET'))

async function measure(socket: string): Promise<void> {
  const { figuresOf } = await import('./figures.ts')
  const { watchBlocks } = await import('./main-thread.ts')
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const blocks = watchBlocks()
  // A previous process may have ended without removing the socket.
  rmSync(socket, { force: true })
  const server = createServer(
    async (_, response) => void response.end(JSON.stringify(await figuresOf(blocks, collect))),
  )
  server.listen(socket)
  server.unref()
}
