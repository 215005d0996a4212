import type { PgBoss } from 'pg-boss'
import { isFault } from '../../ingest/domain/fault.ts'

/** A process without a heartbeat for so long counts as dead, and its work is restarted by others, s. */
export const HEARTBEAT_TIMEOUT_SECONDS = 20
/** Interval of checks for jobs of dead processes, s. */
const SUPERVISE_SECONDS = 5

export interface Reclaim {
  /** Every query goes through here: while the database is unreachable no process can send heartbeats. */
  asked<T>(answer: Promise<T>): Promise<T>
  start(boss: PgBoss, report: (error: unknown) => void): void
  stop(): Promise<void>
}

/**
 * Releases the jobs of dead processes, and old ones. Heartbeats that stopped while the database was unreachable, or before this
 * process could see them, are no proof: living processes get time to send new ones.
 */
export function createReclaim(): Reclaim {
  let answersSince = performance.now()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined

  async function supervise(boss: PgBoss): Promise<void> {
    await boss.getQueues()
    answersSince = Math.min(answersSince, performance.now())
    if (performance.now() - answersSince >= HEARTBEAT_TIMEOUT_SECONDS * 1000) await boss.supervise()
  }

  return {
    async asked(answer) {
      try {
        return await answer
      } catch (error) {
        if (isFault(error, 'Refused')) answersSince = Number.POSITIVE_INFINITY
        throw error
      }
    },
    start(boss, report) {
      timer = setInterval(() => {
        looking ??= supervise(boss)
          .catch(report)
          .finally(() => {
            looking = undefined
          })
      }, SUPERVISE_SECONDS * 1000)
    },
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}
