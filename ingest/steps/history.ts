import { statfs } from 'node:fs/promises'
import { DAY, SECOND } from '../domain/time.ts'

/** Share of a disk below which the history of answers gives way: with half of it free, half of the days are kept. */
const FREE_SHARE = 0.2

/**
 * Seconds for which objects of earlier answers are kept: the days of HISTORY_DAYS, or less where the disk is nearly full.
 * @param folder of the objects; undefined for a bucket, which has no end
 */
export async function historySecondsOf(days: number, folder: string | undefined): Promise<number> {
  const wanted = (days * DAY) / SECOND
  if (folder === undefined || wanted === 0) return wanted
  const disk = await statfs(folder).catch(() => undefined)
  return disk ? Math.floor(wanted * Math.min(1, disk.bavail / disk.blocks / FREE_SHARE)) : wanted
}
