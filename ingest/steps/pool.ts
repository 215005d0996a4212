import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { Fault, type FaultKind } from '../domain/fault.ts'
import { collectGarbage, RareCollection } from '../ports/collect.ts'
import { PriorityQueue } from './pool-queue.ts'
import type { Begun, Pool, PoolAnswer } from './pool-tasks.ts'

/** Kinds of tasks with their priority: a radar scan is useful for two minutes, a model field for an hour. */
const URGENT: ReadonlySet<string> = new Set(['frame', 'motion'])
/** Maximum number of queued tasks. Callers await at most a few hundred tasks; more indicates a bug. */
const MAX_QUEUED_TASKS = 10_000

/**
 * Time limits of a task from its start in a thread, ms; the wait for a thread is not included. Typical durations: half
 * a second for a frame, a tenth of a second for a scan of one radar, a few seconds for motion or a score, some ten
 * seconds for a model file, up to a minute for a shard of tiles. Threads get a tenth of a core while other processes
 * are busy. A task that reaches its limit is considered stuck and is ended together with its thread.
 */
const LIMITS_MS: Readonly<Record<string, number>> = {
  frame: 60_000,
  'site-scan': 60_000,
  motion: 120_000,
  score: 120_000,
  sample: 240_000,
}
const DEFAULT_LIMIT_MS = 600_000

/**
 * Idle time after which a thread ends, ms. A thread has up to 120 MB, and a new thread starts within a quarter of a
 * second.
 */
const IDLE_MS = 10_000
/**
 * Time without a task after which this thread collects garbage, ms, because it holds the inputs and outputs of tasks.
 */
const REST_MS = 5000
/** Interval of garbage collections while tasks arrive without a pause. */
const BUSY_MS = 60_000

/**
 * Niceness of threads: if answers, alerts or the database also need the core, a thread gets a tenth of it
 * (docs/SCALE.md).
 */
const NICENESS = 10

/** @param threads maximum number of threads; each starts when it is first needed, and is replaced if it dies */
export function openPool({
  threads = availableParallelism(),
  limits = LIMITS_MS,
}: {
  threads?: number
  limits?: Readonly<Record<string, number>>
} = {}): Pool {
  const pool = new Piscina({
    filename: fileURLToPath(new URL('./pool-worker.ts', import.meta.url)),
    minThreads: 0,
    maxThreads: threads,
    // Until the idle time is over, threads keep their kernels and grid mappings between tasks.
    idleTimeout: IDLE_MS,
    niceIncrement: NICENESS,
    // A thread that waits for its next task without returning to its event loop never drops weak references and never
    // collects garbage.
    atomics: 'disabled',
    maxQueue: MAX_QUEUED_TASKS,
    taskQueue: new PriorityQueue(),
    stricterFIFO: true,
    recordTiming: false,
    trackUnmanagedFds: false,
  })
  // Without a listener these events would end the process: the death of an idle thread (the next task starts a new
  // thread), and the result of a task whose thread was being terminated. Errors of tasks reject their promises.
  pool.on('error', () => undefined)
  let closed = false
  let tasks = 0
  let count = 0
  /** Callbacks by task number, called when a thread begins with the task. */
  const begins = new Map<number, (thread: number) => void>()
  pool.on('message', ({ begun, thread }: Begun) => begins.get(begun)?.(thread))
  let idleTimer: NodeJS.Timeout | undefined
  const busy = new RareCollection(BUSY_MS)
  // Piscina replaces a thread that died only when the next task arrives, however many tasks are waiting.
  const restart = () => void pool.run({ kind: 'none' }).catch(() => undefined)
  return {
    size: threads,
    idle: () => Math.max(0, threads - tasks),
    async run<T>(task: { readonly kind: string }, transfer: readonly ArrayBuffer[] = [], priority = 0) {
      if (closed) throw new Error('pool: closed already')
      const urgency = URGENT.has(task.kind) ? Number.POSITIVE_INFINITY : priority
      const number = ++count
      const queued = { ...task, number, [Piscina.queueOptionsSymbol]: { urgency } }
      const limitMs = limits[task.kind] ?? DEFAULT_LIMIT_MS
      let timer: NodeJS.Timeout | undefined
      let isOver = false
      // No signal is used, because Piscina serves tasks with a signal last come, first served.
      begins.set(number, (thread) => {
        timer = setTimeout(() => {
          isOver = true
          void pool.threads.find(({ threadId }) => threadId === thread)?.terminate()
        }, limitMs)
      })
      let answer: PoolAnswer
      tasks++
      clearTimeout(idleTimer)
      try {
        answer = await pool.run(queued, { transferList: transfer as ArrayBuffer[] })
      } catch (error) {
        if (!closed && pool.queueSize > 0) restart()
        if (isOver) throw overLimit(task.kind, limitMs)
        throw closed ? new Error('pool: closed while a task was running', { cause: error }) : error
      } finally {
        clearTimeout(timer)
        begins.delete(number)
        tasks--
        busy.mayCollect()
        if (tasks === 0 && !closed) idleTimer = setTimeout(collectGarbage, REST_MS).unref()
      }
      if ('fault' in answer) throw revived(answer.fault)
      return answer.value as T
    },
    async close() {
      closed = true
      clearTimeout(idleTimer)
      await pool.destroy()
    },
  }
}

/** Returns the fault of a task whose input cannot be processed in a reasonable time, so that a retry is of no use. */
function overLimit(kind: string, limitMs: number): Fault {
  const end = 'The task was ended together with its thread. Save the file and report it.'
  return new Fault('Corrupt', `${kind}: not finished within ${limitMs / 1000} s. ${end}`)
}

/** Structured clone drops the class and members of a Fault, so they are sent as plain data. */
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
