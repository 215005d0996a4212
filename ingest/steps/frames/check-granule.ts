import type { Flash, Granule } from '../../decode/glm.ts'
import { Fault } from '../../domain/fault.ts'
import type { QuarantineReason } from '../../domain/quarantine.ts'
import { mapperSees } from '../../domain/shape/field-of-view.ts'
import { type Instant, isoSeconds, SECOND } from '../../domain/time.ts'

/** Share of good flashes that may lie outside the field of view or the 20 seconds; 0.2 % of recorded flashes do. */
const MAX_ODD_SHARE = 0.05
const MAX_BEFORE_MS = 5 * SECOND
const MAX_AFTER_MS = 30 * SECOND
const GRANULE_MS = 20 * SECOND
/** Longitudes of both satellites and of the spare positions, degrees. */
const SUBPOINTS = [-145, -60] as const

/**
 * Returns the flashes of a file that the satellite saw in the 20 seconds of the file. A different unit or sentinel
 * results in positions that the satellite does not see: GLM's time offsets were milliseconds until 2018, some without
 * the attribute for unsigned numbers.
 * @throws Fault Corrupt if the file is of a different satellite or time than its name, or if many flashes are out of
 * view or out of time
 */
export function flashesInView(granule: Granule, name: string, satellite: string, time: Instant): readonly Flash[] {
  const { start, end, subpoint, flashes } = granule
  const corrupt = (reason: QuarantineReason, detail: string) =>
    new Fault('Corrupt', `${name}: ${detail}. Fetch the file again.`, { reason })
  if (granule.satellite !== satellite || Math.abs(start - time) > SECOND) {
    throw corrupt(
      'time',
      `satellite and time must be those of the name, but are ${granule.satellite} and ${isoSeconds(start)}`,
    )
  }
  if (!(Math.abs(end - start - GRANULE_MS) <= 2 * SECOND)) {
    throw corrupt('time', `must cover 20 seconds, but covers ${(end - start) / SECOND}`)
  }
  if (!(subpoint > SUBPOINTS[0] && subpoint < SUBPOINTS[1])) {
    throw corrupt('grid', `the satellite must be over ${SUBPOINTS.join(' to ')} degrees, but is over ${subpoint}`)
  }
  const visibleFlashes = flashes.filter(
    (flash) =>
      mapperSees(subpoint, flash.lat, flash.lon) &&
      flash.time >= start - MAX_BEFORE_MS &&
      flash.time <= start + MAX_AFTER_MS,
  )
  const odd = flashes.length - visibleFlashes.length
  if (odd > 1 + flashes.length * MAX_ODD_SHARE) {
    throw corrupt('range', `${odd} of ${flashes.length} flashes are outside its view or time`)
  }
  return visibleFlashes
}
