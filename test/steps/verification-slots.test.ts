import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { skillOf, stationSkill } from '../../api/answer/skill.ts'
import { packSums } from '../../ingest/domain/verification/packed-sums.ts'
import { slotsOf, type VerifiedVariable } from '../../ingest/domain/verification/statistics.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { sumsByDay } from '../../sql/queries/verification-sums.ts'
import { putScoredDays } from '../pages/scored-days.ts'

const folder = mkdtempSync(join(tmpdir(), 'hexcast-slots-'))
const now = Date.UTC(2026, 2, 10, 3)
let database: Database
beforeAll(async () => {
  database = await openDatabase({ dataDir: folder, databasePool: 2 })
  await putScoredDays(database, now, { days: 8, every: 300 })
}, 60_000)
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The slots that had sums before RRFS was verified: sources with their leads, in the order of the stored sums. */
const EARLIER = {
  temperature: [
    ...['blend', 'nbm'].flatMap((source) => [1, 3, 6, 12, 24, 48, 72, 120, 168].map((lead) => `${source}/${lead}`)),
    ...[1, 3, 6, 12, 24, 48].map((lead) => `hrrr/${lead}`),
    ...['gfs', 'persistence'].flatMap((source) =>
      [1, 3, 6, 12, 24, 48, 72, 120, 168].map((lead) => `${source}/${lead}`),
    ),
    'rtma/0',
  ],
  high: [
    ...['blend', 'nbm'].flatMap((source) => [24, 48, 72, 120, 168].map((lead) => `${source}/${lead}`)),
    'hrrr/24',
    ...['gfs', 'persistence'].flatMap((source) => [24, 48, 72, 120, 168].map((lead) => `${source}/${lead}`)),
  ],
} satisfies Partial<Record<VerifiedVariable, string[]>>

test('keeps the places of stored sums, and appends those of RRFS', () => {
  const names = (variable: VerifiedVariable) =>
    slotsOf(variable).map(({ source, leadHours }) => `${source}/${leadHours}`)
  expect(names('temperature')).toEqual([
    ...EARLIER.temperature,
    ...[1, 3, 6, 12, 24, 48, 72].map((lead) => `rrfs/${lead}`),
  ])
  expect(names('high')).toEqual([...EARLIER.high, 'rrfs/24', 'rrfs/48'])
})

test('reads sums that were stored before RRFS was verified', async () => {
  const request = { days: 30, units: 'metric', now } as const
  const read = async (variable: 'temperature' | 'high') => {
    const { figures } = await skillOf(database, { ...request, variable })
    const { stations } = await stationSkill(database, { ...request, variable, source: 'blend', lead: 24 })
    const rrfs = await stationSkill(database, { ...request, variable, source: 'rrfs', lead: 24 })
    return { figures, stations, rrfs: rrfs.stations.length }
  }
  for (const variable of ['temperature', 'high'] as const) {
    const before = await read(variable)
    expect(before.figures.some(({ source }) => source === 'rrfs')).toBe(true)
    await database.query(
      `update verification_part set sums = substring(sums for ends[$2::int]), ends = ends[1:$2::int] where variable = $1`,
      [variable, EARLIER[variable].length],
    )
    expect(await read(variable)).toEqual({
      figures: before.figures.filter(({ source }) => source !== 'rrfs'),
      stations: before.stations,
      rrfs: 0,
    })
  }
})

test('packs sums of an earlier version that have no slots of RRFS', async () => {
  const [day] = await sumsByDay(database, {
    ...{ kind: 'all', areas: ['US'], variable: 'wind_speed', from: '2026-01-01', to: '2026-12-31' },
  })
  if (!day) throw new Error('a day must be stored')
  const slots = EARLIER.temperature.length
  const { ends, bytes } = packSums('wind_speed', [day.sums.slice(0, 3 * slots)])
  expect(ends.slice(slots)).toEqual(Array.from({ length: 7 }, () => bytes.length))
  expect(ends.slice(0, slots)).toEqual(packSums('wind_speed', [day.sums]).ends.slice(0, slots))
})
