import { z } from 'zod'
import { measured } from '../present/property.ts'
import type { Quantity } from '../present/units.ts'

/** How values between two valid times of one source are computed. */
export type BetweenTimes =
  /** A cubic through the neighboring values, clamped near their range. */
  | 'smooth'
  | 'linear'
  /** Directions are interpolated as unit vectors. */
  | 'direction'
  /** The value of the nearest time, for quantities that have a code for "none" instead of a number. */
  | 'nearest'
  /** Interpolated as a fraction of the clear-sky value. */
  | 'solar'
  /** The sum of an interval is distributed over its hours; the sum is preserved. */
  | 'split'
  /**
   * The probability of an interval is apportioned to its hours by their amounts, so that no hour is likelier than the
   * interval.
   */
  | 'bound'

export interface FieldDefinition {
  readonly between: BetweenTimes
  /**
   * Sources in order of precedence: a later source only fills hours that the earlier sources leave empty. A field with
   * an empty list is computed from other fields.
   */
  readonly from: readonly (string | readonly [dataset: string, windowHours: number])[]
  /**
   * Whether analyses have the field. In `current` and in hours that have passed, analyses take precedence over
   * forecasts.
   */
  readonly analysed?: true
  /**
   * When the field is blended if not into every answer: only with `include=uncertainty`, only if flags determine a
   * type, or never, because it is computed.
   */
  readonly only?: 'uncertainty' | 'type' | 'computed'
  /** Whether a run that has the field but no value at a time means "none" there. Later sources then do not fill the hour. */
  readonly canBeNone?: true
  /** Whether the field is compared with thresholds. It is then rounded first, as it is published. */
  readonly isRounded?: true
  /**
   * The member of an answer that depends on this field, if the field itself is not a member. If absent, no member
   * depends on this field alone.
   */
  readonly shownAs?: string
  /** The member of a row of `hourly`; if absent, other members are computed from the field. */
  readonly member?: FieldMember
}

export interface FieldMember {
  readonly quantity: Quantity
  /** Position in a row of the answer. The order of this table is the order of blending. */
  readonly place?: number
  /** Whether `view=concise` shows the member. */
  readonly concise?: true
  /** Schema of the number, with its description. */
  readonly schema: z.ZodNumber
}

/** Analyses in order of precedence. */
export const analyses = ['rtma-ru', 'rtma'] as const
/** Models in order of precedence. Their earlier runs fill hours that have passed. */
export const models = ['nbm', 'hrrr', 'rrfs', 'rrfs-long', 'hrrr-long', 'gfs'] as const
/**
 * The calibrated blend, which at longer leads has intervals of several hours instead of single hours; and the model
 * whose terrain is the height of the ground.
 */
export const [leading, terrain] = models
/** Datasets whose own terrain is the height of the ground, beginning with the finest grid. */
export const terrainSources = [terrain, ...analyses, 'rrfs', 'gfs'] as const
/** Datasets that only `include=uncertainty` reads. */
export const uncertaintyDatasets = ['nbm-qmd', 'refs', 'refs-agreement'] as const
/** Sources of fields that the calibrated blend does not have: HRRR's first hours are the newest, and RRFS reaches the furthest. */
const fine = ['hrrr', 'rrfs', 'rrfs-long', 'hrrr-long'] as const
const layers = [...fine, 'gfs'] as const
const intervals = <D extends string>(dataset: D, ...hours: number[]) =>
  hours.map((windowHours) => [dataset, windowHours] as const)

type Documented = Parameters<typeof measured>[1]
const number = (quantity: Documented, example: number, description: string) =>
  measured(z.number(), quantity, example, description)

const uncertain = (quantity: Quantity, range: Documented, example: number, description: string) =>
  ({
    between: 'linear',
    from: ['nbm'],
    only: 'uncertainty',
    member: { quantity, schema: number(range, example, description) },
  }) as const
/** A count of the members of REFS. Its limits are those of upstream; nothing is interpolated between them. */
const ensemble = (source: 'refs' | 'refs-agreement', example: number, event: string) =>
  ({
    ...uncertain('percent', 'percent', example, `Probability of ${event}, from REFS; null where REFS gives none`),
    from: [source],
  }) as const
const flag = { between: 'nearest', from: layers, only: 'type' } as const

/**
 * The fields of an hour: where each comes from, and how an answer shows it. NBM precedes the other models because it is
 * calibrated and itself starts from HRRR. HRRR to hour 18 and RRFS to hour 84 provide the fields that NBM does not have
 * (pressure, cloud layers, smoke, precipitation flags), and GFS the hours beyond both, and UV.
 */
export const fieldTable = {
  temperature: {
    between: 'smooth',
    from: models,
    analysed: true,
    member: {
      place: 1,
      quantity: 'temperature',
      concise: true,
      schema: number('temperature', 71.3, 'Air temperature 2 m above the ground'),
    },
  },
  feels_like: {
    between: 'linear',
    from: [],
    only: 'computed',
    member: {
      place: 2,
      quantity: 'temperature',
      concise: true,
      schema: number('temperature', 71.3, 'Heat index, wind chill, or the temperature itself'),
    },
  },
  dew_point: {
    between: 'smooth',
    from: models,
    analysed: true,
    member: {
      place: 4,
      quantity: 'temperature',
      schema: number('temperature', 42.1, 'Dew point 2 m above the ground'),
    },
  },
  humidity: {
    between: 'linear',
    from: [],
    member: {
      place: 3,
      quantity: 'percent',
      concise: true,
      schema: number('percent', 34, 'Relative humidity 2 m above the ground'),
    },
  },
  wind_speed: {
    between: 'linear',
    from: models,
    analysed: true,
    member: {
      place: 5,
      quantity: 'wind_speed',
      concise: true,
      schema: number('wind', 8.1, 'Wind 10 m above the ground'),
    },
  },
  wind_direction: {
    between: 'direction',
    from: models,
    analysed: true,
    isRounded: true,
    member: {
      place: 7,
      quantity: 'direction',
      concise: true,
      schema: measured(z.int(), 'direction', 270, 'Direction from which the wind blows; null if calm or variable'),
    },
  },
  wind_gust: {
    between: 'linear',
    from: models,
    analysed: true,
    member: {
      place: 6,
      quantity: 'wind_speed',
      concise: true,
      schema: number('wind', 16.4, 'Gusts 10 m above the ground'),
    },
  },
  pressure: {
    between: 'smooth',
    from: layers,
    member: { place: 8, quantity: 'pressure', schema: number('pressure', 30.05, 'Pressure reduced to sea level') },
  },
  visibility: {
    between: 'linear',
    from: models,
    analysed: true,
    member: {
      place: 9,
      quantity: 'visibility',
      schema: number('visibility', 10, 'Visibility at the ground; null if no source has it'),
    },
  },
  cloud_cover: {
    between: 'linear',
    from: models,
    analysed: true,
    isRounded: true,
    member: { place: 10, quantity: 'percent', schema: number('percent', 40, 'Share of the sky that is covered') },
  },
  cloud_cover_low: {
    between: 'linear',
    from: layers,
    isRounded: true,
    member: {
      place: 11,
      quantity: 'percent',
      schema: number(
        'percent',
        10,
        'Cover of low clouds, from HRRR, then RRFS, beyond their hours GFS; at most cloud_cover',
      ),
    },
  },
  cloud_cover_mid: {
    between: 'linear',
    from: layers,
    isRounded: true,
    member: {
      place: 12,
      quantity: 'percent',
      schema: number(
        'percent',
        20,
        'Cover of middle clouds, from HRRR, then RRFS, beyond their hours GFS; at most cloud_cover',
      ),
    },
  },
  cloud_cover_high: {
    between: 'linear',
    from: layers,
    isRounded: true,
    member: {
      place: 13,
      quantity: 'percent',
      schema: number(
        'percent',
        40,
        'Cover of high clouds, from HRRR, then RRFS, beyond their hours GFS; at most cloud_cover',
      ),
    },
  },
  cloud_ceiling: {
    between: 'nearest',
    from: ['nbm', 'rrfs', 'rrfs-long'],
    analysed: true,
    canBeNone: true,
    member: {
      place: 14,
      quantity: 'altitude',
      schema: number(
        'altitude',
        6500,
        'Height of the lowest layer that covers more than half of the sky, above the ground; null if there is none (cloud_ceiling_unlimited is then true) or it is not known',
      ),
    },
  },
  cape: {
    between: 'linear',
    from: models,
    isRounded: true,
    member: { place: 24, quantity: 'whole', schema: number('cape', 450, 'Convective available potential energy') },
  },
  solar_radiation: {
    between: 'solar',
    from: ['nbm', ...fine],
    shownAs: 'solar_radiation_max',
  },
  // No dataset has the UV index, so it is computed from ozone, the sun's height and the clouds (uv.ts).
  uv_index: {
    between: 'solar',
    from: [],
    member: { place: 25, quantity: 'tenth', schema: number('uv', 6.2, 'UV index') },
  },
  ozone: {
    between: 'linear',
    from: ['gfs'],
    shownAs: 'uv_index',
  },
  smoke: {
    between: 'linear',
    from: fine,
    shownAs: 'smoke',
  },
  precip_amount: {
    between: 'split',
    from: [...intervals('nbm', 1, 6), ...fine, ...intervals('gfs', 3, 6)],
    member: {
      place: 16,
      quantity: 'precip_amount',
      concise: true,
      schema: number(
        'amount',
        0.02,
        'Liquid equivalent of the 60 minutes that end at time: the first row is for the whole running hour, including what has fallen in it. It comes from measurements, then from the steps of the nowcast, then from the models',
      ),
    },
  },
  precip_probability: {
    between: 'bound',
    from: intervals('nbm', 1, 6, 12),
    isRounded: true,
    member: {
      place: 15,
      quantity: 'percent',
      concise: true,
      schema: number(
        'percent',
        30,
        'Probability of measurable precipitation in the hour that ends at time; in the first row, the running hour, of the whole hour: 100 once a measurable amount has fallen in it, and at least 50 while precipitation is observed; null in hours for which no source gives it, as beyond the last hour of NBM',
      ),
    },
  },
  snow_amount: {
    between: 'split',
    from: intervals('nbm', 1, 6),
    member: {
      place: 21,
      quantity: 'snow_amount',
      schema: number(
        'amount',
        0,
        'Depth of new snow of the 60 minutes that end at time, as precip_amount; null if no source has snow',
      ),
    },
  },
  ice_amount: {
    between: 'split',
    from: intervals('nbm', 1, 6),
    shownAs: 'ice_total',
  },
  snow_level: {
    between: 'linear',
    from: ['nbm'],
    member: {
      place: 22,
      quantity: 'altitude',
      schema: number(
        'altitude',
        11200,
        'Height above sea level at which snow turns to rain; null beyond the hours of NBM',
      ),
    },
  },
  precip_type_rain_prob: {
    between: 'linear',
    from: ['nbm'],
    member: {
      place: 17,
      quantity: 'percent',
      schema: number('percent', 100, 'Probability of rain if something falls; null without NBM'),
    },
  },
  precip_type_snow_prob: {
    between: 'linear',
    from: ['nbm'],
    member: {
      place: 18,
      quantity: 'percent',
      schema: number('percent', 0, 'Probability of snow if something falls; null without NBM'),
    },
  },
  precip_type_freezing_rain_prob: {
    between: 'linear',
    from: ['nbm'],
    member: {
      place: 19,
      quantity: 'percent',
      schema: number('percent', 0, 'Probability of freezing rain if something falls; null without NBM'),
    },
  },
  precip_type_ice_pellets_prob: {
    between: 'linear',
    from: ['nbm'],
    member: {
      place: 20,
      quantity: 'percent',
      schema: number('percent', 0, 'Probability of ice pellets if something falls; null without NBM'),
    },
  },
  rain_flag: flag,
  snow_flag: flag,
  freezing_rain_flag: flag,
  ice_pellets_flag: flag,
  thunderstorm_probability: {
    between: 'bound',
    from: intervals('nbm', 1, 3, 6, 12),
    isRounded: true,
    member: {
      place: 23,
      quantity: 'percent',
      schema: number(
        'percent',
        10,
        'Probability of thunder in the hour that ends at time, at most precip_probability from 30 percent on; null in hours for which no source gives it',
      ),
    },
  },
  severe_prob: {
    between: 'linear',
    from: ['nbm'],
  },
  temperature_stddev: uncertain(
    'temperature_spread',
    'spread',
    2.1,
    'Standard deviation of temperature; null where NBM gives none',
  ),
  dew_point_stddev: uncertain(
    'temperature_spread',
    'spread',
    2.4,
    'Standard deviation of dew_point; null where NBM gives none',
  ),
  wind_speed_stddev: uncertain(
    'wind_speed',
    'wind',
    1.8,
    'Standard deviation of wind_speed; null where NBM gives none',
  ),
  wind_gust_stddev: uncertain('wind_speed', 'wind', 3.1, 'Standard deviation of wind_gust; null where NBM gives none'),
  visibility_prob_below_1mi: uncertain(
    'percent',
    'percent',
    1,
    'Probability of a visibility below 1 mile; null where NBM gives none',
  ),
  visibility_prob_below_2mi: uncertain(
    'percent',
    'percent',
    1,
    'Probability of a visibility below 2 miles; null where NBM gives none',
  ),
  visibility_prob_below_3mi: uncertain(
    'percent',
    'percent',
    2,
    'Probability of a visibility below 3 miles; null where NBM gives none',
  ),
  visibility_prob_below_5mi: uncertain(
    'percent',
    'percent',
    4,
    'Probability of a visibility below 5 miles; null where NBM gives none',
  ),
  ceiling_prob_below_500ft: uncertain(
    'percent',
    'percent',
    1,
    'Probability of a ceiling below 500 ft; null where NBM gives none',
  ),
  ceiling_prob_below_1000ft: uncertain(
    'percent',
    'percent',
    1,
    'Probability of a ceiling below 1000 ft; null where NBM gives none',
  ),
  ceiling_prob_below_2000ft: uncertain(
    'percent',
    'percent',
    2,
    'Probability of a ceiling below 2000 ft; null where NBM gives none',
  ),
  ceiling_prob_below_3000ft: uncertain(
    'percent',
    'percent',
    5,
    'Probability of a ceiling below 3000 ft; null where NBM gives none',
  ),
  ceiling_prob_below_6600ft: uncertain(
    'percent',
    'percent',
    20,
    'Probability of a ceiling below 6600 ft; null where NBM gives none',
  ),
  wind_speed_p50: {
    ...uncertain('wind_speed', 'wind', 7.9, 'Median of wind_speed; null where NBM gives none'),
    from: ['nbm', 'nbm-qmd'],
  },
  wind_speed_prob_gt_75mph: {
    ...uncertain('percent', 'percent', 0, 'Probability of a wind of more than 75 mph; null until NBM gives it'),
    from: ['nbm', 'nbm-qmd'],
  },
  ensemble_visibility_prob_below_1mi: ensemble('refs', 2, 'a visibility below 1 mile (1,600 m)'),
  ensemble_visibility_prob_below_3mi: ensemble('refs', 4, 'a visibility below 3 miles (4,829 m)'),
  ensemble_visibility_prob_below_5mi: ensemble('refs', 7, 'a visibility below 5 miles (8,049 m)'),
  ensemble_ceiling_prob_below_500ft: ensemble('refs', 2, 'a ceiling below 500 ft (152.4 m)'),
  ensemble_ceiling_prob_below_1000ft: ensemble('refs', 4, 'a ceiling below 1000 ft (305 m)'),
  ensemble_ceiling_prob_below_3000ft: ensemble('refs', 9, 'a ceiling below 3000 ft (915 m)'),
  ensemble_precip_probability: ensemble(
    'refs-agreement',
    21,
    'more than 0.01 in (0.254 mm) of precipitation in the hour that ends at time',
  ),
  ensemble_members: {
    between: 'nearest',
    from: ['refs'],
    only: 'uncertainty',
    member: {
      quantity: 'whole',
      schema: measured(
        z.int(),
        'count',
        14,
        'Number of members that the probabilities of visibility and ceiling from REFS count: up to 14, fewer at later hours; null where REFS gives none',
      ),
    },
  },
} as const satisfies Record<string, FieldDefinition>
