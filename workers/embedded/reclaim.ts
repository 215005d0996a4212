import type { PgBoss } from 'pg-boss'
import { isFault } from '../../ingest/domain/fault.ts'

/** Without a sign of life for so long a process is taken for dead, and what it worked on is begun again by others, s. */
export const HEARTBEAT_TIMEOUT_SECONDS = 20
/** Between two looks for what dead processes left, s. */
const SUPERVISE_SECONDS = 5

export interface Reclaim {
  /** Every question to the database goes through here: while it is away nobody can give a sign of life. */
  asked<T>(answer: Promise<T>): Promise<T>
  start(boss: PgBoss, report: (error: unknown) => void): void
  stop(): Promise<void>
}

/**
 * Releases the jobs of dead processes, and old ones. Signs of life that stopped while the database was away, or before this
 * process could see them, are no proof of death: living processes get time to send new ones.
 */
export function createReclaim(): Reclaim {
  let answersSince = performance.now()
  let timer: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined

  async function look(boss: PgBoss): Promise<void> {
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
        looking ??= look(boss)
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
