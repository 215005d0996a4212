import { statfs } from 'node:fs/promises'
import type { Config } from '../config.ts'
import { DAY, SECOND } from '../domain/time.ts'

/** Share of a disk below which the history of answers gives way: with half of it free, half of the days are kept. */
const FREE_SHARE = 0.2

/** Seconds for which objects of earlier answers are kept: HISTORY_DAYS, or less where the disk of the object folder is nearly full. */
export async function historySecondsOf(config: Pick<Config, 'historyDays' | 'objects'>): Promise<number> {
  const wanted = (config.historyDays * DAY) / SECOND
  if (config.objects.kind !== 'folder' || wanted === 0) return wanted
  const disk = await statfs(config.objects.folder).catch(() => undefined)
  return disk ? Math.floor(wanted * Math.min(1, disk.bavail / disk.blocks / FREE_SHARE)) : wanted
}
