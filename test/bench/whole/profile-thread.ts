/**
 * NODE_OPTIONS imports this file into every thread of every process. It samples the running functions. When the process gets SIGUSR2, it
 * writes the processor time of each function of this project since the last time, with callees elsewhere, to MEASURE_FOLDER. It needs
 * RUN_SOURCES=1, because built programs have other file names.
 */

import { writeFileSync } from 'node:fs'
import { type Profiler, Session } from 'node:inspector'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads'
import { entryOf, nth } from '../../../ingest/domain/nth.ts'

const INTERVAL_US = 1000
const root = fileURLToPath(new URL('../../..', import.meta.url))
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US })
session.post('Profiler.start')
const channel = new BroadcastChannel('profile') as BroadcastChannel & { unref(): void }
channel.onmessage = write
channel.unref()
if (isMainThread)
  process.on('SIGUSR2', () => {
    channel.postMessage('write')
    write()
  })

function write(): void {
  session.post('Profiler.stop', (error, result) => {
    if (error) return
    const role = `${process.argv[1]?.slice(root.length) ?? ''} ${process.argv[2] ?? ''}`
    const file = join(entryOf(process.env, 'MEASURE_FOLDER'), `${process.pid}-${threadId}.json`)
    writeFileSync(file, JSON.stringify({ role, functions: timesOf(result.profile) }))
    session.post('Profiler.start')
  })
}

/** Milliseconds by `file function` of the nearest caller in this project or a package. */
function timesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): Record<string, number> {
  const names = new Map<number, string>()
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const visit = (node: Profiler.ProfileNode, caller: string): void => {
    const { url, functionName } = node.callFrame
    const own = url.startsWith('file:') && fileURLToPath(url).startsWith(root)
    const special = functionName.startsWith('(') && functionName !== '(root)'
    // This is work of the event loop without a function of ours on the stack.
    const loop = !own && url.startsWith('node:') && (caller === 'node' || caller.startsWith('node:'))
    const name = own
      ? `${fileURLToPath(url).slice(root.length)} ${functionName}`
      : special
        ? functionName
        : loop
          ? `${url} ${functionName}`
          : caller
    names.set(node.id, name)
    for (const child of node.children ?? []) visit(byId.get(child)!, name)
  }
  visit(nth(nodes, 0), 'node')
  const times: Record<string, number> = {}
  for (const [i, id] of samples.entries()) {
    const name = names.get(id)!
    times[name] = (times[name] ?? 0) + (timeDeltas[i + 1] ?? 0) / 1000
  }
  return times
}
