import { statfs } from 'node:fs/promises'
import { DAY, SECOND } from '../domain/time.ts'

/**
 * Free share of the disk below which the history of answers shrinks: if half of this share is free, half of the days
 * are kept.
 */
const FREE_SHARE = 0.2

/**
 * Returns the seconds for which objects of earlier answers are kept: HISTORY_DAYS, or less if the disk is nearly full.
 * @param folder the folder of the objects; undefined for a bucket, which has no limit
 */
export async function historySecondsOf(days: number, folder: string | undefined): Promise<number> {
  const seconds = (days * DAY) / SECOND
  if (folder === undefined || seconds === 0) return seconds
  const disk = await statfs(folder).catch(() => undefined)
  return disk ? Math.floor(seconds * Math.min(1, disk.bavail / disk.blocks / FREE_SHARE)) : seconds
}
