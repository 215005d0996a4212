import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { HOUR, runName } from '../../ingest/domain/time.ts'

// What an engineer on call types after a fault of our own, over the simulator: every verb in a process of its own.

test('a stored run is republished and rolled back from the command line', { timeout: 500_000 }, async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'hexcast-again-'))
  const env = {
    ...process.env,
    DATA_DIR: dataDir,
    UPSTREAM: 'simulated',
    DATABASE_URL: '',
    OBJECTS_URL: '',
    H3_RESOLUTION: '4',
  }
  const hexcast = (...words: string[]) =>
    new Promise<{ status: number; printed: string }>((resolve) => {
      const main = join(import.meta.dirname, '../../bin/main.ts')
      execFile(process.execPath, [main, ...words], { env }, (error, stdout, stderr) =>
        resolve({ status: error ? Number(error.code) : 0, printed: stdout + stderr }),
      )
    })
  const run = runName(Math.floor(Date.now() / HOUR) * HOUR - 3 * HOUR)
  const never = await hexcast('backfill', '--again', 'rtma', run)
  expect(never.printed).toContain(`the run is not stored, so it has no revision`)
  expect(never.status).toBe(1)

  expect((await hexcast('backfill', 'rtma', run)).status).toBe(0)
  const again = await hexcast('backfill', '--again', 'rtma', run)
  for (const domain of ['conus', 'alaska', 'hawaii'])
    expect(again.printed).toMatch(
      new RegExp(
        `rtma ${domain} ${run}: revision 1 is served; nothing changed: all \\d+ tiles are byte-identical to those of revision 0`,
      ),
    )
  expect(again.status).toBe(0)

  expect(await hexcast('rollback', 'rtma', 'hawaii', run)).toEqual({
    status: 0,
    printed: `rtma hawaii ${run}: revision 0 instead of 1, served from now on\n`,
  })
  const further = await hexcast('rollback', 'rtma', 'hawaii', run)
  expect(further.printed).toContain('no revision before the current one is stored')
  expect(further.status).toBe(1)
  // Only Hawaii was rolled back, and no number is used twice.
  const last = await hexcast('backfill', '--again', 'rtma', run)
  expect(last.printed).toMatch(
    new RegExp(`rtma hawaii ${run}: revision 2 is served; nothing changed: .* of revision 0`),
  )
  expect(last.printed).toMatch(new RegExp(`rtma conus ${run}: revision 2 is served; nothing changed: .* of revision 1`))
  await rm(dataDir, { recursive: true, force: true })
})
