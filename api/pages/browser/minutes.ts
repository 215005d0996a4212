import type { Nowcast } from './api.ts'
import { el, section, svg } from './dom.ts'
import { amount, type Clock, isNumber, type Labels, numberText } from './format.ts'
import { addScrubber } from './scrubber.ts'
import { rainNow } from './sentence.ts'

/** Width of the chart in pixels: nearly the window on a phone, less than half of it beside the map. A scaled chart would have too small words. */
const widthOf = (windowWidth: number) =>
  windowWidth < 992 ? Math.min(640, Math.max(280, windowWidth - 60)) : Math.min(640, windowWidth * 0.36)
const HEIGHT = 116
const [LEFT, RIGHT, TOP, BOTTOM] = [64, 12, 8, 24]
/** Rates at which the axis has the words light, moderate and heavy, mm/h. */
const LEVELS: readonly (readonly [number, string])[] = [
  [0.5, 'light'],
  [4, 'moderate'],
  [16, 'heavy'],
]
const MAX_RATE = 100
const STEP_MS = 5 * 60_000
/** Interval between the times on the axis. */
const TICK_MS = 30 * 60_000

/** Round times below the bars, and a line at the present. */
function axis(times: readonly number[], now: number, width: number, clock: Clock): SVGElement[] {
  const [first = now] = times
  const last = times.at(-1) ?? now
  const xOf = (at: number) =>
    LEFT + ((at - first) / (last - first + STEP_MS) + 0.5 / times.length) * (width - LEFT - RIGHT)
  const text = (at: number, words: string) => {
    const anchor = xOf(at) > width - RIGHT - 24 ? 'end' : 'middle'
    return svg('text', { x: xOf(at).toFixed(1), y: HEIGHT - 6, 'text-anchor': anchor }, words)
  }
  const marks: SVGElement[] = []
  for (let at = Math.ceil(first / TICK_MS) * TICK_MS; at <= last; at += TICK_MS)
    if (Math.abs(at - now) > TICK_MS / 2) marks.push(text(at, clock.time(at)))
  if (now < first || now > last) return marks
  const line = svg('path', { class: 'present', d: `M${xOf(now).toFixed(1)} ${TOP}V${HEIGHT - BOTTOM + 4}` })
  return [...marks, line, text(now, 'now')]
}

/** The nowcast: a bar for each five minutes of the next 90. */
export function minutes(nowcast: Nowcast | undefined, clock: Clock, labels: Labels, now: number): HTMLElement {
  const title = 'Next 90 minutes'
  if (!nowcast || nowcast.points.length === 0)
    return section(
      title,
      'minutes',
      el('p', { class: 'quiet' }, 'No radar forecast is available for this place just now.'),
    )
  const { points } = nowcast
  if (points.every(({ type }) => type === 'no_coverage'))
    return section(
      title,
      'minutes',
      el('p', { class: 'quiet' }, 'No radar covers this place. The hours below come from models.'),
    )
  const unseen = points.filter(({ type }) => type === 'no_coverage').length
  const words =
    rainNow(nowcast, now) ??
    (unseen > 0
      ? `No precipitation where radar can see; no radar sees what arrives in ${unseen} of ${points.length} steps.`
      : 'No precipitation within 90 minutes.')
  if (points.every(({ type }) => type === 'none' || type === 'no_coverage'))
    return section(title, 'minutes', el('p', {}, words))
  const metric = labels.amount === 'mm'
  const rate = (value: number | null | undefined) => (isNumber(value) ? (metric ? value : value * 25.4) : 0)
  const height = (mm: number) => (mm <= 0 ? 0 : Math.min(1, Math.log1p(mm * 4) / Math.log1p(MAX_RATE * 4)))
  const width = widthOf(innerWidth)
  const plot = HEIGHT - TOP - BOTTOM
  const step = (width - LEFT - RIGHT) / points.length
  const x = (i: number) => LEFT + (i + 0.5) * step
  const chart = svg('svg', { class: 'chart', viewBox: `0 0 ${width} ${HEIGHT}` })
  for (const [from, word] of LEVELS) {
    const y = HEIGHT - BOTTOM - height(from) * plot
    chart.append(svg('path', { class: 'grid', d: `M${LEFT} ${y.toFixed(1)}H${width - RIGHT}` }))
    chart.append(svg('text', { x: LEFT - 6, y: (y + 4).toFixed(1), 'text-anchor': 'end' }, word))
  }
  for (const [i, point] of points.entries()) {
    const barHeight = Math.max(height(rate(point.precip_rate)) * plot, point.type === 'none' ? 0 : 3)
    const [left, top] = [LEFT + i * step + 1.5, HEIGHT - BOTTOM - barHeight]
    if (point.type === 'no_coverage')
      chart.append(svg('rect', { class: 'unknown', x: left, y: HEIGHT - BOTTOM - 4, width: step - 3, height: 4 }))
    else if (barHeight > 0)
      chart.append(
        svg('rect', {
          class: `fall ${point.type}`,
          x: left.toFixed(1),
          y: top.toFixed(1),
          width: (step - 3).toFixed(1),
          height: barHeight.toFixed(1),
          rx: 2,
        }),
      )
  }
  chart.append(
    ...axis(
      points.map(({ time }) => Date.parse(time)),
      now,
      width,
      clock,
    ),
  )
  const output = el('p', { class: 'readout', 'aria-hidden': 'true' })
  addScrubber(chart, {
    label: `${title}: values by five minutes`,
    steps: points.length,
    x,
    top: TOP,
    bottom: HEIGHT - BOTTOM,
    output,
    describe: (i) => {
      const point = points[i]
      if (!point) return ''
      const { time, type, precip_rate, precip_probability } = point
      const fall = `${amount(precip_rate, labels, '/h')}, chance ${numberText(precip_probability, '%')}`
      return `${clock.time(time)}: ${type === 'none' ? 'dry' : type === 'no_coverage' ? 'not seen by radar' : `${type.replaceAll('_', ' ')}, ${fall}`}`
    },
  })
  return section(title, 'minutes', el('p', {}, words), chart, output)
}
