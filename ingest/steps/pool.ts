import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { Fault, type FaultKind } from '../domain/fault.ts'

/** Worker threads for the heavy steps. One pool serves both sampling and weaving. */
export interface Pool {
  readonly size: number
  /**
   * Runs one task in any of the threads; see pool-worker.ts for the kinds. The buffers in `transfer` are handed over.
   * @param urgency what is more urgent is taken before what waits
   */
  run<T>(task: { readonly kind: string }, transfer?: readonly ArrayBuffer[], urgency?: number): Promise<T>
  /** Ends the threads; tasks under way are refused. */
  close(): Promise<void>
}

/** Kinds of tasks that go before others that wait: a scan is worth something for two minutes, a field of a model for an hour. */
const URGENT: ReadonlySet<string> = new Set(['frame', 'motion'])

interface Waiting {
  readonly task: unknown
  readonly urgency: number
  readonly transfer: readonly ArrayBuffer[]
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  task: Waiting | undefined
}

/** What a thread sends back. */
export type Answer =
  | { readonly value: unknown }
  | { readonly fault: { kind?: FaultKind; message: string; details: Record<string, unknown>; stack?: string } }

/** @param threads at most this many; each starts when it is first needed, and is replaced if it dies */
export function openPool({ threads = availableParallelism() }: { threads?: number } = {}): Pool {
  const idle: Thread[] = []
  const all = new Set<Thread>()
  const queue: Waiting[] = []
  let closed = false

  function start(): Thread {
    const worker = new Worker(new URL('./pool-worker.ts', import.meta.url))
    const thread: Thread = { worker, task: undefined }
    all.add(thread)
    worker.on('message', (answer: Answer) => {
      const { task } = thread
      thread.task = undefined
      idle.push(thread)
      worker.unref()
      next()
      if ('value' in answer) task?.resolve(answer.value as never)
      else task?.reject(revived(answer.fault))
    })
    const lost = (error: unknown) => {
      all.delete(thread)
      const at = idle.indexOf(thread)
      if (at >= 0) idle.splice(at, 1)
      thread.task?.reject(error)
      thread.task = undefined
      if (!closed) next()
    }
    worker.on('error', lost)
    worker.on('exit', (code) => {
      if (all.has(thread)) lost(new Error(`pool: a worker thread ended by itself with ${code}`))
    })
    worker.unref()
    return thread
  }

  function next(): void {
    while (queue.length > 0) {
      const thread = idle.pop() ?? (all.size < threads ? start() : undefined)
      if (!thread) return
      const waiting = queue.shift()!
      thread.task = waiting
      thread.worker.ref()
      thread.worker.postMessage(waiting.task, waiting.transfer as ArrayBuffer[])
    }
  }

  return {
    size: threads,
    run(task, transfer = [], asked = 0) {
      if (closed) return Promise.reject(new Error('pool: closed already'))
      return new Promise((resolve, reject) => {
        const urgency = URGENT.has(task.kind) ? Number.POSITIVE_INFINITY : asked
        const at = queue.findIndex((waiting) => waiting.urgency < urgency)
        const waiting = { task, transfer, urgency, resolve, reject }
        if (at < 0) queue.push(waiting)
        else queue.splice(at, 0, waiting)
        next()
      })
    },
    async close() {
      closed = true
      const refused = new Error('pool: closed while a task was under way')
      for (const { reject } of queue.splice(0)) reject(refused)
      await Promise.all(
        [...all].map((thread) => {
          thread.task?.reject(refused)
          thread.task = undefined
          return thread.worker.terminate()
        }),
      )
    },
  }
}

function revived({
  kind,
  message,
  details,
  stack,
}: {
  kind?: FaultKind
  message: string
  details: Record<string, unknown>
  stack?: string
}): Error {
  const error = kind ? new Fault(kind, message, details) : new Error(message)
  if (stack) error.stack = stack
  return error
}
