import { flushCompileCache } from 'node:module'
import { parentPort } from 'node:worker_threads'
import { isFault } from '../domain/fault.ts'
import { type TileKernels, tileKernels } from '../tile/kernels.ts'
import { type ShardTask, weaveShard } from '../tile/write.ts'
import { type FrameTask, type MotionTask, makeFrame, makeMotion, makeScore, type ScoreTask } from './frame-work.ts'
import type { Answer } from './pool.ts'
import type { SampleRequest } from './sample-field.ts'
import { Sampler } from './sampler.ts'

// A thread of the pool: takes one task at a time, keeps its kernels and mappings between them.

// Threads are ended, never at an end of their own: what was compiled is kept now.
flushCompileCache()

export interface SampleTask {
  readonly kind: 'sample'
  readonly request: SampleRequest
}

export interface WeaveTask {
  readonly kind: 'weave'
  readonly shard: ShardTask
}

type Task = SampleTask | WeaveTask | FrameTask | MotionTask | ScoreTask

let sampler: Sampler | undefined
let weaver: TileKernels | undefined

function act(task: Task): { value: unknown; transfer: ArrayBuffer[] } {
  if (task.kind === 'sample') {
    sampler ??= new Sampler()
    const value = sampler.sampleFile(task.request)
    return { value, transfer: [value.bytes.buffer as ArrayBuffer] }
  }
  if (task.kind === 'score') return { value: makeScore(task), transfer: [] }
  if (task.kind === 'frame' || task.kind === 'motion') {
    const value = task.kind === 'frame' ? makeFrame(task) : makeMotion(task)
    return { value, transfer: [value.bytes.buffer as ArrayBuffer] }
  }
  weaver ??= tileKernels()
  const value = weaveShard(weaver, task.shard)
  return { value, transfer: [value.bytes.buffer as ArrayBuffer] }
}

parentPort!.on('message', (task: Task) => {
  try {
    const { value, transfer } = act(task)
    parentPort!.postMessage({ value } satisfies Answer, transfer)
  } catch (error) {
    const { message, stack } = error instanceof Error ? error : new Error(String(error))
    const fault = isFault(error) ? { kind: error.kind, details: error.details } : { details: {} }
    parentPort!.postMessage({ fault: { ...fault, message, stack } } satisfies Answer)
  }
})
