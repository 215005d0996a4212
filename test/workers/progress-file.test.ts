import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ProgressFile, readProgress } from '../../bin/progress-file.ts'

test('shows the stages in progress to another process, but not if they are old, ended or in a broken file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hexcast-progress-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  let now = 1_000_000
  const row = { name: 'nbm conus 2026-11-23T19Z', text: 'stage 1: 100 files', done: 40, total: 100, secondsLeft: 12 }
  const file = new ProgressFile(folder, () => now)
  expect(await readProgress(folder, now)).toEqual([])
  file.write([row])
  await expect.poll(() => readProgress(folder, now)).toEqual([row])
  expect(await readProgress(folder, now + 10 * 60_000)).toEqual([])
  now += 10
  // The file is written at most once a second, except when the last stage has ended.
  file.write([{ ...row, done: 41 }])
  expect(await readProgress(folder, now)).toEqual([row])
  file.write([])
  await expect.poll(() => readProgress(folder, now)).toEqual([])
  now += 2000
  file.write([row])
  file.write([])
  await file.close()
  expect(await readdir(folder)).toEqual([])
  await writeFile(join(folder, 'progress.json'), '{"at":1,"rows":[{}]}')
  expect(await readProgress(folder, 1)).toEqual([])
})
