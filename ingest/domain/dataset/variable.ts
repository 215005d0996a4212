/** Properties of a variable, for download, storage and answers. */
export interface Variable {
  readonly name: string
  /** The unit of the values in tiles. */
  readonly unit: 'K' | 'm/s' | 'Pa' | 'm' | 'mm' | '%' | 'deg' | 'J/kg' | 'W/m2' | 'index' | 'code' | 'kg/m3' | 'DU'
  /** Valid range; a value outside it is rejected. */
  readonly range: readonly [number, number]
  /** Quantization step in tiles, which is never finer than the packing of the source. */
  readonly precision: number
  /** Interpolation from grid to cell: weights of the four neighbours, or the nearest point. Directions are interpolated as vectors. */
  readonly space: 'bilinear' | 'nearest' | 'direction'
  readonly kind: 'instant' | 'accumulation' | 'extreme' | 'probability' | 'code'
  /** Length of the interval that ends at the valid time; absent for an instant. */
  readonly windowHours?: number
  readonly standardName?: string
  readonly description: string
}

type VariableDefinition = Omit<Variable, 'name'>

const temperature = (description: string, standardName?: string): VariableDefinition => ({
  unit: 'K',
  range: [180, 340],
  precision: 0.05,
  space: 'bilinear',
  kind: 'instant',
  description,
  standardName,
})
const spread = (unit: 'K' | 'm/s', description: string): VariableDefinition => ({
  unit,
  range: [0, 60],
  precision: 0.05,
  space: 'bilinear',
  kind: 'instant',
  description,
})
const speed = (description: string, standardName?: string): VariableDefinition => ({
  unit: 'm/s',
  range: [0, 130],
  precision: 0.05,
  space: 'bilinear',
  kind: 'instant',
  description,
  standardName,
})
const percent = (
  description: string,
  kind: 'instant' | 'probability' = 'probability',
  windowHours?: number,
): VariableDefinition => ({
  unit: '%',
  range: [0, 100],
  precision: 1,
  space: 'bilinear',
  kind,
  windowHours,
  description,
})
/** Returns about one and a half times the largest amount ever measured in the given hours (305 mm in one hour: Holt, Missouri, 1947). */
const deepest: Readonly<Record<number, number>> = { 1: 500, 3: 1000, 6: 1500, 24: 4000 }
const depth = (
  description: string,
  windowHours: number,
  precision = 0.01,
  standardName?: string,
): VariableDefinition => ({
  unit: 'mm',
  range: [0, deepest[windowHours] ?? 4000],
  precision,
  space: 'bilinear',
  kind: 'accumulation',
  windowHours,
  description,
  standardName,
})

const daily = (subject: string) => percent(`Probability of more than ${subject} in 24 hours, REFS`, 'probability', 24)
const nearby = (inches: string) => daily(`${inches} of snow near the point`)

/** The probabilities of REFS; their exact limits are in `ingest/datasets/refs.ts`. */
const ensemble: Readonly<Record<string, VariableDefinition>> = {
  ensemble_members: {
    unit: 'index',
    range: [0, 254],
    precision: 1,
    space: 'nearest',
    kind: 'instant',
    description: 'Number of members that the probabilities of REFS count',
  },
  ensemble_visibility_prob_below_1mi: percent('Probability of visibility below 1 mile (1,600 m), REFS'),
  ensemble_visibility_prob_below_3mi: percent('Probability of visibility below 3 miles, REFS'),
  ensemble_visibility_prob_below_5mi: percent('Probability of visibility below 5 miles, REFS'),
  ensemble_ceiling_prob_below_500ft: percent('Probability of a ceiling below 500 feet, REFS'),
  ensemble_ceiling_prob_below_1000ft: percent('Probability of a ceiling below 1,000 feet, REFS'),
  ensemble_ceiling_prob_below_3000ft: percent('Probability of a ceiling below 3,000 feet, REFS'),
  ensemble_snow_nearby_prob_gt_1in: nearby('1 inch (25 mm)'),
  ensemble_snow_nearby_prob_gt_3in: nearby('3 inches'),
  ensemble_snow_nearby_prob_gt_6in: nearby('6 inches'),
  ensemble_snow_nearby_prob_gt_12in: nearby('12 inches'),
  ensemble_snow_nearby_prob_gt_18in: nearby('18 inches'),
  ensemble_precip_probability: percent(
    'Probability of more than 0.254 mm in the hour that ends at the valid time, REFS',
    'probability',
    1,
  ),
  ensemble_precip_probability_6h: percent(
    'Probability of more than 0.254 mm in the 6 hours that end at the valid time, REFS',
    'probability',
    6,
  ),
  ensemble_precip_prob_gt_010in: daily('0.10 inch of precipitation'),
  ensemble_precip_prob_gt_025in: daily('0.25 inch of precipitation'),
  ensemble_precip_prob_gt_050in: daily('0.50 inch of precipitation'),
  ensemble_precip_prob_gt_100in: daily('1 inch of precipitation'),
  ensemble_precip_prob_gt_200in: daily('2 inches of precipitation'),
  ensemble_precip_prob_gt_300in: daily('3 inches of precipitation'),
  ensemble_precip_prob_gt_500in: daily('5 inches of precipitation'),
}

const rows: Readonly<Record<string, VariableDefinition>> = {
  temperature: temperature('Air temperature at 2 m', 'air_temperature'),
  dew_point: temperature('Dew point at 2 m', 'dew_point_temperature'),
  temperature_max_12h: {
    ...temperature('Highest temperature of the 12 hours before the valid time (NBM daytime maximum)'),
    kind: 'extreme',
    windowHours: 12,
  },
  temperature_min_12h: {
    ...temperature('Lowest temperature of the 12 hours before the valid time (NBM nighttime minimum)'),
    kind: 'extreme',
    windowHours: 12,
  },
  humidity: percent('Relative humidity at 2 m; stored only if a source has no dew point', 'instant'),
  wind_speed: speed('Wind speed at 10 m', 'wind_speed'),
  wind_direction: {
    unit: 'deg',
    range: [0, 360],
    precision: 1,
    space: 'direction',
    kind: 'instant',
    description: 'Direction from which the wind at 10 m blows, from true north',
    standardName: 'wind_from_direction',
  },
  wind_gust: speed('Wind gust at 10 m', 'wind_speed_of_gust'),
  pressure: {
    unit: 'Pa',
    range: [85000, 110000],
    precision: 10,
    space: 'bilinear',
    kind: 'instant',
    description: 'Pressure reduced to mean sea level',
    standardName: 'air_pressure_at_mean_sea_level',
  },
  surface_pressure: {
    unit: 'Pa',
    range: [45000, 110000],
    precision: 10,
    space: 'bilinear',
    kind: 'instant',
    description: 'Pressure at the surface',
    standardName: 'surface_air_pressure',
  },
  terrain_height: {
    unit: 'm',
    range: [-500, 7000],
    precision: 1,
    space: 'bilinear',
    kind: 'instant',
    description: "Height of the source's own surface",
    standardName: 'surface_altitude',
  },
  visibility: {
    unit: 'm',
    range: [0, 120000],
    precision: 10,
    space: 'bilinear',
    kind: 'instant',
    description: 'Visibility at the surface',
    standardName: 'visibility_in_air',
  },
  cloud_cover: percent('Total cloud cover', 'instant'),
  cloud_cover_low: percent('Low cloud cover', 'instant'),
  cloud_cover_mid: percent('Middle cloud cover', 'instant'),
  cloud_cover_high: percent('High cloud cover', 'instant'),
  cloud_ceiling: {
    unit: 'm',
    range: [0, 30000],
    precision: 10,
    space: 'nearest',
    kind: 'instant',
    description: 'Ceiling above ground; missing if there is none',
  },
  cape: {
    unit: 'J/kg',
    range: [0, 15000],
    precision: 1,
    space: 'bilinear',
    kind: 'instant',
    description: 'Convective available potential energy at the surface',
  },
  solar_radiation: {
    unit: 'W/m2',
    range: [0, 1500],
    precision: 1,
    space: 'bilinear',
    kind: 'instant',
    description: 'Downward shortwave radiation at the surface',
    standardName: 'surface_downwelling_shortwave_flux_in_air',
  },
  uv_radiation: {
    unit: 'W/m2',
    range: [0, 1],
    precision: 0.0001,
    space: 'bilinear',
    kind: 'instant',
    description: 'Downward erythemal UV-B radiation at the surface, from which the UV index follows',
  },
  ozone: {
    unit: 'DU',
    range: [50, 700],
    precision: 0.5,
    space: 'bilinear',
    kind: 'instant',
    description: 'Ozone in the whole column, from which the UV index follows with the height of the sun and the clouds',
    standardName: 'equivalent_thickness_at_stp_of_atmosphere_ozone_content',
  },
  uv_index: {
    unit: 'index',
    range: [0, 25],
    precision: 0.1,
    space: 'bilinear',
    kind: 'instant',
    description: 'UV index',
  },
  smoke: {
    unit: 'kg/m3',
    range: [0, 0.001],
    precision: 1e-10,
    space: 'bilinear',
    kind: 'instant',
    description: 'Smoke mass density at 8 m',
  },

  precip_amount: depth('Liquid equivalent of the hour that ends at the valid time', 1, 0.01, 'precipitation_amount'),
  precip_amount_3h: depth('Liquid equivalent of the 3 hours that end at the valid time', 3),
  precip_amount_6h: depth('Liquid equivalent of the 6 hours that end at the valid time', 6),
  precip_amount_p10: depth('10th percentile of the liquid equivalent, 6 hours', 6),
  precip_amount_p50: depth('50th percentile of the liquid equivalent, 6 hours', 6),
  precip_amount_p90: depth('90th percentile of the liquid equivalent, 6 hours', 6),
  precip_rate: {
    unit: 'mm',
    range: [0, 500],
    precision: 0.01,
    space: 'bilinear',
    kind: 'instant',
    description: 'Precipitation rate, mm per hour',
  },
  precip_probability: percent(
    'Probability of at least 0.254 mm in the hour that ends at the valid time',
    'probability',
    1,
  ),
  precip_probability_6h: percent(
    'Probability of at least 0.254 mm in the 6 hours that end at the valid time',
    'probability',
    6,
  ),
  precip_probability_12h: percent(
    'Probability of at least 0.254 mm in the 12 hours that end at the valid time',
    'probability',
    12,
  ),
  snow_amount: depth('Snowfall of the hour that ends at the valid time, depth', 1, 0.1),
  snow_amount_6h: depth('Snowfall of the 6 hours that end at the valid time, depth', 6, 0.1),
  snow_amount_24h_p10: depth('10th percentile of 24-hour snowfall, depth', 24, 0.1),
  snow_amount_24h_p50: depth('50th percentile of 24-hour snowfall, depth', 24, 0.1),
  snow_amount_24h_p90: depth('90th percentile of 24-hour snowfall, depth', 24, 0.1),
  snow_prob_gt_1in: percent('Probability of more than 1 inch of snow in 24 hours', 'probability', 24),
  snow_prob_gt_2in: percent('Probability of more than 2 inches of snow in 24 hours', 'probability', 24),
  snow_prob_gt_4in: percent('Probability of more than 4 inches of snow in 24 hours', 'probability', 24),
  ice_amount: depth('Flat ice accumulation of the hour that ends at the valid time', 1, 0.01),
  ice_amount_6h: depth('Flat ice accumulation of the 6 hours that end at the valid time', 6, 0.01),
  snow_level: {
    unit: 'm',
    range: [-500, 12000],
    precision: 10,
    space: 'bilinear',
    kind: 'instant',
    description: 'Height above sea level of the snow level',
  },
  snow_ratio: {
    unit: 'index',
    range: [0, 100],
    precision: 0.1,
    space: 'bilinear',
    kind: 'instant',
    description: 'Snow to liquid ratio',
  },
  precip_type_rain_prob: percent('Probability that precipitation is rain'),
  precip_type_snow_prob: percent('Probability that precipitation is snow'),
  precip_type_freezing_rain_prob: percent('Probability that precipitation is freezing rain'),
  precip_type_ice_pellets_prob: percent('Probability that precipitation is ice pellets'),
  rain_flag: {
    unit: 'code',
    range: [0, 1],
    precision: 1,
    space: 'nearest',
    kind: 'code',
    description: 'Categorical rain',
  },
  snow_flag: {
    unit: 'code',
    range: [0, 1],
    precision: 1,
    space: 'nearest',
    kind: 'code',
    description: 'Categorical snow',
  },
  freezing_rain_flag: {
    unit: 'code',
    range: [0, 1],
    precision: 1,
    space: 'nearest',
    kind: 'code',
    description: 'Categorical freezing rain',
  },
  ice_pellets_flag: {
    unit: 'code',
    range: [0, 1],
    precision: 1,
    space: 'nearest',
    kind: 'code',
    description: 'Categorical ice pellets',
  },
  thunderstorm_probability: percent('Probability of thunder in the hour that ends at the valid time', 'probability', 1),
  thunderstorm_probability_3h: percent(
    'Probability of thunder in the 3 hours that end at the valid time',
    'probability',
    3,
  ),
  thunderstorm_probability_6h: percent(
    'Probability of thunder in the 6 hours that end at the valid time',
    'probability',
    6,
  ),
  thunderstorm_probability_12h: percent(
    'Probability of thunder in the 12 hours that end at the valid time',
    'probability',
    12,
  ),

  temperature_stddev: spread('K', 'Standard deviation of the temperature'),
  dew_point_stddev: spread('K', 'Standard deviation of the dew point'),
  wind_speed_stddev: spread('m/s', 'Standard deviation of the wind speed'),
  wind_gust_stddev: spread('m/s', 'Standard deviation of the wind gust'),
  wind_speed_p10: speed('10th percentile of the wind speed'),
  wind_speed_p50: speed('50th percentile of the wind speed'),
  wind_speed_p90: speed('90th percentile of the wind speed'),
  wind_gust_p10: speed('10th percentile of the wind gust'),
  wind_gust_p50: speed('50th percentile of the wind gust'),
  wind_gust_p90: speed('90th percentile of the wind gust'),
  wind_speed_prob_gt_75mph: percent('Probability of wind above 75 mph'),
  visibility_prob_below_1mi: percent('Probability of visibility below 1 mile'),
  visibility_prob_below_2mi: percent('Probability of visibility below 2 miles'),
  visibility_prob_below_3mi: percent('Probability of visibility below 3 miles'),
  visibility_prob_below_5mi: percent('Probability of visibility below 5 miles'),
  ceiling_prob_below_500ft: percent('Probability of a ceiling below 500 feet'),
  ceiling_prob_below_1000ft: percent('Probability of a ceiling below 1,000 feet'),
  ceiling_prob_below_2000ft: percent('Probability of a ceiling below 2,000 feet'),
  ceiling_prob_below_3000ft: percent('Probability of a ceiling below 3,000 feet'),
  ceiling_prob_below_6600ft: percent('Probability of a ceiling below 6,600 feet'),
  ...ensemble,
  severe_prob: percent('Probability of any severe thunderstorm'),
  tornado_prob: percent('Probability of a tornado'),
  hail_prob: percent('Probability of large hail'),
  damaging_wind_prob: percent('Probability of damaging thunderstorm wind'),
}

export const variables: ReadonlyMap<string, Variable> = new Map(
  Object.entries(rows).map(([name, row]) => [name, { name, ...row }]),
)

export type VariableName = keyof typeof rows & string

export function variable(name: string): Variable {
  const row = variables.get(name)
  if (!row) throw new Error(`variable "${name}" is not in the table of ingest/domain/dataset/variable.ts`)
  return row
}
