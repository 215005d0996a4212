import { setTimeout as pause } from 'node:timers/promises'
import { valueSymbol } from 'piscina'
import { Fault, type FaultKind } from '../../ingest/domain/fault.ts'
import type { Pool, PoolAnswer } from '../../ingest/steps/pool-tasks.ts'
import runTask from '../../ingest/steps/pool-worker.ts'
import type { Random } from '../random.ts'
import type { Life } from './life.ts'

/** Runs the tasks of the pool in this thread, one after the other as threads would: with copies, transfers and some virtual time. */
export function simulatedPool(life: Life, random: Random): Pool {
  let tasks = 0
  return {
    size: 2,
    idle: () => Math.max(0, 2 - tasks),
    async run<T>(task: { readonly kind: string }, transfer: readonly ArrayBuffer[] = []) {
      tasks++
      try {
        return await life.call(async () => {
          await pause(random.between(20, 400))
          const copy = structuredClone(task, { transfer: transfer as ArrayBuffer[] })
          const result = runTask(copy as never) as { readonly [valueSymbol]?: PoolAnswer } & PoolAnswer
          const answer = result[valueSymbol] ?? result
          if ('fault' in answer) throw revived(answer.fault)
          return answer.value as T
        })
      } finally {
        tasks--
      }
    },
    close: async () => undefined,
  }
}

function revived({ kind, message, details }: { kind?: FaultKind; message: string; details: Record<string, unknown> }) {
  return kind ? new Fault(kind, message, details) : new Error(message)
}
