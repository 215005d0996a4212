import type { Calibration, RawBinDay } from '../../ingest/domain/verification/calibration.ts'
import type { Queries } from '../session.ts'

/** Returns the corrections of the nowcasts of a day; undefined if none were learned yet. */
export async function storedCalibration(db: Queries, domain: string, day: string): Promise<Calibration | undefined> {
  const [row] = await db.query<{ learned: Calibration }>(
    'select learned from nowcast_calibration where domain = $1 and day = $2',
    [domain, day],
  )
  return row?.learned
}

/** Stores the corrections of a day. The first are kept, so that all nowcasts of a day have the same. */
export async function putCalibration(
  db: Queries,
  domain: string,
  day: string,
  learned: Calibration,
): Promise<Calibration> {
  await db.query(
    'insert into nowcast_calibration (domain, day, learned) values ($1, $2, $3::jsonb) on conflict (domain, day) do nothing',
    [domain, day, JSON.stringify(learned)],
  )
  return (await storedCalibration(db, domain, day)) ?? learned
}

/** Returns the sums of the probabilities before calibration over a period (UTC days, inclusive): some 2,400 rows a month. */
export function rawBinDays(db: Queries, domain: string, from: string, to: string): Promise<RawBinDay[]> {
  return db.query<RawBinDay & object>(
    `select lead, bin, day, points, probability, wet from nowcast_raw_day
     where domain = $1 and day between $2 and $3 order by lead, bin, day`,
    [domain, from, to],
  )
}
