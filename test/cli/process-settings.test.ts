import { execFileSync } from 'node:child_process'
import { getPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const impossible = process.platform !== 'linux' || getPriority() === 19

test.skipIf(impossible)("lowers the priority of V8's helper threads and of no other thread", () => {
  const module = fileURLToPath(new URL('../../bin/process-settings.ts', import.meta.url))
  const program = `
    const { getPriority } = await import('node:os')
    const { readdirSync, readFileSync } = await import('node:fs')
    const { lowerHelperThreads } = await import(${JSON.stringify(module)})
    const lowered = lowerHelperThreads()
    const threads = readdirSync('/proc/self/task').map((id) =>
      [readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim(), getPriority(Number(id))])
    console.log(JSON.stringify({ lowered, threads }))`
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  const { lowered, threads } = JSON.parse(printed) as { lowered: number; threads: [string, number][] }
  const processNiceness = Math.min(...threads.map(([, niceness]) => niceness))
  expect(lowered).toBeGreaterThan(0)
  expect(threads.filter(([, niceness]) => niceness > processNiceness).map(([name]) => name)).toEqual(
    Array(lowered).fill('V8Worker'),
  )
})
