import { readdirSync, readFileSync } from 'node:fs'

/** Resources that a process has used in its whole life. */
export interface Use {
  readonly name: string
  /** Processor time of the threads, s. */
  readonly processor: number
  /** Resident memory now and largest so far, MB. */
  readonly resident: number
  readonly peak: number
}

/** Returns a process and its children by pid. */
export function usesOf(root: number): ReadonlyMap<number, Use> {
  const parents = new Map<number, number>()
  for (const entry of readdirSync('/proc'))
    if (/^\d+$/.test(entry)) {
      const parent = statOf(Number(entry))?.[1]
      if (parent !== undefined) parents.set(Number(entry), Number(parent))
    }
  const isOurs = (pid: number): boolean => pid === root || (parents.has(pid) && isOurs(parents.get(pid)!))
  const uses = new Map<number, Use>()
  for (const pid of parents.keys()) {
    const use = isOurs(pid) && useOf(pid)
    if (use) uses.set(pid, use)
  }
  return uses
}

/** Returns the sum of the proportional set sizes, MB; shared pages count once. */
export function proportionalOf(pids: Iterable<number>): number {
  let sum = 0
  for (const pid of pids) sum += kilobytes(read(pid, 'smaps_rollup'), 'Pss') / 1024
  return sum
}

/** Returns undefined if the process has ended. */
export function useOf(pid: number): Use | undefined {
  const status = read(pid, 'status')
  const stat = statOf(pid)
  if (!status || !stat) return undefined
  const words = read(pid, 'cmdline').split('\0')
  const file = words.findIndex((word) => /\.(ts|mjs|py)$/.test(word) || word === '-m')
  return {
    name: words
      .slice(Math.max(0, file), file + 2)
      .join(' ')
      .replace(/^.*\//, '')
      .trim(),
    processor: (Number(stat[11]) + Number(stat[12])) / 100,
    resident: kilobytes(status, 'VmRSS') / 1024,
    peak: kilobytes(status, 'VmHWM') / 1024,
  }
}

/** Returns the fields of /proc/PID/stat from the third onward. */
function statOf(pid: number): string[] | undefined {
  const text = read(pid, 'stat')
  return text ? text.slice(text.lastIndexOf(')') + 2).split(' ') : undefined
}

function kilobytes(text: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0)
}

/** Returns an empty text if the process has ended. */
function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}
