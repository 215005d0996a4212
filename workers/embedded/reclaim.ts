import type { PgBoss } from 'pg-boss'
import { isFault } from '../../ingest/domain/fault.ts'

/** A process without a heartbeat for this long counts as dead, and other processes restart its work, s. */
export const HEARTBEAT_TIMEOUT_SECONDS = 20
/** Interval of checks for jobs of dead processes, s. */
const SUPERVISE_SECONDS = 5

export interface Reclaim {
  /**
   * Records from the result of each query whether the database is reachable, because no process can send heartbeats
   * while it is not.
   */
  watch<T>(answer: Promise<T>): Promise<T>
  start(boss: PgBoss, report: (error: unknown) => void): void
  stop(): Promise<void>
}

/**
 * Releases the jobs of dead processes and removes old jobs. A missing heartbeat does not prove that a process is dead
 * if the database was unreachable or this process has just started, so living processes first get time to send a new
 * heartbeat.
 */
export function createReclaim(): Reclaim {
  let reachableSince = performance.now()
  let timer: NodeJS.Timeout | undefined
  let supervision: Promise<void> | undefined

  async function supervise(boss: PgBoss): Promise<void> {
    await boss.getQueues()
    reachableSince = Math.min(reachableSince, performance.now())
    if (performance.now() - reachableSince >= HEARTBEAT_TIMEOUT_SECONDS * 1000) await boss.supervise()
  }

  return {
    async watch(answer) {
      try {
        return await answer
      } catch (error) {
        if (isFault(error, 'Refused')) reachableSince = Number.POSITIVE_INFINITY
        throw error
      }
    },
    start(boss, report) {
      timer = setInterval(() => {
        supervision ??= supervise(boss)
          .catch(report)
          .finally(() => {
            supervision = undefined
          })
      }, SUPERVISE_SECONDS * 1000)
    },
    async stop() {
      clearInterval(timer)
      await supervision
    },
  }
}
