import { MINUTE } from '../../../../ingest/domain/time.ts'

const STEP = 5 * MINUTE
const BACK = 60 * MINUTE

/** The answer of `/page/radar/PRODUCT`. */
export interface RadarTimes {
  readonly title: string
  readonly unit: string
  readonly times: readonly string[]
  readonly nowcast_times: readonly string[]
  readonly legend: readonly { readonly from: number; readonly colour: string }[]
}

/** A radar picture: observed, or forecast from the newest scan. */
export interface RadarFrame {
  readonly at: number
  /** Identifies the picture. It contains the scan of a forecast, since the same moment is forecast again from every scan. */
  readonly key: string
  readonly forecast: boolean
}

/** The scans nearest to every five minutes of the last hour, the newest scan, and all times of the nowcast. */
export function framesOf({ times, nowcast_times: ahead }: RadarTimes): RadarFrame[] {
  const scans = times.map((time) => Date.parse(time)).sort((a, b) => a - b)
  const newest = scans.at(-1)
  if (newest === undefined) return []
  const selected = new Set([newest])
  for (let slot = Math.ceil((newest - BACK) / STEP) * STEP; slot < newest - STEP / 2; slot += STEP) {
    const near = scans.reduce((best, scan) => (Math.abs(scan - slot) < Math.abs(best - slot) ? scan : best))
    if (Math.abs(near - slot) <= STEP / 2) selected.add(near)
  }
  const observed = [...selected].sort((a, b) => a - b).map((at) => ({ at, key: `${at}`, forecast: false }))
  return [
    ...observed,
    ...ahead.map((time) => ({ at: Date.parse(time), key: `${time} from ${newest}`, forecast: true })),
  ]
}

export const newestScan = (frames: readonly RadarFrame[]) => frames.findLastIndex(({ forecast }) => !forecast)
