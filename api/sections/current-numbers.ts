import type { AirQuality, Pollutant } from '../../ingest/domain/air-quality.ts'
import type { Column } from '../blend/columns.ts'
import type { RadarAtPoint } from '../contract.ts'
import { membersText, readFrom } from '../present/members.ts'
import type { Quantity } from '../present/units.ts'

/** Inputs of Current: columns at one time, radar, and air quality near by. */
export interface Seen {
  readonly values: Readonly<Partial<Record<Column, number>>>
  readonly radar?: RadarAtPoint
  readonly air?: AirQuality
}

const column = (name: Column, quantity: Quantity) =>
  readFrom(name, quantity, ({ values }: Seen) => values[name] ?? Number.NaN)
const index = (name: Pollutant) => readFrom(name, 'whole', ({ air }: Seen) => air?.readings[name]?.aqi ?? Number.NaN)

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
  readFrom('aqi', 'whole', ({ air }: Seen) => air?.aqi ?? Number.NaN),
  ...(['pm25', 'ozone', 'pm10'] as const).map(index),
  readFrom('precip_rate', 'precip_amount', ({ radar }: Seen) => radar?.precipRate ?? Number.NaN),
  readFrom('precip_24h', 'millimetre', ({ radar }: Seen) => radar?.precip24h ?? Number.NaN),
]

/** As members, each with its comma before it. */
export const currentNumbers = membersText(fields)
