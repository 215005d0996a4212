import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { builtPrograms } from '../../bin/build.ts'

const caches = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))

/** Processes of esbuild that this one has started. */
function builders(): string[] {
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  )
  return children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('esbuild'))
}

test('the programs are built once for the same sources, and run', async () => {
  const folder = (await builtPrograms())!
  expect(readdirSync(folder)).toEqual(
    expect.arrayContaining(['main.mjs', 'child.mjs', 'pool-worker.mjs', 'database-worker.mjs', 'radar-thread.mjs']),
  )
  const made = statSync(folder).mtimeMs
  expect(await builtPrograms()).toBe(folder)
  expect(statSync(folder).mtimeMs).toBe(made)
  const shown = execFileSync(process.execPath, [join(folder, 'main.mjs'), '--help'], { encoding: 'utf8' })
  expect(shown).toContain('usage: npx hexcast VERB')
  expect(shown).toMatch(/^ {2}start /m)
})

test.skipIf(process.platform !== 'linux')('the process that builds, with its 500 MB, ends', async () => {
  const cache = mkdtempSync(join(caches, 'hexcast-test-'))
  try {
    const before = builders()
    const building = builtPrograms(cache)
    await vi.waitFor(() => expect(builders().length).toBeGreaterThan(before.length), { timeout: 10_000, interval: 5 })
    expect(await building).toMatch(/programs-/)
    await vi.waitFor(() => expect(builders()).toEqual(before), { timeout: 10_000 })
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
})

test('where the programs cannot be built, the log says why, and that their sources run', async () => {
  const folder = mkdtempSync(join(caches, 'hexcast-test-'))
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    expect(await builtPrograms(file)).toBeUndefined()
    expect(log.mock.calls.join()).toMatch(/could not be built in .*file: .*Their sources run/s)
  } finally {
    log.mockRestore()
    rmSync(folder, { recursive: true, force: true })
  }
})
