import type { Day, PageWeather } from './api.ts'
import { el, section } from './dom.ts'
import { amount, type Clock, compass, degrees, isNumber, type Labels, numberText } from './format.ts'
import { glyph } from './glyph.ts'
import { threatsLine } from './risks.ts'

/** The least depth of snow that is shown, in inches or millimeters, because a smaller depth would round to zero. */
const leastSnow = ({ amount: unit }: Labels) => (unit === 'mm' ? 1 : 0.1)
/** Ratio of snow depth to liquid amount from which a day is shown as a day of snow and not of rain. */
const MIN_SNOW_RATIO = 5

type Period = NonNullable<Day['day']>

/** Ten days, each of which opens to show its day and its night. */
export function days({ daily = [], outlooks = [] }: PageWeather, clock: Clock, labels: Labels): HTMLElement {
  const title = 'Ten days'
  if (daily.length === 0)
    return section(title, 'days', el('p', { class: 'error' }, 'The daily forecast is not available just now.'))
  const numbers = daily.flatMap((row) => [highOf(row), row.low]).filter(isNumber)
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  const share = (value: number) => (100 * (value - least)) / Math.max(1, most - least)
  const risk = (day: number) =>
    outlooks.find((outlook) => outlook.day === day && outlook.type === 'severe' && outlook.risk)
  return section(
    title,
    'days',
    ...daily.map((row) =>
      dayRow(row, share, clock, labels, row.relative_day >= 0 ? risk(row.relative_day + 1)?.risk_label : undefined),
    ),
  )
}

/** The high of a day; undefined for the row of the running night, whose day has passed. */
const highOf = ({ relative_day, high }: Day) => (relative_day < 0 ? undefined : high)

function nameOf({ relative_day, date }: Day): string {
  if (relative_day === 0) return 'Today'
  if (relative_day === -1) return 'Overnight'
  const noon = new Date(`${date}T12:00:00Z`)
  return `${noon.toLocaleDateString('en-US', { weekday: 'short', timeZone: 'UTC' })} ${noon.getUTCDate()}`
}

/** The precipitation of a day: the depth of snow on a day of snow, otherwise the liquid amount. */
export function fallOf({ precip_total: water, snow_total: snow }: Day, labels: Labels): string {
  const depth = Number(snow ?? 0)
  if (depth >= leastSnow(labels) && depth >= MIN_SNOW_RATIO * Number(water ?? 0))
    return numberText(snow, ` ${labels.amount} snow`, labels.amount === 'mm' ? 0 : 1)
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
  const chance = Math.round(row.precip_probability ?? 0)
  const isWet = Number(row.precip_probability ?? 0) >= 5
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
      el('span', { class: 'rain' }, isWet ? `${chance}%` : '', isWet && fall ? el('small', {}, fall) : ''),
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

/** Returns true if the day half of a row has passed: in the row of the running night, and today after 6 PM. */
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
      ? `snow ${numberText(period.snow_total, ` ${labels.amount}`, labels.amount === 'mm' ? 0 : 1)}`
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
