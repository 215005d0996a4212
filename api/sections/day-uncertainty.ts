import type { DayWindow } from '../../ingest/domain/day-window.ts'
import { HOUR, type Instant } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import { instant, member, numberMembers, template } from '../present/members.ts'
import type { Page } from '../present/page.ts'
import { perUnits } from '../present/template.ts'
import type { Quantity, Units } from '../present/units.ts'
import { ensembleNumbers, ensembleOf } from './day-ensemble.ts'
import { periodEnd, periodValue } from './day-periods.ts'
import type { DayRow } from './day-row.ts'
import { highest, hourRangeOf, mean, total } from './hour-range.ts'

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
          ...numberMembers(ensembleNumbers),
          member('ensemble_window_start', instant),
          member('ensemble_window_end', instant),
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

/** Greatest difference between the snow of a row and that of the window of its percentiles: a share, and mm. */
const MAX_DIFFERENCE_SHARE = 0.1
const MAX_DIFFERENCE_MM = 2.54

/** New snow of the hours in `(from, to]`, mm; 0 if there are none, NaN if one of them is not known. */
function snowBetween(forecast: Forecast, from: Instant, to: Instant): number {
  if (to <= from) return 0
  const { firstEnd, lastEnd } = hourRangeOf(forecast, from, to)
  const { snow_amount } = forecast.columns
  const isKnown = lastEnd - firstEnd + 1 === Math.round((to - from) / HOUR)
  return isKnown && !snow_amount.subarray(firstEnd, lastEnd + 1).some(Number.isNaN)
    ? total(snow_amount, firstEnd, lastEnd)
    : Number.NaN
}

/** Whether the 24 hours that end at `end` have as much snow as the row, so that their percentiles are those of the row. */
function hasSnowOfRow(forecast: Forecast, { start, end: rowEnd }: DayWindow, snowTotal: number, end: Instant): boolean {
  const begin = end - 24 * HOUR
  const before = snowBetween(forecast, begin, start) - snowBetween(forecast, start, begin)
  const after = snowBetween(forecast, rowEnd, end) - snowBetween(forecast, end, rowEnd)
  return Math.abs(before + after) <= Math.max(MAX_DIFFERENCE_SHARE * (snowTotal || 0), MAX_DIFFERENCE_MM)
}

/**
 * Writes the member `uncertainty` of a row; null if none of its values is known. Percentiles of snow are for the NBM
 * window of 24 hours that shares at least 22 hours with the row; `snow_window_start` and `snow_window_end` are its
 * limits. If the snow of the other hours makes a difference they are left out: nobody could compare them with the total
 * of the row. A row whose total lies outside the percentiles 10 to 90 is marked `sources_disagree`.
 */
export function writeUncertainty(page: Page, forecast: Forecast, { window, wholeDay }: DayRow, units: Units): void {
  const { columns } = forecast
  const { first, last } = hourRangeOf(forecast, window.start, window.end)
  const template = templateOf(page.memory, units)
  const periodEnds = periodEnd(forecast, 'snow_amount_24h_p50', 24, window.start, window.end, MIN_SHARED_HOURS)
  const end = hasSnowOfRow(forecast, window, wholeDay.snowTotal, periodEnds) ? periodEnds : Number.NaN
  const snow = (variable: string) =>
    Number.isNaN(end) ? end : periodValue(forecast, variable, 24, window.start, window.end, MIN_SHARED_HOURS)
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
    ...ensembleOf(forecast, window),
  ])
  if (template.values.every(Number.isNaN)) page.value('uncertainty', null)
  else page.put(template)
  if (wholeDay.snowTotal < low - ROUNDING_MM || wholeDay.snowTotal > high + ROUNDING_MM)
    page.value('sources_disagree', true)
}
