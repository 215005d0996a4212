import { Worker } from 'node:worker_threads'
import { Fault } from '../../ingest/domain/fault.ts'
import type { MapPicture, MapTask } from './map-task.ts'

/** Number of threads that draw. They are started when they are first needed. */
const THREADS = 2
/** Maps of one caller that are drawn at the same time. */
export const RUNNING_PER_CALLER = 1
/** Maximum number of queued maps of one caller. */
export const WAITING_PER_CALLER = 4
/** Maximum number of queued maps of all callers. */
const MAX_QUEUED_MAPS = 32
/** A thread that takes longer for a map is terminated. */
const PAINT_TIMEOUT_MS = 20_000

/** Draws maps in separate threads, so that no map blocks the event loop. */
export interface MapPainter {
  /**
   * Draws a map.
   * @throws Fault Refused if too many maps wait; `details.perCaller` is true if they are maps of this caller, and `details.retryAfter` is the
   * time to wait in seconds
   */
  paint(task: MapTask, caller: string, signal: AbortSignal): Promise<MapPicture>
  close(): Promise<void>
}

interface PainterJob {
  readonly id: number
  readonly caller: string
  readonly task: MapTask
  readonly settle: (picture: MapPicture | undefined, error?: unknown) => void
}

interface PainterReply {
  readonly id: number
  readonly picture?: MapPicture
  readonly error?: string
}

/** Opens a painter with the given number of threads. */
export function openMapPainter(threads = THREADS): MapPainter {
  const waiting: PainterJob[] = []
  /** The map that each thread is drawing; undefined for an idle thread. */
  const running = new Map<Worker, PainterJob | undefined>()
  let count = 0
  let closed = false
  const runningOf = (caller: string) => [...running.values()].filter((job) => job?.caller === caller).length

  function start(): Worker {
    const worker = new Worker(new URL('./map-thread.ts', import.meta.url))
    running.set(worker, undefined)
    worker.unref()
    worker.on('message', ({ id, picture, error }: PainterReply) => {
      const job = running.get(worker)
      if (job?.id !== id) return
      running.set(worker, undefined)
      worker.unref()
      job.settle(picture, picture ? undefined : new Error(`map: ${error}`))
      next()
    })
    const onLoss = (error: Error) => {
      const job = running.get(worker)
      if (!running.delete(worker)) return
      job?.settle(undefined, error)
      if (!closed) next()
    }
    worker.on('error', onLoss)
    worker.on('exit', (code) => onLoss(new Error(`map: the drawing thread ended with code ${code}; try again`)))
    return worker
  }

  /** Starts, on an idle thread, the first queued map whose caller has no map being drawn. */
  function next(): void {
    for (;;) {
      const at = waiting.findIndex(({ caller }) => runningOf(caller) < RUNNING_PER_CALLER)
      if (at < 0) return
      const idle = [...running].find(([, job]) => !job)?.[0] ?? (running.size < threads ? start() : undefined)
      if (!idle) return
      const [job] = waiting.splice(at, 1)
      if (!job) return
      const late = setTimeout(() => running.get(idle)?.id === job.id && void idle.terminate(), PAINT_TIMEOUT_MS)
      running.set(idle, {
        ...job,
        settle: (picture, error) => {
          clearTimeout(late)
          job.settle(picture, error)
        },
      })
      idle.ref()
      idle.postMessage({ id: job.id, task: job.task })
    }
  }

  return {
    async paint(task, caller, signal) {
      signal.throwIfAborted()
      const ownCount = waiting.filter((job) => job.caller === caller).length
      const perCaller = ownCount >= WAITING_PER_CALLER
      if (perCaller || waiting.length >= MAX_QUEUED_MAPS)
        throw new Fault('Refused', 'too many maps wait to be drawn; try again in 5 seconds', {
          retryAfter: 5,
          perCaller,
        })
      return new Promise<MapPicture>((resolve, reject) => {
        const abort = () => {
          const at = waiting.indexOf(job)
          if (at >= 0) waiting.splice(at, 1)
          reject(signal.reason)
        }
        const job: PainterJob = {
          id: ++count,
          caller,
          task,
          settle: (picture, error) => {
            signal.removeEventListener('abort', abort)
            if (picture) resolve(picture)
            else reject(error)
          },
        }
        signal.addEventListener('abort', abort, { once: true })
        waiting.push(job)
        next()
      })
    },
    async close() {
      closed = true
      for (const job of waiting.splice(0)) job.settle(undefined, new Error('map: the server is stopping'))
      await Promise.all([...running.keys()].map((worker) => worker.terminate()))
    },
  }
}
