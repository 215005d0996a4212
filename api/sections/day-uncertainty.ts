import { HOUR } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import { instant, member, numberMembers, template } from '../present/members.ts'
import type { Page } from '../present/page.ts'
import { perUnits } from '../present/template.ts'
import type { Quantity, Units } from '../present/units.ts'
import { periodEnd, periodValue } from './day-periods.ts'
import type { DayRow } from './day-row.ts'
import { highest, hourRangeOf, mean } from './hour-range.ts'

/** The numeric members of DailyUncertainty. */
const uncertainNumbers: readonly { readonly name: string; readonly quantity: Quantity }[] = [
  { name: 'temperature_stddev_avg', quantity: 'temperature_spread' },
  { name: 'dew_point_stddev_avg', quantity: 'temperature_spread' },
  { name: 'wind_speed_stddev_avg', quantity: 'wind_speed' },
  { name: 'wind_gust_stddev_avg', quantity: 'wind_speed' },
  { name: 'visibility_prob_below_1mi_max', quantity: 'percent' },
  { name: 'ceiling_prob_below_1000ft_max', quantity: 'percent' },
  { name: 'snow_total_p10', quantity: 'snow_amount' },
  { name: 'snow_total_p50', quantity: 'snow_amount' },
  { name: 'snow_total_p90', quantity: 'snow_amount' },
  { name: 'snow_prob_gt_1in', quantity: 'percent' },
  { name: 'snow_prob_gt_2in', quantity: 'percent' },
  { name: 'snow_prob_gt_4in', quantity: 'percent' },
]

const templateOf = perUnits((memory, units) =>
  template(
    memory,
    [
      {
        name: 'uncertainty',
        members: [
          ...numberMembers(uncertainNumbers),
          member('snow_window_start', instant),
          member('snow_window_end', instant),
        ],
      },
    ],
    units,
  ),
)

/**
 * Minimum number of hours that a window of 24 hours must share with the row. NBM's windows end at 12Z, and a window
 * that shares fewer hours belongs to another day.
 */
const MIN_SHARED_HOURS = 22

/** Difference of depths that rounding can explain, mm. */
const ROUNDING_MM = 0.13

/**
 * Writes the member `uncertainty` of a row; null if none of its values is known. Percentiles of snow are for the NBM
 * window of 24 hours that shares at least 22 hours with the row; `snow_window_start` and `snow_window_end` are its
 * limits. A row whose total lies outside the percentiles 10 to 90 is marked `sources_disagree`.
 */
export function writeUncertainty(page: Page, forecast: Forecast, { window, whole }: DayRow, units: Units): void {
  const { columns } = forecast
  const { first, last } = hourRangeOf(forecast, window.start, window.end)
  const snow = (variable: string) => periodValue(forecast, variable, 24, window.start, window.end, MIN_SHARED_HOURS)
  const template = templateOf(page.memory, units)
  const end = periodEnd(forecast, 'snow_amount_24h_p50', 24, window.start, window.end, MIN_SHARED_HOURS)
  const low = snow('snow_amount_24h_p10')
  const high = snow('snow_amount_24h_p90')
  template.values.set([
    mean(columns.temperature_stddev, first, last),
    mean(columns.dew_point_stddev, first, last),
    mean(columns.wind_speed_stddev, first, last),
    mean(columns.wind_gust_stddev, first, last),
    highest(columns.visibility_prob_below_1mi, first, last),
    highest(columns.ceiling_prob_below_1000ft, first, last),
    low,
    snow('snow_amount_24h_p50'),
    high,
    snow('snow_prob_gt_1in'),
    snow('snow_prob_gt_2in'),
    snow('snow_prob_gt_4in'),
    end - 24 * HOUR,
    end,
  ])
  if (template.values.every(Number.isNaN)) page.value('uncertainty', null)
  else page.put(template)
  if (whole.snowTotal < low - ROUNDING_MM || whole.snowTotal > high + ROUNDING_MM) page.value('sources_disagree', true)
}
