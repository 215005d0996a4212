import type { Day, PageWeather } from './api.ts'
import { el, section } from './dom.ts'
import { amount, type Clock, compass, degrees, isNumber, type Labels, shown } from './format.ts'
import { glyph } from './glyph.ts'
import { threatsLine } from './risks.ts'

/** Inches or millimetres that are shown: less would be 0.0 in, or 0 mm. */
const leastSnow = ({ amount: unit }: Labels) => (unit === 'mm' ? 1 : 0.1)
/** Depth of snow by its water, from which the day is one of snow rather than of rain. */
const SNOW_BY_WATER = 5

type Period = NonNullable<Day['day']>

/** Ten days; each opens to its day and its night. */
export function days({ daily = [], outlooks = [] }: PageWeather, clock: Clock, labels: Labels): HTMLElement {
  const title = 'Ten days'
  if (daily.length === 0)
    return section(title, 'days', el('p', { class: 'error' }, 'The daily forecast is not available just now.'))
  const numbers = daily.flatMap((row) => [highOf(row), row.low]).filter(isNumber)
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const share = (value: number) => (100 * (value - least)) / Math.max(1, most - least)
  const risk = (day: number) => outlooks.find((one) => one.day === day && one.type === 'severe' && one.risk)
  return section(
    title,
    'days',
    ...daily.map((row) =>
      dayRow(row, share, clock, labels, row.relative_day >= 0 ? risk(row.relative_day + 1)?.risk_label : undefined),
    ),
  )
}

/** The day of the night that still runs has passed: its high is no forecast. */
const highOf = ({ relative_day, high }: Day) => (relative_day < 0 ? undefined : high)

function nameOf({ relative_day, date }: Day): string {
  if (relative_day === 0) return 'Today'
  if (relative_day === -1) return 'Overnight'
  const noon = new Date(`${date}T12:00:00Z`)
  return `${noon.toLocaleDateString('en-US', { weekday: 'short', timeZone: 'UTC' })} ${noon.getUTCDate()}`
}

/** What falls on a day: the depth of a snowfall; of rain, also with a little snow in it, the water. */
export function fallOf({ precip_total: water, snow_total: snow }: Day, labels: Labels): string {
  const depth = Number(snow ?? 0)
  if (depth >= leastSnow(labels) && depth >= SNOW_BY_WATER * Number(water ?? 0))
    return shown(snow, ` ${labels.amount} snow`, labels.amount === 'mm' ? 0 : 1)
  return water ? amount(water, labels) : ''
}

function dayRow(
  row: Day,
  share: (value: number) => number,
  clock: Clock,
  labels: Labels,
  risk: string | undefined,
): HTMLElement {
  const bar = el('span', { class: 'range', 'aria-hidden': 'true' }, el('span'))
  const high = highOf(row)
  if (isNumber(row.low) && isNumber(high)) {
    const fill = bar.firstElementChild as HTMLElement
    fill.style.left = `${share(row.low).toFixed(1)}%`
    fill.style.right = `${(100 - share(high)).toFixed(1)}%`
  }
  const wet = Number(row.precip_probability ?? 0) >= 5
  const fall = fallOf(row, labels)
  const threats = row.threats?.length
    ? threatsLine(row.threats)
    : risk
      ? threatsLine([{ type: 'severe', risk_label: risk }])
      : ''
  return el(
    'details',
    { class: 'day' },
    el(
      'summary',
      {},
      el('span', { class: 'name' }, nameOf(row)),
      glyph(row.icon),
      el('span', { class: 'words' }, row.conditions ?? ''),
      el(
        'span',
        { class: 'rain' },
        wet ? `${Math.round(row.precip_probability!)}%` : '',
        wet && fall ? el('small', {}, fall) : '',
      ),
      el('span', { class: 'low' }, el('span', { class: 'off' }, 'Low '), degrees(row.low)),
      bar,
      el(
        'span',
        { class: 'high' },
        isNumber(high) && el('span', { class: 'off' }, 'High '),
        isNumber(high) && degrees(high),
      ),
    ),
    el(
      'div',
      { class: 'halves' },
      row.day && !isOver(row) && half('Day', row.day, labels),
      row.night && half('Night', row.night, labels),
      el(
        'p',
        { class: 'quiet' },
        row.astro
          ? `Sun ${row.astro.sunrise ? clock.time(row.astro.sunrise) : '–'} to ${row.astro.sunset ? clock.time(row.astro.sunset) : '–'}. `
          : '',
        isNumber(row.uv_index_max) ? `UV index ${Math.round(row.uv_index_max)}. ` : '',
        isNumber(row.aqi_max) ? `Air quality index ${row.aqi_max}. ` : '',
        threats ? `Hazards: ${threats}.` : '',
        row.climate && isNumber(row.climate.normal_high)
          ? ` Normal ${degrees(row.climate.normal_high)} / ${degrees(row.climate.normal_low)}.`
          : '',
      ),
    ),
  )
}

/** Whether the day half of a row has passed: of the night that runs, and of today after 6 PM. */
const isOver = ({ relative_day, day }: Day): boolean =>
  relative_day < 0 || (relative_day === 0 && !isNumber(day?.temperature))

function half(name: string, period: Period, labels: Labels): HTMLElement {
  const wind = isNumber(period.wind_speed)
    ? `Wind ${compass(period.wind_direction)} ${Math.round(period.wind_speed)} ${labels.speed}${isNumber(period.wind_gust) ? `, gusts ${Math.round(period.wind_gust)}` : ''}`
    : ''
  const wet = [
    isNumber(period.precip_probability) ? `Precipitation ${Math.round(period.precip_probability)}%` : '',
    period.precip_total ? amount(period.precip_total, labels) : '',
    Number(period.snow_total ?? 0) >= leastSnow(labels)
      ? `snow ${shown(period.snow_total, ` ${labels.amount}`, labels.amount === 'mm' ? 0 : 1)}`
      : '',
  ]
  return el(
    'div',
    { class: 'half' },
    el('h3', {}, glyph(period.icon), ` ${name} ${degrees(period.temperature)}`),
    el('p', {}, period.narrative ?? period.conditions ?? ''),
    el(
      'p',
      { class: 'quiet' },
      [
        wind,
        wet.filter(Boolean).join(', '),
        isNumber(period.humidity) ? `Humidity ${Math.round(period.humidity)}%` : '',
      ]
        .filter(Boolean)
        .join(' · '),
    ),
  )
}
