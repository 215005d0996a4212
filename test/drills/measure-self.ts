/**
 * Imported into every process of `hexcast start` (NODE_OPTIONS): in that of the interface it measures the main thread, and answers on
 * the socket at MEASURE_SOCKET with what it has measured since it was last asked.
 */
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

const [, file = '', role] = process.argv
if (isMainThread && /\/child\.(ts|mjs)$/.test(file) && role === 'api') await measure(process.env['MEASURE_SOCKET']!)

async function measure(socket: string): Promise<void> {
  const { figuresOf } = await import('./figures.ts')
  const { watchBlocks } = await import('./main-thread.ts')
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const blocks = watchBlocks()
  // Of a process before this one that ended without removing it.
  rmSync(socket, { force: true })
  const server = createServer(
    async (_, response) => void response.end(JSON.stringify(await figuresOf(blocks, collect))),
  )
  server.listen(socket)
  server.unref()
}
