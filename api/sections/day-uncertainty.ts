import { HOUR } from '../../ingest/domain/time.ts'
import type { Forecast } from '../blend/columns.ts'
import { instant, member, numberMembers, template } from '../present/members.ts'
import type { Page } from '../present/page.ts'
import { perUnits } from '../present/template.ts'
import type { Quantity, Units } from '../present/units.ts'
import { period, periodEnd } from './day-periods.ts'
import type { DayRow } from './day-row.ts'
import { highest, mean, stretch } from './day-walk.ts'

/** DailyUncertainty. */
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

/** NBM's 24-hour windows end at 12Z; one that shares fewer hours with the row belongs to another day. */
const MIN_SHARED_HOURS = 22

/**
 * Writes the member `uncertainty` of a row: null where nothing of it is known. Percentiles of snow are of the NBM 24-hour window that
 * shares at least 22 hours with the row. A row whose total lies outside of them by a tenth of their width gets a warning.
 * `snow_window_start` and `snow_window_end` name those 24 hours.
 */
export function writeUncertainty(page: Page, forecast: Forecast, { window, whole }: DayRow, units: Units): void {
  const c = forecast.columns
  const { first, last } = stretch(forecast, window.start, window.end)
  const snow = (variable: string) => period(forecast, variable, 24, window.start, window.end, MIN_SHARED_HOURS)
  const template = templateOf(page.memory, units)
  const end = periodEnd(forecast, 'snow_amount_24h_p50', 24, window.start, window.end, MIN_SHARED_HOURS)
  template.values.set([
    mean(c.temperature_stddev, first, last),
    mean(c.dew_point_stddev, first, last),
    mean(c.wind_speed_stddev, first, last),
    mean(c.wind_gust_stddev, first, last),
    highest(c.visibility_prob_below_1mi, first, last),
    highest(c.ceiling_prob_below_1000ft, first, last),
    snow('snow_amount_24h_p10'),
    snow('snow_amount_24h_p50'),
    snow('snow_amount_24h_p90'),
    snow('snow_prob_gt_1in'),
    snow('snow_prob_gt_2in'),
    snow('snow_prob_gt_4in'),
    end - 24 * HOUR,
    end,
  ])
  if (template.values.every(Number.isNaN)) page.value('uncertainty', null)
  else page.put(template)
  const [low, high] = [template.values[6]!, template.values[8]!]
  // The tails of snowfall beyond p10 and p90 to p5 and p95, in shares of their distance.
  const tail = 0.2 * (high - low) + 2.5
  if (whole.snowTotal < low - tail || whole.snowTotal > high + tail) page.value('sources_disagree', true)
}
