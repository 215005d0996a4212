import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildPrograms, currentPrograms } from '../../bin/build.ts'
import { WORKFLOWS_FILE } from '../../workers/temporal/names.ts'

const caches = fileURLToPath(new URL('../../node_modules/.cache/', import.meta.url))
let cache: string

beforeAll(() => {
  cache = mkdtempSync(join(caches, 'hexcast-test-'))
})
afterAll(() => rmSync(cache, { recursive: true, force: true }))

/** Ids of the processes of esbuild that this process has started. */
function esbuildProcesses(): string[] {
  const children = readdirSync('/proc/self/task').flatMap((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
  )
  return children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('esbuild'))
}

test('builds the programs once for the same sources, and they run', async () => {
  expect(await currentPrograms(cache)).toBeUndefined()
  const folder = await buildPrograms(cache)
  expect(readdirSync(folder)).toEqual(
    expect.arrayContaining(['main.mjs', 'child.mjs', 'pool-worker.mjs', 'database-worker.mjs', 'radar-thread.mjs']),
  )
  const builtAt = statSync(folder).mtimeMs
  // A worker on Temporal runs the bundle of its workflows, in which no path of this machine is.
  const workflows = readFileSync(join(folder, WORKFLOWS_FILE), 'utf8')
  const map = workflows.slice(workflows.lastIndexOf(';base64,') + ';base64,'.length)
  const root = fileURLToPath(new URL('../..', import.meta.url))
  expect(workflows).toContain('watchRuns')
  expect([workflows, Buffer.from(map, 'base64').toString()].some((text) => text.includes(root))).toBe(false)
  expect(await buildPrograms(cache)).toBe(folder)
  expect(await currentPrograms(cache)).toBe(folder)
  expect(statSync(folder).mtimeMs).toBe(builtAt)
  const help = execFileSync(process.execPath, [join(folder, 'main.mjs'), '--help'], { encoding: 'utf8' })
  expect(help).toContain('usage: npx hexcast VERB')
  expect(help).toMatch(/^ {2}start /m)
})

test.skipIf(process.platform !== 'linux')('ends the process of esbuild, which has 500 MB', async () => {
  const emptyCache = join(cache, 'empty')
  const processesBefore = esbuildProcesses()
  const building = buildPrograms(emptyCache)
  await vi.waitFor(() => expect(esbuildProcesses().length).toBeGreaterThan(processesBefore.length), {
    timeout: 10_000,
    interval: 5,
  })
  expect(await building).toMatch(/programs-/)
  await vi.waitFor(() => expect(esbuildProcesses()).toEqual(processesBefore), { timeout: 10_000 })
})

test('rejects if the programs cannot be written', async () => {
  const file = join(cache, 'file')
  writeFileSync(file, '')
  await expect(buildPrograms(file)).rejects.toThrow(/file/)
})
