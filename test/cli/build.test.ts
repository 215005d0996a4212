import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtPrograms } from '../../bin/build.ts'

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
