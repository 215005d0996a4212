import type { Column, UncertaintyField } from '../blend/columns.ts'
import type { Quantity } from '../present/units.ts'

/** A numeric member of a row: its name, the column it is read from, what it measures. */
export interface NumberField<C extends string = Column> {
  readonly name: string
  readonly column: C
  readonly quantity: Quantity
  /** Stays in `view=concise`. */
  readonly concise?: boolean
}

const field = (name: Column, quantity: Quantity, concise = false): NumberField => ({
  name,
  column: name,
  quantity,
  concise,
})

/** The numbers of Hourly, in the order of the answer. */
export const hourlyNumbers: readonly NumberField[] = [
  field('temperature', 'temperature', true),
  field('feels_like', 'temperature', true),
  field('humidity', 'percent', true),
  field('dew_point', 'temperature'),
  field('wind_speed', 'wind_speed', true),
  field('wind_gust', 'wind_speed', true),
  field('wind_direction', 'direction', true),
  field('pressure', 'pressure'),
  field('visibility', 'visibility'),
  field('cloud_cover', 'percent'),
  field('cloud_cover_low', 'percent'),
  field('cloud_cover_mid', 'percent'),
  field('cloud_cover_high', 'percent'),
  field('cloud_ceiling', 'altitude'),
  field('precip_probability', 'percent', true),
  field('precip_amount', 'precip_amount', true),
  field('precip_type_rain_prob', 'percent'),
  field('precip_type_snow_prob', 'percent'),
  field('precip_type_freezing_rain_prob', 'percent'),
  field('precip_type_ice_pellets_prob', 'percent'),
  field('snow_amount', 'snow_amount'),
  field('snow_level', 'altitude'),
  field('thunderstorm_probability', 'percent'),
  field('cape', 'whole'),
  field('uv_index', 'tenth'),
]

const spread = (name: UncertaintyField, quantity: Quantity): NumberField<UncertaintyField> => ({
  name,
  column: name,
  quantity,
})

/** HourlyUncertainty. */
export const hourlyUncertainty: readonly NumberField<UncertaintyField>[] = [
  spread('temperature_stddev', 'temperature_spread'),
  spread('dew_point_stddev', 'temperature_spread'),
  spread('wind_speed_stddev', 'wind_speed'),
  spread('wind_gust_stddev', 'wind_speed'),
  spread('visibility_prob_below_1mi', 'percent'),
  spread('visibility_prob_below_2mi', 'percent'),
  spread('visibility_prob_below_3mi', 'percent'),
  spread('visibility_prob_below_5mi', 'percent'),
  spread('ceiling_prob_below_500ft', 'percent'),
  spread('ceiling_prob_below_1000ft', 'percent'),
  spread('ceiling_prob_below_2000ft', 'percent'),
  spread('ceiling_prob_below_3000ft', 'percent'),
  spread('ceiling_prob_below_6600ft', 'percent'),
  spread('wind_speed_p50', 'wind_speed'),
  spread('wind_speed_prob_gt_75mph', 'percent'),
]
