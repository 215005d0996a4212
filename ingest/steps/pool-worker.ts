import { flushCompileCache } from 'node:module'
import { parentPort, threadId } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { discard } from '../domain/discard.ts'
import { isFault } from '../domain/fault.ts'
import { collectGarbage, RareCollection } from '../ports/collect.ts'
import { type TileKernels, tileKernels } from '../tile/kernels.ts'
import { buildShard } from '../tile/write.ts'
import { makeScore, type ScoreTask } from './frames/score-work.ts'
import { makeSiteScan, type SiteScanTask } from './frames/site-grid.ts'
import { type FrameTask, type MotionTask, makeFrame, makeMotion } from './frames/work.ts'
import { messagesOf } from './grid/sample-request.ts'
import { Sampler } from './grid/sampler.ts'
import type { Begun, PoolAnswer, SampleTask, ShardBuildTask } from './pool-tasks.ts'
import { makeAmounts } from './season/amounts.ts'
import { makeSeasonDay, makeSeasonHour, makeSeasonZones, type SeasonTask } from './season/work.ts'

// A thread of the pool runs one task at a time, and keeps its kernels and grid mappings between tasks.

// Threads are terminated and never exit by themselves, so the compile cache is written now.
flushCompileCache()

type PoolTask = SampleTask | ShardBuildTask | FrameTask | MotionTask | ScoreTask | SiteScanTask | SeasonTask

/** Time without use after which kernels are dropped, ms; their memories, some 100 MB each, never shrink. */
const UNUSED_MS = 60_000
/** Interval of collections in a busy thread, ms, because buffers of frames are large. */
const collection = new RareCollection(10_000)

let sampler: Sampler | undefined
let sampledAt = 0
let tileBuilder: TileKernels | undefined
let builtAt = 0

function releaseUnused(): void {
  const since = performance.now() - UNUSED_MS
  if (sampledAt < since) sampler = undefined
  if (builtAt < since) tileBuilder = undefined
}

function act(task: PoolTask): { value: unknown; transfer: ArrayBuffer[] } {
  if (task.kind === 'sample') {
    sampler ??= new Sampler()
    const value = sampler.sample(task.request)
    sampledAt = performance.now()
    for (const item of task.request.items) for (const { bytes } of messagesOf(item)) discard(bytes)
    return { value, transfer: [value.bytes.buffer as ArrayBuffer] }
  }
  if (task.kind === 'score') return { value: makeScore(task), transfer: [] }
  if (task.kind === 'frame' || task.kind === 'motion') {
    const value = task.kind === 'frame' ? makeFrame(task) : makeMotion(task)
    return { value, transfer: [value.bytes.buffer as ArrayBuffer] }
  }
  if (task.kind === 'site-scan') {
    const value = makeSiteScan(task)
    return { value, transfer: [value.bytes.buffer as ArrayBuffer] }
  }
  if (task.kind === 'season-hour') {
    const value = makeSeasonHour(task)
    return { value, transfer: value ? [value.bytes.buffer as ArrayBuffer] : [] }
  }
  if (task.kind === 'season-amounts') {
    const value = makeAmounts(task)
    return { value, transfer: [value.bytes.buffer as ArrayBuffer] }
  }
  if (task.kind === 'season-zones') return { value: makeSeasonZones(task), transfer: [] }
  if (task.kind === 'season-day') {
    const value = makeSeasonDay(task)
    return { value, transfer: [value.buffer as ArrayBuffer] }
  }
  tileBuilder ??= tileKernels()
  const value = buildShard(tileBuilder, task.shard, discard)
  builtAt = performance.now()
  return { value, transfer: [value.bytes.buffer as ArrayBuffer] }
}

/**
 * Runs a task of the pool. A fault is sent as data, because structured clone preserves neither its class nor its
 * members.
 */
export default function run(task: (PoolTask | { readonly kind: 'none' }) & { readonly number?: number }): unknown {
  if (task.kind === 'none') return undefined
  if (task.number !== undefined) parentPort?.postMessage({ begun: task.number, thread: threadId } satisfies Begun)
  try {
    releaseUnused()
    collection.mayCollect()
    const { value, transfer } = act(task)
    // The buffers of pictures have several sizes, 300 MB in total.
    if (task.kind === 'motion' || task.kind === 'score') setImmediate(collectGarbage)
    return move({ [valueSymbol]: { value } satisfies PoolAnswer, [transferableSymbol]: transfer })
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error))
    const fault = isFault(error) ? { kind: error.kind, details: error.details } : { details: {} }
    return { fault: { ...fault, message, stack } } satisfies PoolAnswer
  }
}
