import type { VerifiedSource } from '../../../ingest/domain/verification/forecast.ts'
import type { SkillFigure } from '../../answer/skill.ts'
import { scoreText, scoreWords, sourceNames } from '../../present/skill-words.ts'
import { html, type Markup } from '../page.ts'
import { legend, mark, tableBelow, ticks } from './marks.ts'

/** The plot in its own units: as wide as a phone, so that its text has its size there. */
const WIDTH = 360
const HEIGHT = 230
const [LEFT, RIGHT, TOP, BOTTOM] = [44, 8, 10, 34]

/** A score of each source by lead, with its intervals, and the same as a table. */
export function leadChart(name: string, figures: readonly SkillFigure[], unit: string | null): Markup {
  const { title, meaning, best } = scoreWords[name]!
  const points = figures.filter(({ scores }) => scores[name])
  if (points.length === 0)
    return html`<figure><figcaption><h3>${title}</h3></figcaption><p>No event of this kind was forecast or came: the score is not defined.</p></figure>`
  const leads = [...new Set(points.map(({ leadHours }) => leadHours))].sort((a, b) => a - b)
  const sources = [...new Set(points.map(({ source }) => source))]
  const values = points.flatMap(({ scores }) => {
    const { value, low, high } = scores[name]!
    return [value, low ?? value, high ?? value]
  })
  const axis = ticks(Math.min(0, ...values), Math.max(0, ...values))
  const [low, high] = [axis[0]!, axis.at(-1)!]
  const yOf = (value: number) => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM)
  const step = (WIDTH - LEFT - RIGHT) / leads.length
  const xOf = (lead: number, source: VerifiedSource) =>
    LEFT + (leads.indexOf(lead) + 0.5) * step + (sources.indexOf(source) - (sources.length - 1) / 2) * (step / 9)
  const label = `${title} by lead, ${leads.length} leads of ${sources.length} sources. ${sourceNames[points[0]!.source]}: ${points
    .filter(({ source }) => source === points[0]!.source)
    .map(({ leadHours, scores }) => `${leadHours} h ${scoreText(name, scores[name]!.value, unit)}`)
    .join(', ')}.`
  const lines = sources.map((source) => {
    const own = points.filter((one) => one.source === source)
    const path = own.map(
      ({ leadHours, scores }) => `${xOf(leadHours, source).toFixed(1)} ${yOf(scores[name]!.value).toFixed(1)}`,
    )
    const whiskers = own.flatMap(({ leadHours, scores }) => {
      const { low: from, high: to } = scores[name]!
      return from === null || to === null
        ? []
        : [`M${xOf(leadHours, source).toFixed(1)} ${yOf(from).toFixed(1)}V${yOf(to).toFixed(1)}`]
    })
    return html`<path class="line ${source}" d="M${path.join('L')}"/><path class="whisker ${source}" d="${whiskers.join('')}"/>
${own.map(({ leadHours, scores, pairs }) =>
  mark(
    source,
    xOf(leadHours, source),
    yOf(scores[name]!.value),
    `${sourceNames[source]}, ${leadHours} h: ${withInterval(name, scores[name]!, unit)}, ${pairs.toLocaleString('en')} pairs`,
  ),
)}`
  })
  // The answer as served is drawn last, above its inputs.
  return html`<figure><figcaption><h3>${title}</h3><p>${meaning[0]!.toUpperCase()}${meaning.slice(1)}. ${wordOf(best)}</p></figcaption>
<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
<path class="grid" d="${axis.map((value) => `M${LEFT} ${yOf(value).toFixed(1)}H${WIDTH - RIGHT}`).join('')}"/>
<path class="zero" d="M${LEFT} ${yOf(0).toFixed(1)}H${WIDTH - RIGHT}"/>
${axis.map((value) => html`<text class="y" x="${LEFT - 5}" y="${(yOf(value) + 3.5).toFixed(1)}">${axisText(name, value)}</text>`)}
${leads.map((lead, i) => html`<text class="x" x="${(LEFT + (i + 0.5) * step).toFixed(1)}" y="${HEIGHT - BOTTOM + 15}">${lead}</text>`)}
<text class="x" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 4}">hours ahead${leads[0] === 0 ? ' (0: analysis)' : ''}</text>
${lines.toReversed()}
</svg>
${legend(sources)}
${tableBelow(
  title,
  ['Hours ahead', ...sources.map((source) => sourceNames[source])],
  leads.map(
    (lead) =>
      html`<tr><th scope="row">${lead}</th>${sources.map((source) => {
        const one = points.find((figure) => figure.source === source && figure.leadHours === lead)
        return one
          ? html`<td>${scoreText(name, one.scores[name]!.value, unit)}<br><small>${intervalText(name, one.scores[name]!, unit)}, ${one.pairs.toLocaleString('en')} pairs, ${one.days} days</small></td>`
          : html`<td>–</td>`
      })}</tr>`,
  ),
)}</figure>`
}

const wordOf = (best: 'least' | 'greatest' | 'zero') =>
  ({ least: 'Less is better.', greatest: 'More is better.', zero: 'Best near 0.' })[best]

type Score = SkillFigure['scores'][string]

function intervalText(name: string, { low, high }: Score, unit: string | null): string {
  return low === null || high === null
    ? 'no interval'
    : `${scoreText(name, low, unit)} to ${scoreText(name, high, unit)}`
}

export const withInterval = (name: string, score: Score, unit: string | null) =>
  `${scoreText(name, score.value, unit)} (${intervalText(name, score, unit)})`

const axisText = (name: string, value: number) =>
  scoreWords[name]?.share ? `${Math.round(100 * value)}%` : String(value)
