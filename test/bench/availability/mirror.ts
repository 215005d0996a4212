import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { feedSources } from '../../../infra/simulator/feeds.ts'
import { startMirror } from '../../../infra/simulator/mirror.ts'
import type { MirrorObject } from '../../../infra/simulator/source.ts'
import { nth } from '../../../ingest/domain/nth.ts'
import { fileSources } from '../whole/static-mirror.ts'
import { scanSource } from './scans.ts'

// This process serves full-size files from a folder. Only published files exist for its clients.

interface Command {
  readonly id: number
  readonly name: 'runs' | 'prepare' | 'show' | 'hideAll' | 'fetched'
  readonly list: readonly (string | number)[]
}

export interface MirrorProcess {
  readonly url: string
  /** Model runs whose files exist once they are published. */
  runs(list: readonly number[]): Promise<void>
  /** Prepares the bytes before a file is published, so that reading and restamping are not measured. */
  prepare(keys: readonly string[]): Promise<void>
  /** @returns the time at which the files were published, ms */
  show(keys: readonly string[]): Promise<number>
  hideAll(): Promise<void>
  /** Returns the number of ranges sent for paths that contain a text. */
  fetched(part: string): Promise<number>
  close(): Promise<void>
}

export async function openMirrorProcess(folder: string): Promise<MirrorProcess> {
  const child = fork(fileURLToPath(import.meta.url), [folder], { env: { PATH: process.env['PATH'] } })
  const [{ url }] = (await once(child, 'message')) as [{ url: string }]
  const waiting = new Map<number, (value: unknown) => void>()
  child.on('message', ({ id, value }: { id: number; value: unknown }) => {
    waiting.get(id)?.(value)
    waiting.delete(id)
  })
  let last = 0
  const command = <T>(name: Command['name'], list: Command['list']) =>
    new Promise<T>((resolve) => {
      const id = ++last
      waiting.set(id, resolve as (value: unknown) => void)
      child.send({ id, name, list } satisfies Command)
    })
  return {
    url,
    runs: (list) => command('runs', list),
    prepare: (keys) => command('prepare', keys),
    show: (keys) => command('show', keys),
    hideAll: () => command('hideAll', []),
    fetched: (part) => command('fetched', [part]),
    close: () => ended(child),
  }
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill()
  await exit
}

async function serve(folder: string): Promise<void> {
  const shown = new Map<string, number>()
  const runs: number[] = []
  const sources = [scanSource(folder, shown), ...fileSources(folder, true, runs, (key) => shown.get(key)).sources]
  const mirror = await startMirror({ sources: [...sources, ...feedSources()], now: Date.now })
  const commands: Record<Command['name'], (list: Command['list']) => unknown> = {
    runs: (list) => {
      runs.splice(0, runs.length, ...(list as number[]))
    },
    // This happens in one turn of the event loop, so no request sees a partial change.
    prepare(keys) {
      for (const key of keys.map(String)) {
        shown.set(key, 0)
        for (const { find } of sources) (find(`/${key}`, new URLSearchParams(), 0) as MirrorObject | undefined)?.body()
        shown.delete(key)
      }
    },
    show(keys) {
      const at = Date.now()
      for (const key of keys) shown.set(String(key), at)
      return at
    },
    hideAll: () => shown.clear(),
    fetched: ([part]) => mirror.log.filter((line) => line.includes('.grib2 206') && line.includes(String(part))).length,
  }
  process.on('message', ({ id, name, list }: Command) => process.send!({ id, value: commands[name](list) }))
  process.on('disconnect', () => process.exit())
  process.send!({ url: mirror.url })
}

if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) await serve(nth(process.argv, 2))
