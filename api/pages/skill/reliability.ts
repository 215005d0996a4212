import type { SkillFigure } from '../../answer/skill.ts'
import { sourceNames } from '../../present/skill-words.ts'
import { html, type Markup } from '../page.ts'
import { legend, mark, tableBelow } from './marks.ts'

const SIZE = 300
const [LEFT, RIGHT, TOP, BOTTOM] = [40, 10, 10, 34]
/** Height of the bars that show how often each probability was forecast, as a share of the plot. */
const BARS_SHARE = 0.2

/** The share of hours with precipitation for each forecast probability, by source, as a plot and a table. */
export function reliabilityDiagram(figures: readonly SkillFigure[], lead: number): Markup {
  const diagrams = figures.flatMap(({ source, reliability }) => {
    const bins = reliability ?? []
    const points = bins.flatMap(({ forecast, observed, n }) =>
      forecast === null || observed === null ? [] : [{ forecast, observed, n }],
    )
    return points.length > 0 ? [{ source, bins, points }] : []
  })
  const [main] = diagrams
  if (!main) return html`<p>No probability has 30 pairs ${lead} hours ahead.</p>`
  const x = (percent: number) => LEFT + (percent / 100) * (SIZE - LEFT - RIGHT)
  const y = (percent: number) => SIZE - BOTTOM - (percent / 100) * (SIZE - TOP - BOTTOM)
  const { bins } = main
  const most = Math.max(...bins.map(({ n }) => n))
  const label = `Reliability ${lead} hours ahead. ${sourceNames[main.source]}: ${main.points
    .map(({ forecast, observed }) => `${forecast.toFixed(0)}% forecast, ${observed.toFixed(0)}% observed`)
    .join('; ')}.`
  const grid = [0, 20, 40, 60, 80, 100]
  const width = (SIZE - LEFT - RIGHT) / bins.length
  const bars = bins
    .filter(({ n }) => n > 0)
    .map(({ from, n }) => {
      const height = Math.max(1, (n / most) * BARS_SHARE * (SIZE - TOP - BOTTOM))
      return `M${x(from).toFixed(1)} ${SIZE - BOTTOM}v${(-height).toFixed(1)}h${(width - 1).toFixed(1)}v${height.toFixed(1)}z`
    })
  const lines = diagrams.map(({ source, points }) => {
    return html`<path class="line ${source}" d="M${points.map(({ forecast, observed }) => `${x(forecast).toFixed(1)} ${y(observed).toFixed(1)}`).join('L')}"/>
${points.map(({ forecast, observed, n }) =>
  mark(
    source,
    x(forecast),
    y(observed),
    `${sourceNames[source]}: ${forecast.toFixed(0)}% forecast, ${observed.toFixed(0)}% observed, ${n.toLocaleString('en')} pairs`,
  ),
)}`
  })
  return html`<figure><figcaption><h3>Reliability, ${lead} hours ahead</h3><p>How often 0.01 in or more fell in an hour for which a probability was forecast. On the diagonal forecasts are reliable; below it they are too wet, above it too dry. The bars show how often each probability was forecast (${sourceNames[main.source]}). HRRR, RRFS, GFS and the last report have no probabilities: they count as 0 or 100%.</p></figcaption>
<svg class="plot square" viewBox="0 0 ${SIZE} ${SIZE}" role="img" aria-label="${label}">
<path class="grid" d="${grid.map((percent) => `M${LEFT} ${y(percent).toFixed(1)}H${SIZE - RIGHT}M${x(percent).toFixed(1)} ${TOP}V${SIZE - BOTTOM}`).join('')}"/>
<path class="bars" d="${bars.join('')}"/>
<path class="zero" d="M${x(0)} ${y(0)}L${x(100)} ${y(100)}"/>
${grid.map((percent) => html`<text class="y" x="${LEFT - 5}" y="${(y(percent) + 3.5).toFixed(1)}">${percent}</text><text class="x" x="${x(percent).toFixed(1)}" y="${SIZE - BOTTOM + 14}">${percent}</text>`)}
<text class="x" x="${(LEFT + SIZE - RIGHT) / 2}" y="${SIZE - 4}">forecast, %</text>
<text class="x" transform="translate(10 ${(TOP + SIZE - BOTTOM) / 2}) rotate(-90)">observed, %</text>
${lines.toReversed()}
</svg>
${legend(diagrams.map(({ source }) => source))}
${tableBelow(
  'Reliability',
  ['Forecast', ...diagrams.map(({ source }) => `${sourceNames[source]}: observed`)],
  bins.map(
    ({ from, to }, i) =>
      html`<tr><th scope="row">${from} to ${to}%</th>${diagrams.map((diagram) => {
        const { observed = null, n = 0 } = diagram.bins[i] ?? {}
        return html`<td>${observed === null ? '–' : `${observed.toFixed(1)}%`}<br><small>${n.toLocaleString('en')} pairs</small></td>`
      })}</tr>`,
  ),
)}</figure>`
}
