import type { VerifiedVariable } from '../../../ingest/domain/verification/statistics.ts'
import { MIN_PAIRS } from '../../../ingest/domain/verification/statistics.ts'
import type { Skill, SkillFigure } from '../../answer/skill.ts'
import type { StationFigure } from '../../answer/station-scores.ts'
import { mainScores, scoreText, sourceNames } from '../../present/skill-words.ts'
import { html, type Markup } from '../page.ts'
import { intervalText } from '../skill/lead-chart.ts'
import { COLUMNS } from './board.ts'

/** A table with a caption, which scrolls sideways on a narrow screen. */
export function captioned(caption: string, head: readonly (string | Markup)[], rows: readonly Markup[]): Markup {
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption>
<thead><tr>${head.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>
${rows}</tbody></table></div>`
}

export const columnTitles = COLUMNS.map((source) => sourceNames[source])

/** The cells of a row: the first score of the variable for each source at one lead, with interval, pairs and days. */
export function sourceCells(variable: VerifiedVariable, { figures, unit }: Skill, lead: number): Markup[] {
  const [name] = mainScores[variable]
  return COLUMNS.map((source) => {
    const figure = figures.find((candidate) => candidate.source === source && candidate.leadHours === lead)
    if (!figure) return html`<td>–</td>`
    return html`<td>${figureText(name, figure, unit)}<br><small>${pairsText(figure.pairs)}, ${figure.days} day${figure.days === 1 ? '' : 's'}</small></td>`
  })
}

function figureText(name: string, { scores }: SkillFigure, unit: string | null): Markup {
  const score = scores[name]
  if (!score) return html`not defined`
  return html`${scoreText(name, score.value, unit)}<br><small>${intervalText(name, score, unit)}</small>`
}

/** The cells of a station: the first score of the variable for each source at one lead, with the number of pairs. */
export function stationCells(
  variable: VerifiedVariable,
  figures: readonly StationFigure[],
  lead: number,
  unit: string | null,
): Markup[] {
  const [name] = mainScores[variable]
  return COLUMNS.map((source) => {
    const figure = figures.find((candidate) => candidate.source === source && candidate.leadHours === lead)
    if (!figure) return html`<td>–</td>`
    const score = figure.scores?.[name]
    const text = figure.scores === null ? `fewer than ${MIN_PAIRS} pairs` : 'not defined'
    return html`<td>${score === undefined ? text : scoreText(name, score, unit)}<br><small>${pairsText(figure.pairs)}</small></td>`
  })
}

export const pairsText = (pairs: number) => `${pairs.toLocaleString('en')} pair${pairs === 1 ? '' : 's'}`
