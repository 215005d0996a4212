import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { issueKey } from '../../api/keys/issue.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { type Figures, figuresOf } from './figures.ts'

/** The API in its own process, which measures itself. */
export interface MeasuredServer {
  readonly base: string
  readonly keys: readonly string[]
  /** Returns the figures since the last call. */
  figures(): Promise<Figures>
  close(): Promise<void>
}

interface Ready {
  readonly base: string
  readonly keys: readonly string[]
}

/** @param objects an object store whose runs are served; default: runs that are computed once and stay in memory */
export async function measuredServer(
  options: { objects?: string; keys: number; coarse: number },
  flags: readonly string[] = [],
): Promise<MeasuredServer> {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), [JSON.stringify(options)], {
    execArgv: ['--expose-gc', ...flags],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const answer = <T>() =>
    new Promise<T>((resolve, reject) => {
      child.once('message', (message) => resolve(message as T))
      void exited.then((code) => reject(new Error(`the measured server ended with ${code}`)))
    })
  const { base, keys } = await answer<Ready>()
  return {
    base,
    keys,
    figures() {
      const figures = answer<Figures>()
      child.send('figures')
      return figures
    },
    async close() {
      child.send('end')
      await exited
    },
  }
}

async function serve(options: Parameters<typeof measuredServer>[0]): Promise<void> {
  const { openFolder } = await import('../../ingest/ports/objects/folder.ts')
  const { loadedCurrent } = await import('../api/analytic-runs.ts')
  const { skyServer } = await import('../api/sky-server.ts')
  const { watchBlocks } = await import('./main-thread.ts')
  const { tileCurrent } = await import('../walks/tile-current.ts')
  const models = options.objects ? await tileCurrent(await openFolder(options.objects)) : loadedCurrent(Date.now())
  const sky = await skyServer({ coarse: options.coarse, models })
  const keys: string[] = []
  for (let i = 0; i < options.keys; i++)
    keys.push((await issueKey(sky.database, { name: 'measured', plan: 'professional', channel: 'test' })).key)
  const blocks = watchBlocks()
  process.on('message', async (word) => {
    if (word === 'figures') return void figuresOf(blocks, globalThis.gc).then((figures) => process.send?.(figures))
    await sky.close()
    process.exit()
  })
  process.send?.({ base: sky.base, keys } satisfies Ready)
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.send) await serve(JSON.parse(nth(process.argv, 2)))
