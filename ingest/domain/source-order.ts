import { PAST_HOURS, PAST_VARIABLES } from './past-hours.ts'

/** One source of a field. */
export interface FieldSource {
  readonly dataset: string
  /** Name in the variable table, where it is not the field's own. */
  readonly variable: string
  /** Hours of the variable's interval, where it is longer than the field's hour. */
  readonly windowHours?: number
}

/** How values between two valid times of one source are found. */
export type BetweenTimes =
  /** A cubic through the neighbours, clamped near their range. */
  | 'smooth'
  | 'linear'
  /** On the unit vector. */
  | 'direction'
  /** The nearest time: for values with a code for "none" instead of a number. */
  | 'nearest'
  /** As a share of the clear-sky value. */
  | 'solar'
  /** An interval's sum is distributed over its hours; the sum is preserved. */
  | 'split'
  /** An interval's probability is an upper bound of that of each of its hours. */
  | 'bound'

export interface FieldOrder {
  /** Name in Hourly, or of a quantity from which Hourly and Daily are computed. */
  readonly field: string
  readonly between: BetweenTimes
  /** In order of precedence: a later source only fills hours that the earlier ones leave empty. */
  readonly from: readonly FieldSource[]
  /** Observed values for `current` and for hours that have passed, before any forecast. */
  readonly analyses?: readonly FieldSource[]
}

const of = (variable: string, ...datasets: string[]): FieldSource[] =>
  datasets.map((dataset) => ({ dataset, variable }))
const windowed = (dataset: string, stem: string, ...hours: number[]): FieldSource[] =>
  hours.map((windowHours) =>
    windowHours === 1 ? { dataset, variable: stem } : { dataset, variable: `${stem}_${windowHours}h`, windowHours },
  )
const past: readonly string[] = PAST_VARIABLES
const analysed = (variable: string) => of(variable, 'rtma-ru', 'rtma', ...(past.includes(variable) ? [PAST_HOURS] : []))
const nbmOnly = (field: string): FieldOrder => ({ field, between: 'linear', from: of(field, 'nbm') })

/**
 * Which field comes from which dataset, in which order. NBM leads: it is calibrated and starts from HRRR itself;
 * HRRR gives what NBM does not have (pressure, cloud layers, smoke, precipitation flags), GFS what lies beyond both, and UV.
 */
export const sourceOrder: readonly FieldOrder[] = [
  {
    field: 'temperature',
    between: 'smooth',
    from: of('temperature', 'nbm', 'hrrr', 'hrrr-long', 'gfs'),
    analyses: analysed('temperature'),
  },
  {
    field: 'dew_point',
    between: 'smooth',
    from: of('dew_point', 'nbm', 'hrrr', 'hrrr-long', 'gfs'),
    analyses: analysed('dew_point'),
  },
  // Computed from temperature and dew point of the same source.
  { field: 'humidity', between: 'linear', from: [] },
  {
    field: 'wind_speed',
    between: 'linear',
    from: of('wind_speed', 'nbm', 'hrrr', 'hrrr-long', 'gfs'),
    analyses: analysed('wind_speed'),
  },
  {
    field: 'wind_direction',
    between: 'direction',
    from: of('wind_direction', 'nbm', 'hrrr', 'hrrr-long', 'gfs'),
    analyses: analysed('wind_direction'),
  },
  {
    field: 'wind_gust',
    between: 'linear',
    from: of('wind_gust', 'nbm', 'hrrr', 'hrrr-long', 'gfs'),
    analyses: analysed('wind_gust'),
  },
  { field: 'pressure', between: 'smooth', from: of('pressure', 'hrrr', 'hrrr-long', 'gfs') },
  {
    field: 'visibility',
    between: 'linear',
    from: of('visibility', 'nbm', 'hrrr', 'hrrr-long', 'gfs'),
    analyses: analysed('visibility'),
  },
  {
    field: 'cloud_cover',
    between: 'linear',
    from: of('cloud_cover', 'nbm', 'hrrr', 'hrrr-long', 'gfs'),
    analyses: analysed('cloud_cover'),
  },
  { field: 'cloud_cover_low', between: 'linear', from: of('cloud_cover_low', 'hrrr', 'hrrr-long', 'gfs') },
  { field: 'cloud_cover_mid', between: 'linear', from: of('cloud_cover_mid', 'hrrr', 'hrrr-long', 'gfs') },
  { field: 'cloud_cover_high', between: 'linear', from: of('cloud_cover_high', 'hrrr', 'hrrr-long', 'gfs') },
  {
    field: 'cloud_ceiling',
    between: 'nearest',
    from: of('cloud_ceiling', 'nbm'),
    analyses: analysed('cloud_ceiling'),
  },
  { field: 'cape', between: 'linear', from: of('cape', 'nbm', 'hrrr', 'hrrr-long', 'gfs') },
  { field: 'solar_radiation', between: 'solar', from: of('solar_radiation', 'nbm', 'hrrr', 'hrrr-long') },
  // No dataset has it: the UV index is computed from ozone, the sun's height and the clouds (uv.ts).
  { field: 'uv_radiation', between: 'solar', from: [] },
  { field: 'uv_index', between: 'solar', from: [] },
  { field: 'ozone', between: 'linear', from: of('ozone', 'gfs') },
  { field: 'smoke', between: 'linear', from: of('smoke', 'hrrr', 'hrrr-long') },
  {
    field: 'precip_amount',
    between: 'split',
    from: [
      ...windowed('nbm', 'precip_amount', 1, 6),
      ...of('precip_amount', 'hrrr', 'hrrr-long'),
      ...windowed('gfs', 'precip_amount', 3, 6),
    ],
  },
  { field: 'precip_probability', between: 'bound', from: windowed('nbm', 'precip_probability', 1, 6, 12) },
  {
    field: 'snow_amount',
    between: 'split',
    from: windowed('nbm', 'snow_amount', 1, 6),
  },
  { field: 'ice_amount', between: 'split', from: windowed('nbm', 'ice_amount', 1, 6) },
  { field: 'snow_level', between: 'linear', from: of('snow_level', 'nbm') },
  ...['rain', 'snow', 'freezing_rain', 'ice_pellets'].map((type) => nbmOnly(`precip_type_${type}_prob`)),
  ...['rain_flag', 'snow_flag', 'freezing_rain_flag', 'ice_pellets_flag'].map(
    (field): FieldOrder => ({ field, between: 'nearest', from: of(field, 'hrrr', 'hrrr-long', 'gfs') }),
  ),
  {
    field: 'thunderstorm_probability',
    between: 'bound',
    from: windowed('nbm', 'thunderstorm_probability', 1, 3, 6, 12),
  },
  ...[
    'severe_prob',
    'temperature_stddev',
    'dew_point_stddev',
    'wind_speed_stddev',
    'wind_gust_stddev',
    'visibility_prob_below_1mi',
    'visibility_prob_below_2mi',
    'visibility_prob_below_3mi',
    'visibility_prob_below_5mi',
    'ceiling_prob_below_500ft',
    'ceiling_prob_below_1000ft',
    'ceiling_prob_below_2000ft',
    'ceiling_prob_below_3000ft',
    'ceiling_prob_below_6600ft',
  ].map(nbmOnly),
  ...['wind_speed_p50', 'wind_speed_prob_gt_75mph'].map(
    (field): FieldOrder => ({ field, between: 'linear', from: of(field, 'nbm', 'nbm-qmd') }),
  ),
]

const byField = new Map(sourceOrder.map((order) => [order.field, order]))

/** @throws Error for a field that the table does not have */
export function orderOf(field: string): FieldOrder {
  const found = byField.get(field)
  if (!found) throw new Error(`field "${field}" is not in the table of ingest/domain/source-order.ts`)
  return found
}
