import type { Hour } from './api.ts'
import { el, lateDetails, section, svg } from './dom.ts'
import { amount, type Clock, compass, degrees, isNumber, type Labels } from './format.ts'
import { glyph } from './glyph.ts'
import { type BarQuantity, bars, quantities, quantityChoice } from './hours-quantity.ts'
import { hoursTable } from './hours-table.ts'
import { addScrubber } from './scrubber.ts'

const HOUR_WIDTH = 20
const [LEFT, RIGHT] = [48, 16]
/** Positions of the rows of the chart, from the top: icons, temperatures, wind, bars of the chosen quantity, hours, days. */
const ICONS = 26
const [WARM_TOP, WARM_BOTTOM] = [44, 150]
const WIND = 172
const [WET_TOP, WET_BOTTOM] = [188, 240]
const HOURS = 258
const DAYS = 276
const HEIGHT = 284
/** Width of the longest name of a day, in hours of the chart. */
const DAY_NAME_HOURS = 4

/** The next 48 hours as a chart, and as a table with every value. */
export function hours(rows: readonly Hour[], clock: Clock, labels: Labels): HTMLElement {
  const title = 'Hour by hour'
  if (rows.length < 2)
    return section(title, 'hours', el('p', { class: 'error' }, 'The hourly forecast is not available just now.'))
  const output = el('p', { class: 'readout', 'aria-hidden': 'true' })
  const list = quantities(rows, labels)
  // The chosen quantity stays chosen when the page reads the weather again.
  const previous = document.querySelector<HTMLInputElement>('input[name=quantity]:checked')?.value
  const chosen = previous !== undefined && list.has(previous) ? previous : 'chance'
  const draw = (name: string) => chart(rows, clock, labels, output, list.get(name))
  const scroll = el('div', { class: 'scroll' }, draw(chosen))
  const choice = quantityChoice(list, chosen, (name) => scroll.replaceChildren(draw(name)))
  return section(
    title,
    'hours',
    output,
    scroll,
    choice,
    el(
      'p',
      { class: 'key quiet' },
      el('span', { class: 'swatch warm' }),
      `temperature ${labels.degree} `,
      el('span', { class: 'swatch feels' }),
      'feels like ',
      el('span', { class: 'swatch dew' }),
      `dew point · wind in ${labels.speed}, gusts by red marks`,
    ),
    lateDetails('All values as a table', () => hoursTable(rows, clock, labels)),
  )
}

function chart(
  rows: readonly Hour[],
  clock: Clock,
  labels: Labels,
  output: HTMLElement,
  quantity: BarQuantity | undefined,
): SVGSVGElement {
  const width = LEFT + RIGHT + HOUR_WIDTH * (rows.length - 1)
  const values = rows.flatMap((row) => [row.temperature, row.feels_like, row.dew_point]).filter(isNumber)
  const low = Math.floor((Math.min(...values) - 1) / 5) * 5
  const high = Math.max(low + 10, Math.ceil((Math.max(...values) + 1) / 5) * 5)
  const x = (i: number) => LEFT + i * HOUR_WIDTH
  const y = (value: number) => WARM_TOP + ((high - value) * (WARM_BOTTOM - WARM_TOP)) / (high - low)
  const root = svg('svg', { class: 'chart hours-chart', viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT })
  const step = high - low > 30 ? 10 : 5
  for (let value = low; value <= high; value += step) {
    root.append(svg('path', { class: 'grid', d: `M${LEFT} ${y(value).toFixed(1)}H${width - RIGHT}` }))
    root.append(svg('text', { x: LEFT - 6, y: (y(value) + 4).toFixed(1), 'text-anchor': 'end' }, `${value}°`))
  }
  if (quantity)
    root.append(...bars(rows, quantity, { left: LEFT, right: width - RIGHT, top: WET_TOP, bottom: WET_BOTTOM, x }))
  for (const [i, row] of rows.entries()) {
    const hour = clock.hourOfDay(row.time)
    if (i > 0 && hour === 0)
      root.append(svg('path', { class: 'midnight', d: `M${(x(i) - HOUR_WIDTH / 2).toFixed(1)} 6V${HEIGHT}` }))
    // A name that would reach beyond the end of the chart is left out.
    if (i === 0 || (hour === 0 && rows.length - i >= DAY_NAME_HOURS))
      root.append(
        svg('text', { class: 'day', x: i === 0 ? x(0) : x(i) - HOUR_WIDTH / 2 + 6, y: DAYS }, clock.weekday(row.time)),
      )
    if (hour % 3 === 0) {
      // A centred text at the last hour would reach beyond the end of the chart.
      const anchor = i === rows.length - 1 ? 'end' : 'middle'
      const at = i === rows.length - 1 ? x(i) + RIGHT - 2 : x(i)
      root.append(svg('text', { x: at, y: HOURS, 'text-anchor': anchor }, clock.hour(row.time)))
      const picture = glyph(row.icon)
      for (const [name, value] of Object.entries({ x: x(i) - 13, y: ICONS - 22, width: 26, height: 26 }))
        picture.setAttribute(name, String(value))
      root.append(picture)
      if (isNumber(row.wind_speed))
        root.append(
          svg(
            'text',
            { x: at, y: WIND, 'text-anchor': anchor },
            `${compass(row.wind_direction)} ${Math.round(row.wind_speed)}`,
          ),
        )
    }
  }
  const line = (name: 'temperature' | 'feels_like' | 'dew_point') =>
    rows
      .map((row, i) => {
        const value = row[name]
        if (!isNumber(value)) return ''
        return `${i > 0 && isNumber(rows[i - 1]?.[name]) ? 'L' : 'M'}${x(i)} ${y(value).toFixed(1)}`
      })
      .join('')
  root.append(svg('path', { class: 'dew', d: line('dew_point') }))
  root.append(svg('path', { class: 'feels', d: line('feels_like') }))
  root.append(svg('path', { class: 'warm', d: line('temperature') }))
  addScrubber(root, {
    label: `Hour by hour, ${rows.length} hours: values of each hour`,
    steps: rows.length,
    x,
    top: 4,
    bottom: WET_BOTTOM,
    output,
    describe: (i) => {
      const row = rows[i]
      return row ? [describe(row, clock, labels), quantity?.words?.(row)].filter(Boolean).join(' · ') : ''
    },
  })
  return root
}

function describe(row: Hour, clock: Clock, labels: Labels): string {
  const parts = [
    `${clock.weekday(row.time).slice(0, 3)} ${clock.hour(row.time)}: ${degrees(row.temperature)}`,
    isNumber(row.feels_like) && Math.round(row.feels_like) !== Math.round(row.temperature ?? NaN)
      ? `feels like ${degrees(row.feels_like)}`
      : '',
    row.conditions ?? '',
    isNumber(row.precip_probability)
      ? `${Math.round(row.precip_probability)}% chance${row.precip_amount ? `, ${amount(row.precip_amount, labels)}` : ''}`
      : '',
    isNumber(row.wind_speed)
      ? `wind ${compass(row.wind_direction)} ${Math.round(row.wind_speed)}${isNumber(row.wind_gust) ? ` gusts ${Math.round(row.wind_gust)}` : ''} ${labels.speed}`
      : '',
  ]
  return parts.filter(Boolean).join(' · ')
}
