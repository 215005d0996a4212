import type { VerifiedSource } from '../../../ingest/domain/verification/forecast.ts'
import type { SkillFigure } from '../../answer/skill.ts'
import { type ScoreWords, scoreText, scoreWords, sourceNames } from '../../present/skill-words.ts'
import { html, type Markup } from '../page.ts'
import { legend, mark, tableBelow, ticks, wordsOf } from './marks.ts'

/** Size of the plot in its own units: as wide as a phone, so that its text is not scaled there. */
const WIDTH = 360
const HEIGHT = 230
const [LEFT, RIGHT, TOP, BOTTOM] = [44, 8, 10, 34]

/** How a chart names its leads, counts and sources. */
export interface LeadAxis {
  /** Follows a number of leads, such as `h`. */
  readonly mark: string
  readonly title: string
  readonly pairs: string
  readonly names: typeof sourceNames
}

const hoursAxis: LeadAxis = { mark: 'h', title: 'hours ahead', pairs: 'pairs', names: sourceNames }

/** A figure of a chart: `lead` is in the unit of the axis. */
export type ChartFigure = Pick<SkillFigure, 'source' | 'pairs' | 'days' | 'scores'> & { readonly lead: number }

/** A score of each source by lead, with its intervals, as a plot and a table. */
export function leadChart(name: string, figures: readonly SkillFigure[], unit: string | null): Markup {
  return chartOf(
    name,
    figures.map((figure) => ({ ...figure, lead: figure.leadHours })),
    { unit, title: wordsOf(name).title, axis: hoursAxis },
  )
}

/** A score of each source by lead, with its intervals, as a plot and a table. @param about.title title of the chart */
export function chartOf(
  name: string,
  figures: readonly ChartFigure[],
  { unit, title, axis: { names, ...axisWords } }: { unit: string | null; title: string; axis: LeadAxis },
): Markup {
  const { meaning, best } = wordsOf(name)
  const points = figures.flatMap(({ scores, ...figure }) => {
    const score = scores[name]
    return score ? [{ ...figure, score }] : []
  })
  const [main] = points
  if (!main)
    return html`<figure><figcaption><h3>${title}</h3></figcaption><p>No event of this kind was forecast or observed, so the score is not defined.</p></figure>`
  const leads = [...new Set(points.map(({ lead }) => lead))].sort((a, b) => a - b)
  const sources = [...new Set(points.map(({ source }) => source))]
  const values = points.flatMap(({ score: { value, low, high } }) => [value, low ?? value, high ?? value])
  const axis = ticks(Math.min(0, ...values), Math.max(0, ...values))
  const low = Math.min(...axis)
  const high = Math.max(...axis)
  const yOf = (value: number) => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM)
  const step = (WIDTH - LEFT - RIGHT) / leads.length
  const xOf = (lead: number, source: VerifiedSource) =>
    LEFT + (leads.indexOf(lead) + 0.5) * step + (sources.indexOf(source) - (sources.length - 1) / 2) * (step / 9)
  const label = `${title} by lead, ${leads.length} leads of ${sources.length} sources. ${names[main.source]}: ${points
    .filter(({ source }) => source === main.source)
    .map(({ lead, score }) => `${lead} ${axisWords.mark} ${scoreText(name, score.value, unit)}`)
    .join(', ')}.`
  const lines = sources.map((source) => {
    const own = points.filter((point) => point.source === source)
    const path = own.map(({ lead, score }) => `${xOf(lead, source).toFixed(1)} ${yOf(score.value).toFixed(1)}`)
    const whiskers = own.flatMap(({ lead, score: { low: from, high: to } }) =>
      from === null || to === null
        ? []
        : [`M${xOf(lead, source).toFixed(1)} ${yOf(from).toFixed(1)}V${yOf(to).toFixed(1)}`],
    )
    return html`<path class="line ${source}" d="M${path.join('L')}"/><path class="whisker ${source}" d="${whiskers.join('')}"/>
${own.map(({ lead, score, pairs }) =>
  mark(
    source,
    xOf(lead, source),
    yOf(score.value),
    `${names[source]}, ${lead} ${axisWords.mark}: ${withInterval(name, score, unit)}, ${pairs.toLocaleString('en')} ${axisWords.pairs}`,
  ),
)}`
  })
  // The blend is drawn last, above its inputs.
  return html`<figure><figcaption><h3>${title}</h3><p>${meaning.slice(0, 1).toUpperCase()}${meaning.slice(1)}. ${directionOf(best)}</p></figcaption>
<svg class="plot" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
<path class="grid" d="${axis.map((value) => `M${LEFT} ${yOf(value).toFixed(1)}H${WIDTH - RIGHT}`).join('')}"/>
<path class="zero" d="M${LEFT} ${yOf(0).toFixed(1)}H${WIDTH - RIGHT}"/>
${axis.map((value) => html`<text class="y" x="${LEFT - 5}" y="${(yOf(value) + 3.5).toFixed(1)}">${axisText(name, value)}</text>`)}
${leads.map((lead, i) => html`<text class="x" x="${(LEFT + (i + 0.5) * step).toFixed(1)}" y="${HEIGHT - BOTTOM + 15}">${lead}</text>`)}
<text class="x" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 4}">${axisWords.title}${leads[0] === 0 ? ' (0: analysis)' : ''}</text>
${lines.toReversed()}
</svg>
${legend(sources, names)}
${tableBelow(
  title,
  [
    `${axisWords.title.slice(0, 1).toUpperCase()}${axisWords.title.slice(1)}`,
    ...sources.map((source) => names[source]),
  ],
  leads.map(
    (lead) =>
      html`<tr><th scope="row">${lead}</th>${sources.map((source) => {
        const point = points.find((candidate) => candidate.source === source && candidate.lead === lead)
        return point
          ? html`<td>${scoreText(name, point.score.value, unit)}<br><small>${intervalText(name, point.score, unit)}, ${point.pairs.toLocaleString('en')} ${axisWords.pairs}, ${point.days} days</small></td>`
          : html`<td>–</td>`
      })}</tr>`,
  ),
)}</figure>`
}

/** A sentence that tells which values of a score are good. */
const directionOf = (best: ScoreWords['best']) =>
  ({ least: 'Less is better.', greatest: 'More is better.', zero: 'Best near 0.', one: 'Best near 1.' })[best]

type Score = SkillFigure['scores'][string]

export function intervalText(name: string, { low, high }: Score, unit: string | null): string {
  return low === null || high === null
    ? 'no interval'
    : `${scoreText(name, low, unit)} to ${scoreText(name, high, unit)}`
}

export const withInterval = (name: string, score: Score, unit: string | null) =>
  `${scoreText(name, score.value, unit)} (${intervalText(name, score, unit)})`

const axisText = (name: string, value: number) =>
  scoreWords[name]?.share ? `${Math.round(100 * value)}%` : String(value)
