import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { decodeMetar } from '../../ingest/decode/station/metar.ts'
import { HOUR } from '../../ingest/domain/time.ts'
import { observedOf } from '../../ingest/domain/verification/observed.ts'
import { openDatabase } from '../../ingest/ports/database/open.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { reportsFor } from '../../ingest/steps/verification/reports.ts'
import { putObservations } from '../../sql/queries/observations.ts'

const at = Date.UTC(2026, 9, 10, 15)
const folder = mkdtempSync(join(tmpdir(), 'verifying-reports-'))
let database: Database

beforeAll(async () => {
  database = await openDatabase({ dataDir: folder, databasePool: 2 })
  const reports = [
    // An AWOS without a gauge has rain between two reports of the hour.
    'METAR KAAA 101455Z AUTO 24008KT 9SM OVC020 09/08 A2992 RMK AO2',
    'METAR KAAA 101415Z AUTO 24008KT 5SM RA OVC020 09/08 A2992 RMK AO2',
    // The rain was in the previous hour.
    'METAR KBBB 101453Z AUTO 24008KT 9SM OVC020 09/08 A2992 RMK AO2',
    'METAR KBBB 101353Z AUTO 24008KT 5SM RA OVC020 09/08 A2992 RMK AO2 P0004',
    // A station with a gauge has a special report within the hour.
    'METAR KCCC 101453Z AUTO 24008KT 9SM OVC020 09/08 A2992 RMK AO2 RAB10E35 P0002',
    'SPECI KCCC 101412Z AUTO 24008KT 4SM RA OVC020 09/08 A2992 RMK AO2 RAB10 P0001',
  ].map((raw) => {
    const decoded = decodeMetar(raw, at)
    if (!('report' in decoded)) throw new Error(raw)
    return { ...decoded.report, lat: 40, lon: -100, elevation: null }
  })
  await putObservations(database, reports, 1)
}, 60_000)
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

it('treats an hour as dry only if no report of the station in it has precipitation', async () => {
  const reports = await reportsFor(database, at)
  const wet = (station: string) => observedOf(reports.get(station)!).wet
  expect([wet('KAAA'), wet('KBBB'), wet('KCCC')]).toEqual([Number.NaN, 0, 1])
  expect((await reportsFor(database, at - HOUR)).get('KBBB')?.precipitation).toBeCloseTo(1.016)
})
