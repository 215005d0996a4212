import type { Column } from '../blend/columns.ts'
import { membersText, readFrom } from '../present/members.ts'
import type { Quantity, Units } from '../present/units.ts'
import type { RadarAtPoint } from './section.ts'

/** What Current shows: columns at one time, and what the radar sees. */
export interface Seen {
  readonly values: Readonly<Partial<Record<Column, number>>>
  readonly radar?: RadarAtPoint
}

const column = (name: Column, quantity: Quantity) =>
  readFrom(name, quantity, ({ values }: Seen) => values[name] ?? Number.NaN)
/** Air quality is not held. */
const notHeld = (name: string) => readFrom(name, 'whole', (_: Seen) => Number.NaN)

/** The numbers of Current up to its type of precipitation, in the order of the answer. */
const fields = [
  column('temperature', 'temperature'),
  column('feels_like', 'temperature'),
  column('humidity', 'percent'),
  column('dew_point', 'temperature'),
  column('pressure', 'pressure'),
  column('wind_speed', 'wind_speed'),
  column('wind_gust', 'wind_speed'),
  column('wind_direction', 'direction'),
  column('visibility', 'visibility'),
  column('cloud_cover', 'percent'),
  column('cloud_ceiling', 'altitude'),
  column('cloud_cover_low', 'percent'),
  column('cloud_cover_mid', 'percent'),
  column('cloud_cover_high', 'percent'),
  column('uv_index', 'tenth'),
  ...['aqi', 'pm25', 'ozone', 'pm10'].map(notHeld),
  readFrom('precip_rate', 'precip_amount', ({ radar }: Seen) => radar?.precipRate ?? Number.NaN),
  readFrom('precip_24h', 'millimetre', ({ radar }: Seen) => radar?.precip24h ?? Number.NaN),
]

/** As members, each with its comma before it. */
export function currentNumbers(seen: Seen, units: Units): string {
  return membersText(fields, seen, units)
}
