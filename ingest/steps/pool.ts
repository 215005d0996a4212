import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { Fault, type FaultKind } from '../domain/fault.ts'
import { collectGarbage, RareCollection } from '../ports/collect.ts'
import { PriorityQueue } from './pool-queue.ts'
import type { Begun, Pool, PoolAnswer } from './pool-tasks.ts'

/** Kinds of tasks with priority: a radar scan is useful for two minutes, a model field for an hour. */
const URGENT: ReadonlySet<string> = new Set(['frame', 'motion'])
/** Callers await their tasks, some hundreds at most; more is a bug. */
const MAX_QUEUED_TASKS = 10_000

/**
 * Limits of a task from its start in a thread, ms; the wait for a thread is not part of it. Typical: a frame half a second, a scan of one
 * radar a tenth, motion and a score a few seconds, a file of a model some ten, a shard of tiles up to a minute; threads get a tenth of a core
 * while others want it. A task at its limit hangs, and ends together with its thread.
 */
const LIMITS_MS: Readonly<Record<string, number>> = {
  frame: 60_000,
  'site-scan': 60_000,
  motion: 120_000,
  score: 120_000,
  sample: 240_000,
}
const DEFAULT_LIMIT_MS = 600_000

/** A thread that was idle for so long ends, ms: it has up to 120 MB, and another starts within a quarter of a second. */
const IDLE_MS = 10_000
/** After so long without a task the garbage of this thread is collected, which has what tasks read and wrote, ms. */
const REST_MS = 5000
/** Where tasks come all the time. */
const BUSY_MS = 60_000

/** Where a thread wants a core that answers, alerts or the database want too, it gets a tenth of it: see docs/SCALE.md. */
const NICENESS = 10

/** @param threads at most this many; each starts when it is first needed, and is replaced if it dies */
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
    // Until then threads keep their kernels and grid mappings between tasks.
    idleTimeout: IDLE_MS,
    niceIncrement: NICENESS,
    // A thread that waits for its next task without returning to its event loop never drops what is referred to weakly, or collects.
    atomics: 'disabled',
    maxQueue: MAX_QUEUED_TASKS,
    taskQueue: new PriorityQueue(),
    stricterFIFO: true,
    recordTiming: false,
    trackUnmanagedFds: false,
  })
  // Without a listener these would end the process: a thread that died while idle (the next task starts another one), and
  // the result of a task whose thread was being terminated. Errors of tasks reject their promises.
  pool.on('error', () => undefined)
  let closed = false
  let tasks = 0
  let count = 0
  /** By the numbers of the tasks: what to do when a thread begins with it. */
  const begins = new Map<number, (thread: number) => void>()
  pool.on('message', ({ begun, thread }: Begun) => begins.get(begun)?.(thread))
  let rest: NodeJS.Timeout | undefined
  const busy = new RareCollection(BUSY_MS)
  // Piscina replaces a thread that died when the next task comes, however many wait.
  const restart = () => void pool.run({ kind: 'none' }).catch(() => undefined)
  return {
    size: threads,
    idle: () => Math.max(0, threads - tasks),
    async run<T>(task: { readonly kind: string }, transfer: readonly ArrayBuffer[] = [], asked = 0) {
      if (closed) throw new Error('pool: closed already')
      const urgency = URGENT.has(task.kind) ? Number.POSITIVE_INFINITY : asked
      const number = ++count
      const queued = { ...task, number, [Piscina.queueOptionsSymbol]: { urgency } }
      const limitMs = limits[task.kind] ?? DEFAULT_LIMIT_MS
      let timer: NodeJS.Timeout | undefined
      let isOver = false
      // Not by a signal: Piscina serves tasks that have one last come, first served.
      begins.set(number, (thread) => {
        timer = setTimeout(() => {
          isOver = true
          void pool.threads.find(({ threadId }) => threadId === thread)?.terminate()
        }, limitMs)
      })
      let answer: PoolAnswer
      tasks++
      clearTimeout(rest)
      try {
        answer = await pool.run(queued, { transferList: transfer as ArrayBuffer[] })
      } catch (error) {
        if (!closed && pool.queueSize > 0) restart()
        if (isOver) throw overLimit(task.kind, limitMs)
        throw closed ? new Error('pool: closed while a task was under way', { cause: error }) : error
      } finally {
        clearTimeout(timer)
        begins.delete(number)
        tasks--
        busy.mayCollect()
        if (tasks === 0 && !closed) rest = setTimeout(collectGarbage, REST_MS).unref()
      }
      if ('fault' in answer) throw revived(answer.fault)
      return answer.value as T
    },
    async close() {
      closed = true
      clearTimeout(rest)
      await pool.destroy()
    },
  }
}

/** Its input cannot be processed in any reasonable time, so that trying again is of no use. */
function overLimit(kind: string, limitMs: number): Fault {
  const end = 'the task was ended with its thread; keep the file and report it'
  return new Fault('Corrupt', `${kind}: wanted an end within ${limitMs / 1000} s, got none: ${end}`)
}

/** Structured clone drops the class and members of a Fault: they are sent as plain data. */
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
