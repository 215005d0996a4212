import { putCalibration, rawBinDays, storedCalibration } from '../../../sql/queries/nowcast-calibration.ts'
import type { DomainId } from '../../domain/domain.ts'
import { DAY, dateText, type Instant } from '../../domain/time.ts'
import { CALIBRATION_DAYS, type Calibration, learnCalibration } from '../../domain/verification/calibration.ts'
import type { Database } from '../../ports/database.ts'

/**
 * Returns the corrections for the nowcasts of the day (UTC) of an anchor, learned at its first nowcast from the 30 days
 * before it. A pair counts to the day of the frame that verifies it, which is the anchor's or a later day, so no pair
 * that a correction was learned from is judged with it.
 * @returns undefined if no probability is corrected
 */
export async function calibrationOf(
  database: Database,
  domain: DomainId,
  anchor: Instant,
): Promise<Calibration | undefined> {
  const today = Math.floor(anchor / DAY)
  const day = dateText(today)
  const stored = await storedCalibration(database, domain, day)
  const calibration = stored ?? (await putCalibration(database, domain, day, await learned(database, domain, today)))
  return calibration.leads.length > 0 ? calibration : undefined
}

async function learned(database: Database, domain: DomainId, today: number): Promise<Calibration> {
  const [firstDay, lastDay] = [dateText(today - CALIBRATION_DAYS), dateText(today - 1)]
  return learnCalibration(await rawBinDays(database, domain, firstDay, lastDay), { firstDay, lastDay })
}
