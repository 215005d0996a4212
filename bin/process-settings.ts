import { readdirSync, readFileSync } from 'node:fs'
import { getPriority, setPriority } from 'node:os'
import { collectGarbage } from '../ingest/ports/collect.ts'

/**
 * Settings of the C library and of V8 for the processes that serve, each with its reason and its measured gain. The
 * figures and the commands that measure them are in docs/decisions/0010-process-settings-and-built-programs.md.
 */

/**
 * Environment of the C library, which reads it at its start. By default each thread has an arena of 64 MB, and buffers
 * below 32 MB are cut from arenas and leave holes in them; a read from a socket takes 64 KB. Without these settings the
 * whole system takes 197 MB more (1,151 instead of 954 MB).
 */
export const mallocSettings = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '65536' }

/**
 * Sizes of V8's young generation in a process that answers requests. With 8 MB or more from the start, minor
 * collections are rare: the p99 of the first 1,500 answers is 2.6 to 3.8 ms, and 3.4 to 6.3 ms by default.
 */
export const answeringOptions: readonly string[] = ['--max-semi-space-size=16', '--min-semi-space-size=8']

/**
 * Size of V8's young generation in other processes, where no request waits for collections. By default a young
 * generation has up to 134 MB. Without both settings the whole system takes 485 MB more (1,439 instead of 954 MB).
 */
export const workingOptions: readonly string[] = ['--max-semi-space-size=2']

/**
 * Settles a process that answers requests: lowers the priority of V8's helper threads now, and collects the garbage of
 * the start once when `started` resolves. Half of the heap is then garbage, which V8 would otherwise collect only after
 * some thousand requests. With all collections of idle threads (`ingest/ports/collect.ts`) the whole system takes 173
 * MB less (954 instead of 1,127 MB).
 */
export function settle(started: Promise<unknown>): void {
  lowerHelperThreads()
  void started.then(collectGarbage)
}

const THREADS = '/proc/self/task'
/** Name that Node gives to V8's helper threads, which compile and collect garbage. */
const HELPER_NAME = 'V8Worker'
/** Amount that is added to the niceness of the process; the maximum niceness is 19. */
const NICENESS = 10

/**
 * Lowers the priority of V8's helper threads, so that an answer does not wait for them during a collection: the p99 of
 * the first 1,500 answers is then 2.2 to 2.8 ms instead of 2.6 to 3.8 ms. Only Linux has priorities of threads.
 * @returns number of threads
 */
export function lowerHelperThreads(): number {
  if (process.platform !== 'linux') return 0
  const niceness = Math.min(19, getPriority() + NICENESS)
  return readdirSync(THREADS).filter((thread) => lowerIfHelper(thread, niceness)).length
}

function lowerIfHelper(thread: string, niceness: number): boolean {
  try {
    if (readFileSync(`${THREADS}/${thread}/comm`, 'utf8').trim() !== HELPER_NAME) return false
    setPriority(Number(thread), niceness)
    return true
  } catch {
    // The change fails if the thread has ended or the container forbids it.
    return false
  }
}
