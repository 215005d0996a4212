import type { Hour } from './api.ts'
import { el, svg } from './dom.ts'
import { amount, isNumber, type Labels, type Maybe } from './format.ts'

/** A quantity that the bars below the temperatures can show. */
export interface BarQuantity {
  readonly label: string
  /** The value that is the height of the bar. */
  readonly height: (row: Hour) => Maybe
  /** The value of a mark above the bar. */
  readonly mark?: (row: Hour) => Maybe
  /** The smallest end of the axis; the axis ends at `most` if that is given. */
  readonly least: number
  readonly most?: number
  readonly unit: string
  /** Class of the bar's colour. */
  readonly kind?: (row: Hour) => string | null | undefined
  /** The value of an hour in words, if the description of the hour does not contain it. */
  readonly words?: (row: Hour) => string
}

/** The quantities of which any hour has a value, by name; the chance of precipitation is first. */
export function quantities(rows: readonly Hour[], labels: Labels): ReadonlyMap<string, BarQuantity> {
  const inches = labels.amount === 'in'
  const percent = { least: 100, most: 100, unit: '%' }
  const kind = (row: Hour) => row.precip_type
  const list: Readonly<Record<string, BarQuantity>> = {
    chance: { label: 'Chance', height: (row) => row.precip_probability, kind, ...percent },
    amount: {
      label: 'Amount',
      height: (row) => row.precip_amount,
      least: inches ? 0.1 : 2,
      unit: '',
      kind,
    },
    snow: {
      label: 'Snow',
      height: (row) => row.snow_amount,
      least: inches ? 1 : 20,
      unit: ` ${labels.amount}`,
      kind: () => 'snow',
      words: (row) => `snow ${amount(row.snow_amount, { amount: labels.amount, amountDigits: 1 })}`,
    },
    wind: {
      label: 'Wind, gusts',
      height: (row) => row.wind_speed,
      mark: (row) => row.wind_gust,
      least: inches ? 20 : 40,
      unit: ` ${labels.speed}`,
    },
    clouds: {
      label: 'Clouds',
      height: (row) => row.cloud_cover,
      ...percent,
      words: (row) => (isNumber(row.cloud_cover) ? `clouds ${Math.round(row.cloud_cover)}%` : ''),
    },
    uv: {
      label: 'UV index',
      height: (row) => row.uv_index,
      least: 10,
      unit: '',
      words: (row) => (isNumber(row.uv_index) ? `UV index ${Math.round(row.uv_index)}` : ''),
    },
    aqi: {
      label: 'Air quality',
      height: (row) => row.aqi,
      least: 100,
      unit: '',
      words: (row) => (isNumber(row.aqi) ? `air quality index ${row.aqi}` : ''),
    },
  }
  return new Map(Object.entries(list).filter(([, { height }]) => rows.some((row) => isNumber(height(row)))))
}

/** The end of the axis: a round number at or above the greatest value. */
function top(rows: readonly Hour[], { height, mark, least, most }: BarQuantity): number {
  const greatest = Math.max(least, ...rows.flatMap((row) => [height(row), mark?.(row)]).filter(isNumber))
  if (most !== undefined) return most
  const step = 10 ** Math.floor(Math.log10(greatest))
  return [1, 2, 4, 5].map((factor) => factor * step).find((value) => value >= greatest - 1e-9) ?? 10 * step
}

/** The part of a chart in which bars are drawn, in units of the view box. */
export interface Panel {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly x: (hour: number) => number
}

/** A bar for each hour, with the axis. */
export function bars(rows: readonly Hour[], quantity: BarQuantity, panel: Panel): SVGElement[] {
  const full = top(rows, quantity)
  const heightOf = (value: Maybe) =>
    (Math.min(full, Math.max(0, Number(value ?? 0))) / full) * (panel.bottom - panel.top)
  const axis = [0, full / 2, full].flatMap((value) => {
    const y = panel.bottom - heightOf(value)
    // Only the top of the axis has the unit, except for percentages.
    const unit = value === full || quantity.unit.endsWith('%') ? quantity.unit : ''
    const text = `${Number(value.toFixed(2))}${unit}`
    return [
      svg('path', { class: 'grid', d: `M${panel.left} ${y}H${panel.right}` }),
      svg('text', { x: panel.left - 6, y: y + 4, 'text-anchor': 'end' }, text),
    ]
  })
  const hours = rows.flatMap((row, i) => {
    const [height, mark] = [heightOf(quantity.height(row)), quantity.mark?.(row)]
    const x = panel.x(i) - 8
    return [
      height > 0 &&
        svg('rect', {
          class: `wet ${quantity.kind?.(row) ?? ''}`,
          x,
          y: (panel.bottom - height).toFixed(1),
          width: 16,
          height: height.toFixed(1),
          rx: 2,
        }),
      isNumber(mark) && svg('path', { class: 'gust', d: `M${x} ${(panel.bottom - heightOf(mark)).toFixed(1)}h16` }),
    ].filter((shape) => shape !== false)
  })
  return [...axis, ...hours]
}

/** Radio buttons to choose the quantity of the bars. */
export function quantityChoice(
  list: ReadonlyMap<string, BarQuantity>,
  chosen: string,
  choose: (name: string) => void,
): HTMLElement {
  const field = el('fieldset', { class: 'quantities' }, el('legend', { class: 'off' }, 'Bars of the chart'))
  for (const [name, { label }] of list) {
    const input = el('input', { type: 'radio', name: 'quantity', value: name, checked: name === chosen })
    input.addEventListener('change', () => choose(name))
    field.append(el('label', { class: 'chip' }, input, el('span', {}, label)))
  }
  return field
}
