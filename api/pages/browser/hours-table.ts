import type { Hour } from './api.ts'
import { el } from './dom.ts'
import { type Clock, compass, degrees, type Labels, numberText } from './format.ts'
import { glyph } from './glyph.ts'

type HoursColumn = readonly [title: string, cell: (row: Hour) => string | Node]

/** A table with every value of each hour, which scrolls sideways. */
export function hoursTable(rows: readonly Hour[], clock: Clock, labels: Labels): HTMLElement {
  const columns: readonly HoursColumn[] = [
    ['Sky', ({ icon, conditions }) => el('span', { class: 'sky' }, glyph(icon), ` ${conditions ?? ''}`)],
    [labels.degree, ({ temperature }) => degrees(temperature)],
    ['Feels', ({ feels_like }) => degrees(feels_like)],
    ['Dew point', ({ dew_point }) => degrees(dew_point)],
    ['Chance', ({ precip_probability }) => numberText(precip_probability, '%')],
    [`Amount, ${labels.amount}`, ({ precip_amount }) => numberText(precip_amount, '', labels.amountDigits)],
    [`Snow, ${labels.amount}`, ({ snow_amount }) => numberText(snow_amount, '', 1)],
    [
      `Wind, ${labels.speed}`,
      ({ wind_speed, wind_direction }) => `${compass(wind_direction)} ${numberText(wind_speed)}`.trim(),
    ],
    ['Gusts', ({ wind_gust }) => numberText(wind_gust)],
    ['Humidity', ({ humidity }) => numberText(humidity, '%')],
    ['Clouds', ({ cloud_cover }) => numberText(cloud_cover, '%')],
    ['Thunder', ({ thunderstorm_probability }) => numberText(thunderstorm_probability, '%')],
    ['UV', ({ uv_index }) => numberText(uv_index)],
    ['AQI', ({ aqi }) => numberText(aqi)],
  ]
  const filledColumns = columns.filter(([, cell]) => rows.some((row) => cell(row) !== '–'))
  const body = rows.map((row, i) => {
    const isFirstOfDay = i === 0 || clock.hourOfDay(row.time) === 0
    const time = `${isFirstOfDay ? `${clock.weekday(row.time).slice(0, 3)} ` : ''}${clock.hour(row.time)}`
    return el(
      'tr',
      { class: isFirstOfDay ? 'first' : undefined },
      el('th', { scope: 'row' }, time),
      ...filledColumns.map(([, cell]) => el('td', {}, cell(row))),
    )
  })
  return el(
    'div',
    { class: 'scroll', role: 'region', 'aria-label': 'Hourly values', tabindex: '0' },
    el(
      'table',
      { class: 'values' },
      el(
        'thead',
        {},
        el(
          'tr',
          {},
          ...['Hour', ...filledColumns.map(([title]) => title)].map((title) => el('th', { scope: 'col' }, title)),
        ),
      ),
      el('tbody', {}, ...body),
    ),
  )
}
