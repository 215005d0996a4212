import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DAY, dateText, HOUR, MINUTE } from '../../ingest/domain/time.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { calibrationOf } from '../../ingest/steps/frames/calibration.ts'
import { addScores } from '../../sql/queries/nowcast-scores.ts'
import { leadScore } from '../pages/scored-nowcasts.ts'

const TODAY = Date.parse('2026-08-20T00:00:00Z')

let folder: string
let database: Database
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-calibration-'))
  database = await openDatabase({ dataDir: folder, databasePool: 1 })
})
afterAll(async () => {
  await database.close()
  await rm(folder, { recursive: true, force: true })
})

/** Adds the scores of some frames whose probabilities are 40 points too high. */
async function addFrames(first: number, frames: number): Promise<void> {
  for (let k = 0; k < frames; k++) {
    const score = leadScore(30)
    const rawBins = score.rawBins.map((bin) => ({ ...bin, wet: Math.round(Math.max(0, bin.probability - 40)) }))
    await addScores(database, 'conus', new Date(first + 10 * k * MINUTE), [{ ...score, rawBins }])
  }
}

test('is learned from the days before that of the nowcast, and is the same for the whole day', async () => {
  for (let day = 1; day <= 3; day++) await addFrames(TODAY - day * DAY, 3)
  expect(await calibrationOf(database, 'conus', TODAY - DAY + HOUR)).toBeUndefined()
  const first = await calibrationOf(database, 'conus', TODAY + MINUTE)
  expect(first).toMatchObject({ firstDay: '2026-07-21', lastDay: '2026-08-19', leads: [{ lead: 30 }] })
  const highest = first?.leads[0]?.knots.at(-1)
  expect(highest?.at).toBeGreaterThan(0.9)
  expect(highest?.offset).toBeCloseTo(-0.4, 1)
  // Pairs of today, and late ones of yesterday, count from tomorrow on.
  await addFrames(TODAY + HOUR, 3)
  await addFrames(TODAY - HOUR, 3)
  expect(await calibrationOf(database, 'conus', TODAY + 23 * HOUR)).toEqual(first)
  const next = await calibrationOf(database, 'conus', TODAY + DAY)
  expect(next?.lastDay).toBe(dateText(TODAY / DAY))
  expect(next?.leads).not.toEqual(first?.leads)
  expect(await calibrationOf(database, 'hawaii', TODAY + DAY)).toBeUndefined()
})
