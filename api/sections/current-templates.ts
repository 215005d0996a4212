import type { Instant } from '../../ingest/domain/time.ts'
import { type AirQuality, AQI_CATEGORIES, type Pollutant } from '../../ingest/domain/weather/air-quality.ts'
import { type KnownWords, knownWords } from '../../ingest/domain/weather/conditions.ts'
import { precipTypes } from '../../ingest/domain/weather/precip-type.ts'
import type { Column } from '../blend/fields.ts'
import type { LightningAtPoint, RadarAtPoint } from '../contract.ts'
import { type BoundMember, bound, boundTemplate, choice, flag, instant, number } from '../present/members.ts'
import { perUnits } from '../present/template.ts'
import type { Quantity } from '../present/units.ts'
import { ceilingUnlimitedMembers, wordsCode } from './words.ts'

/** Inputs of Current: columns at one time, radar, lightning, and air quality nearby. */
export interface CurrentInputs {
  readonly time: Instant
  readonly values: Readonly<Partial<Record<Column, number>>>
  readonly ceilingUnlimited: boolean
  readonly radar?: RadarAtPoint
  readonly lightning?: LightningAtPoint
  readonly air?: AirQuality
  /** Index in `precipTypes`. */
  readonly precipType: number
  readonly words: KnownWords | undefined
  readonly severe: boolean
}

const numeric = (name: string, quantity: Quantity, read: (inputs: CurrentInputs) => number | null | undefined) =>
  bound(name, number(quantity), (inputs: CurrentInputs) => read(inputs) ?? Number.NaN)
const column = (name: Column, quantity: Quantity) => numeric(name, quantity, ({ values }) => values[name])
const index = (name: Pollutant) => numeric(name, 'whole', ({ air }) => air?.readings[name]?.aqi)

const beforeDensity: readonly BoundMember<CurrentInputs>[] = [
  bound('time', instant, ({ time }) => time),
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
  numeric('aqi', 'whole', ({ air }) => air?.aqi),
  ...(['pm25', 'ozone', 'pm10'] as const).map(index),
  numeric('precip_rate', 'precip_amount', ({ radar }) => radar?.precipRate),
  numeric('precip_24h', 'millimetre', ({ radar }) => radar?.precip24h),
  {
    oneOf: [{}, ...AQI_CATEGORIES.map((category) => ({ aqi_category: category }))],
    read: ({ air }) => (air?.category ? AQI_CATEGORIES.indexOf(air.category) + 1 : 0),
  },
  bound('precip_type', choice(precipTypes), ({ precipType }) => precipType),
]

const afterDensity: readonly BoundMember<CurrentInputs>[] = [
  numeric('lightning_prob', 'percent', ({ lightning }) => lightning?.probability),
  numeric('lightning_flashes', 'whole', ({ lightning }) => lightning?.flashes),
  {
    oneOf: [
      { conditions: 'Unknown', icon: 'unknown' },
      ...knownWords.map(({ conditions, icon }) => ({ conditions, icon })),
    ],
    read: ({ words }) => wordsCode(words),
  },
  bound('severe', flag, ({ severe }) => Number(severe)),
  {
    ...ceilingUnlimitedMembers,
    read: ({ ceilingUnlimited, values }) =>
      Number(ceilingUnlimited && Number.isNaN(values.cloud_ceiling ?? Number.NaN)),
  },
]

/**
 * The members of Current before and after the density of lightning, which has more decimals than templates can write.
 */
export const currentTemplates = perUnits((memory, units) => ({
  before: boundTemplate(memory, beforeDensity, units, { name: 'current' }),
  after: boundTemplate(memory, afterDensity, units),
}))
