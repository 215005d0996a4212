import { MAX_MISSING_HOURS } from '../../domain/dataset/season.ts'
import { nth } from '../../domain/nth.ts'
import { HOUR, type Instant } from '../../domain/time.ts'
import type { TimeZone } from '../../domain/timezone.ts'
import type { Cover } from '../../tile/cover.ts'
import type { PackedSlab } from '../../tile/slab.ts'
import { MISSING_CODE, SlabCodes } from '../../tile/slab-codes.ts'
import { NO_ZONE } from './cell-zones.ts'

/** The field of an hour. */
export interface HourSlab extends PackedSlab {
  readonly time: Instant
}

/** Returns the 23, 24 or 25 full hours of a local date. */
export function hoursOfDate(place: TimeZone, day: number): { readonly first: Instant; readonly end: Instant } {
  return {
    first: Math.ceil(place.startOfDay(day) / HOUR) * HOUR,
    end: Math.ceil(place.startOfDay(day + 1) / HOUR) * HOUR,
  }
}

/** Returns all hours that any of the zones has on a date. */
export function hoursOfDomain(zones: readonly TimeZone[], day: number): Instant[] {
  const spans = zones.map((place) => hoursOfDate(place, day))
  const first = Math.min(...spans.map((span) => span.first))
  const end = Math.max(...spans.map((span) => span.end))
  return Array.from({ length: Math.max(0, (end - first) / HOUR) }, (_, i) => first + i * HOUR)
}

export interface Extremes {
  readonly max: Int16Array
  readonly min: Int16Array
  /** A value is code × quantum + offset. */
  readonly quantum: number
  readonly offset: number
}

/** Returns the high and low of each cell's local date, midnight to midnight; missing if more than four of its hours are missing. */
export function dailyExtremes(
  cover: Cover,
  zones: readonly TimeZone[],
  zoneOf: Uint8Array,
  day: number,
  hours: readonly HourSlab[],
): Extremes {
  const { quantum, offset } = nth(hours, 0)
  const max = new Int16Array(cover.ids.length).fill(MISSING_CODE)
  const min = new Int16Array(cover.ids.length).fill(MISSING_CODE)
  const codes = new SlabCodes(cover)
  const spans = zones.map((place) => hoursOfDate(place, day))
  const least = spans.map(({ first, end }) => (end - first) / HOUR - MAX_MISSING_HOURS)
  for (let p = 0; p + 1 < cover.partCells.length; p++) {
    const begin = cover.partCells[p]!
    const count = cover.partCells[p + 1]! - begin
    const hasValue = new Uint8Array(count)
    for (const hour of hours) {
      const counts = spans.map(({ first, end }) => hour.time >= first && hour.time < end)
      if (!counts.includes(true)) continue
      const field = codes.unpack(hour, p)
      // Codes of an hour with another step are rounded to the step of the first hour.
      const scale = hour.quantum / quantum
      const shift = (hour.offset - offset) / quantum
      for (let i = 0; i < count; i++) {
        const code = field[i]!
        const place = zoneOf[begin + i]!
        if (code === MISSING_CODE || place === NO_ZONE || !counts[place]) continue
        const value = scale === 1 && shift === 0 ? code : Math.round(code * scale + shift)
        const at = begin + i
        if (hasValue[i]! === 0 || value > max[at]!) max[at] = value
        if (hasValue[i]! === 0 || value < min[at]!) min[at] = value
        hasValue[i]!++
      }
    }
    for (let i = 0; i < count; i++) {
      const place = zoneOf[begin + i]!
      if (place === NO_ZONE || hasValue[i]! === 0 || hasValue[i]! < nth(least, place))
        max[begin + i] = min[begin + i] = MISSING_CODE
    }
  }
  return { max, min, quantum, offset }
}
