import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'

const THREADS = '/proc/self/task'
/** The name that Node gives to V8's threads, which compile, mark and sweep. */
const HELPER = 'V8Worker'
/** Added to that of the process; 19 is the most there is. */
const NICENESS = 10

/**
 * V8's helper threads get a tenth of a core that the thread of requests, or a client on the same machine, wants too: an
 * answer during a collection waited for them, each for some 3 ms of the scheduler. Linux alone has priorities of
 * threads; elsewhere nothing happens.
 * @returns number of threads
 */
export function yieldHelperThreads(): number {
  if (process.platform !== 'linux') return 0
  const niceness = Math.min(19, getPriority() + NICENESS)
  return readdirSync(THREADS).filter((thread) => yields(thread, niceness)).length
}

function yields(thread: string, niceness: number): boolean {
  try {
    if (readFileSync(`${THREADS}/${thread}/comm`, 'utf8').trim() !== HELPER) return false
    setPriority(Number(thread), niceness)
    return true
  } catch {
    // Threads end, and a container may forbid it.
    return false
  }
}
