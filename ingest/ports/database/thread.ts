import { Worker } from 'node:worker_threads'
import type { Parameter, Result, Session, SessionSource } from '../../../sql/session.ts'
import { Fault } from '../../domain/fault.ts'
import type { DatabaseThread, WorkerAnswer, WorkerAsk } from './database-worker.ts'
import { SessionQueue } from './turn.ts'

interface PendingStatement {
  resolve(result: Result): void
  reject(error: unknown): void
}

/**
 * Opens the embedded database of a folder, and returns it as a source of its single session. The caller must hold the folder's lock (see
 * lock.ts).
 */
export async function openThread(opened: DatabaseThread): Promise<SessionSource> {
  const worker = new Worker(new URL('./database-worker.ts', import.meta.url), {
    workerData: opened,
    execArgv: [],
  })
  const pending = new Map<number, PendingStatement>()
  const turn = new SessionQueue()
  let last = 0
  let failure: Error | undefined

  const failAll = (error: Error) => {
    failure ??= error
    for (const request of pending.values()) request.reject(failure)
    pending.clear()
  }
  worker.on('message', (answer: WorkerAnswer) => {
    const request = pending.get(answer.id)
    pending.delete(answer.id)
    if (pending.size === 0) worker.unref()
    if ('error' in answer) request?.reject(Object.assign(new Error(answer.error.message), answer.error))
    else request?.resolve({ rows: answer.rows, affected: answer.affected })
  })
  worker.on('error', (error) => failAll(error))
  worker.on('exit', (code) =>
    failAll(new Fault('Refused', `embedded database: its thread ended with code ${code}. Restart the process.`)),
  )

  const ask = (message: Omit<WorkerAsk, 'id'>, id = ++last): Promise<Result> => {
    if (failure) return Promise.reject(failure)
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject })
      worker.ref()
      if (id > 0) worker.postMessage({ id, ...message } satisfies WorkerAsk)
    })
  }
  await ask({}, 0)

  return {
    async run(text, parameters) {
      const end = await turn.acquire()
      return ask({ text, ...(parameters && { parameters }) }).finally(end)
    },
    async acquire(): Promise<Session> {
      const end = await turn.acquire()
      let released = false
      const release = () => {
        released = true
        end()
      }
      const run = (text: string, parameters?: readonly Parameter[]) => {
        if (released) return Promise.reject(new Error('database: this transaction has ended. Start another.'))
        return ask({ text, parameters })
      }
      return {
        run,
        finish: (text) => run(text).finally(release),
        release,
        breakOff() {
          ask({ text: 'rollback' }).catch(() => {})
        },
      }
    },
    async close() {
      if (failure) return
      const end = await turn.acquire()
      await ask({ close: true }).finally(end)
      failure = new Fault('Refused', 'embedded database: this process has closed it. Open it again.')
      await worker.terminate()
    },
  }
}
