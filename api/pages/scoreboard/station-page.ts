import { MIN_PAIRS, VARIABLES } from '../../../ingest/domain/verification/statistics.ts'
import { stateByCode } from '../../../ingest/geo/state.ts'
import type { ScoredStation } from '../../../sql/queries/verification-sums.ts'
import { skillUnit } from '../../answer/skill.ts'
import type { StationScores } from '../../answer/station-scores.ts'
import { mainScores, variableNames } from '../../present/skill-words.ts'
import { html, type Markup } from '../page.ts'
import { wordsOf } from '../skill/marks.ts'
import { type Board, indexPath, stationPath } from './board.ts'
import { boardPage, linkFrom } from './frame.ts'
import { captioned, columnTitles, stationCells } from './tables.ts'

/** The page of a station: for each variable a table of sources by lead. */
export function stationPage(station: ScoredStation, scores: StationScores, board: Board): string {
  const { id, name, lat, lon, state } = station
  const path = stationPath(id)
  const sections = VARIABLES.map((variable): Markup => {
    const figures = scores.figuresAt(id, variable)
    const leads = [...new Set(figures.flatMap(({ leadHours, scores }) => (scores ? [leadHours] : [])))]
    const { unit } = skillUnit(variable, board.units)
    const { title, meaning } = wordsOf(mainScores[variable][0])
    const most = Math.max(0, ...figures.map(({ pairs }) => pairs))
    const table =
      leads.length === 0
        ? html`<p>No score can be given: there are at most ${most} pairs of a forecast and a report; scores need ${MIN_PAIRS}.</p>`
        : captioned(
            `${variableNames[variable]}: ${title.toLowerCase()} by hours ahead`,
            ['Hours ahead', ...columnTitles],
            leads
              .filter((lead) => lead > 0)
              .sort((a, b) => a - b)
              .map(
                (lead) => html`<tr><th scope="row">${lead}</th>${stationCells(variable, figures, lead, unit)}</tr>\n`,
              ),
          )
    return html`<section aria-labelledby="${variable}"><h2 id="${variable}">${variableNames[variable]}</h2>
<p class="quiet">${title}: ${meaning}.</p>
${table}</section>`
  })
  const body = html`<h1>${name} (${id})</h1>
<p><a href="${linkFrom(path, indexPath({ id: state }))}">${stateByCode.get(state)?.name ?? state}</a> · ${lat.toFixed(3)}, ${lon.toFixed(3)}</p>
<p>Served forecasts and their inputs compared with the METARs of this station, ${board.firstDay} to ${board.lastDay} (UTC). A dash: the source has no such forecast. Scores of one station have no interval; a few days of one station show little.</p>
${sections}`
  return boardPage(path, { title: `${id} ${name}`, body, board })
}
