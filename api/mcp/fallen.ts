import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import { pixelOf } from '../../ingest/tile/frame.ts'
import { stateOfCode } from '../../ingest/tile/frame-read.ts'
import type { RadarHeld } from '../radar-held.ts'
import type { PointAt } from '../sections/section.ts'

export const HOURLY_TOTALS = 'mrms-qpe-1h'

export interface Fallen {
  readonly state: 'no_coverage' | 'dry' | 'value'
  readonly mm: number
}

/** What fell in hours that follow each other, up to `end`, by the hourly totals that are held; undefined where one is not. */
export async function fallen(
  radar: RadarHeld,
  { lat, lon, domain }: PointAt,
  end: Instant,
  hours: number,
): Promise<Fallen | undefined> {
  let mm = 0
  let state: Fallen['state'] = 'dry'
  for (let hour = 0; hour < hours; hour++) {
    const frame = await radar.at(HOURLY_TOTALS, domain, end - hour * HOUR).catch(() => undefined)
    if (!frame) return undefined
    const pixel = pixelOf(frame.head.grid, lat, lon)
    const [x, y] = [Math.round(pixel.x), Math.round(pixel.y)]
    const code = (await frame.load([{ left: x, top: y, right: x, bottom: y }])).code(x, y)
    const here = stateOfCode(code)
    if (here === 'no_coverage') return { state: here, mm: 0 }
    if (here !== 'value') continue
    state = here
    mm += frame.value(code) ?? 0
  }
  return { state, mm }
}
