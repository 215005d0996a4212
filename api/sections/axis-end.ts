import { nth } from '../../ingest/domain/nth.ts'
import { HOUR, type Instant, isoSeconds } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import type { Column } from '../blend/fields.ts'
import type { MetaWarning } from '../contract.ts'

/** Columns that decide whether a row has any value at all. */
const principalColumns: readonly Column[] = [
  'temperature',
  'wind_speed',
  'cloud_cover',
  'precip_amount',
  'precip_probability',
  'pressure',
]

/** The last valid time for which any source has a value; rows end there. */
export function lastHour({ columns, start, count }: Forecast): Instant {
  let last = -1
  for (const name of principalColumns) {
    const values = columns[name]
    for (let h = count - 1; h > last; h--) if (!Number.isNaN(nth(values, h))) last = h
  }
  return start + last * HOUR
}

/** Returns the warning that a list ends before the requested hours. */
export function listEnds(section: string, last: Instant): MetaWarning {
  return { code: 'source_incomplete', section, detail: `No source has values after ${isoSeconds(last)}.` }
}
