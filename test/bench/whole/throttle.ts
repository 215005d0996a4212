import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PERIOD_US = 100_000

/**
 * Limits a process and its later children to a third of the first core with a Linux control group, which needs root.
 * @returns a function that removes the group after the processes have ended
 */
export function throttle(pid: number): () => void {
  const quota = String(Math.round(PERIOD_US / 3))
  const [root, files] = existsSync('/sys/fs/cgroup/cgroup.controllers')
    ? ['/sys/fs/cgroup', { 'cpu.max': `${quota} ${PERIOD_US}` }]
    : ['/sys/fs/cgroup/cpu', { 'cpu.cfs_period_us': String(PERIOD_US), 'cpu.cfs_quota_us': quota }]
  const group = join(root, `hexcast-bench-${pid}`)
  try {
    mkdirSync(group)
    for (const [name, text] of Object.entries(files)) writeFileSync(join(group, name), text)
    writeFileSync(join(group, 'cgroup.procs'), String(pid))
  } catch (error) {
    throw new Error(`--throttle needs a control group of processors at ${root}, to be written by this user`, {
      cause: error,
    })
  }
  if (spawnSync('taskset', ['--all-tasks', '--cpu-list', '--pid', '0', String(pid)]).status !== 0)
    throw new Error('--throttle needs taskset')
  return () => rmdirSync(group)
}
