import { MIN_PAIRS, VARIABLES, type VerifiedVariable } from '../../../ingest/domain/verification/statistics.ts'
import type { Skill } from '../../answer/skill.ts'
import { mainScores, variableNames } from '../../present/skill-words.ts'
import { html, type Markup } from '../page.ts'
import { leadChart } from '../skill/lead-chart.ts'
import { wordsOf } from '../skill/marks.ts'
import { reliabilityDiagram } from '../skill/reliability.ts'
import {
  AREAS,
  type AreaScores,
  type AreaView,
  areaDataPath,
  type Board,
  COLUMNS,
  dataFiles,
  indexPath,
  MAIN_LEAD,
  NOWCAST_PATH,
  stationPath,
  variablePath,
} from './board.ts'
import { boardPage, linkFrom } from './frame.ts'
import { captioned, columnTitles, sourceCells, stationCells } from './tables.ts'

const upper = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
/** The period and the rules of all figures. */
const rules = ({ firstDay, lastDay }: Board) =>
  html`The period is <span class="period">${firstDay} to ${lastDay}</span> (UTC). Scores with fewer than ${MIN_PAIRS} pairs of a forecast and a report are not shown. Intervals are 95% intervals from days drawn with replacement; fewer than five days have no interval. If two intervals overlap widely, neither forecast is shown to be better.`

/** The overview of a region: each variable one day ahead, and its parts. The region US has the overview of the site. */
export function areaIndex(view: AreaView, board: Board): string {
  const { area } = view
  const path = indexPath(area)
  const to = (file: string) => linkFrom(path, file)
  const isSite = area.id === 'US'
  const rows = VARIABLES.map((variable) => {
    const skill = view.skills.get(variable)
    const title = html`<th scope="row"><a href="${to(variablePath(area, variable))}">${variableNames[variable]}</a><br><small>${wordsOf(mainScores[variable][0]).title}</small></th>`
    return skill && skill.figures.length > 0
      ? html`<tr>${title}${sourceCells(variable, skill, MAIN_LEAD)}</tr>\n`
      : html`<tr>${title}<td colspan="${COLUMNS.length}">No score can be given. ${skill?.whyEmpty ?? ''}</td></tr>\n`
  })
  const body = html`<h1>How good the forecasts were${isSite ? '' : html`: ${area.name}`}</h1>
<p>Every hour the served forecast is recorded for each station of the 50 states and DC with METARs in 12 of the last 24 hours, together with each of its inputs alone (NBM, HRRR, RRFS, GFS) and the last report. All are compared with the METARs that follow. ${rules(board)}</p>
<section aria-labelledby="day"><h2 id="day">${upper(area.name)}, ${MAIN_LEAD} hours ahead</h2>
${captioned(`Scores ${MAIN_LEAD} hours ahead, ${area.name}, ${board.firstDay} to ${board.lastDay}`, ['Variable', ...columnTitles], rows)}
<p class="quiet">A dash: the source has no such forecast or too few pairs. Each variable is a link to all leads${area.states ? ' and states' : ' and stations'}. <a href="${to(areaDataPath(area))}">The same as JSON</a>.</p>
</section>
${isSite ? siteParts(board, to) : area.states ? '' : stationList(view, to)}`
  return boardPage(path, { title: isSite ? 'Overview' : upper(area.name), body, board })
}

function siteParts({ areas }: Board, to: (file: string) => string): Markup {
  const states = areas.filter((area) => !area.states)
  const absent = AREAS.filter((area) => !area.states && !areas.includes(area))
  return html`<section aria-labelledby="now"><h2 id="now">Nowcast</h2>
<p><a href="${to(NOWCAST_PATH)}">Nowcasts against radar</a>, by domain, lead and rain rate.</p></section>
<section aria-labelledby="regions"><h2 id="regions">Regions</h2>
<p>Alaska and Hawaii are domains of their own; the other states are one domain, <a href="${to(indexPath({ id: 'conus' }))}">the lower 48</a>. The page of a state has its stations.</p>
${states.length > 0 && html`<ul class="list">${states.map((area) => html`<li><a href="${to(indexPath(area))}">${area.name}</a></li>`)}</ul>`}
${absent.length > 0 && html`<p class="quiet">No station was compared in this period in ${absent.map(({ name }) => name).join(', ')}.</p>`}</section>
<section aria-labelledby="data"><h2 id="data">Data files</h2>
<ul>${dataFiles.map(([file, content]) => html`<li><a href="${to(file)}">${file}</a>: ${content}</li>`)}</ul>
<p>Each region has its scores as JSON too, in the form of <code>/v1/skill</code>. Leads are in hours; lead 0 is the analysis.</p></section>`
}

function stationList({ area, stations }: AreaView, to: (file: string) => string): Markup {
  const own = stations.stations.filter(({ state }) => state === area.id)
  return html`<section aria-labelledby="stations"><h2 id="stations">Stations</h2>
<ul class="list">${own.map(({ id, name }) => html`<li><a href="${to(stationPath(id))}">${id}</a> ${name}</li>`)}</ul></section>`
}

/** The page of a variable in a region: each main score by lead, and its states or stations one day ahead. */
export function areaVariable(view: AreaView, variable: VerifiedVariable, board: Board): string {
  const { area } = view
  const path = variablePath(area, variable)
  const to = (file: string) => linkFrom(path, file)
  const skill = view.skills.get(variable)
  const unit = skill?.unit ?? null
  const body = html`<h1>${variableNames[variable]}: ${area.name}</h1>
<nav aria-label="Variables"><p>${VARIABLES.map((other) => (other === variable ? html`<strong aria-current="page">${variableNames[other]}</strong> ` : html`<a href="${to(variablePath(area, other))}">${variableNames[other]}</a> `))}· <a href="${to(indexPath(area))}">${upper(area.name)}</a></p></nav>
<p>${rules(board)}</p>
${charts(skill, variable)}
${area.states ? stateTable(view, variable, area.states.length, to) : stationTable(view, variable, unit, to)}`
  return boardPage(path, { title: `${variableNames[variable]}, ${area.name}`, body, board })
}

function charts(skill: Skill | undefined, variable: VerifiedVariable): Markup {
  if (!skill || skill.figures.length === 0)
    return html`<p><strong>No score can be given.</strong> ${skill?.whyEmpty ?? ''} This says nothing about the quality of the forecasts.</p>`
  return html`<div class="plots">${mainScores[variable].map((name) => leadChart(name, skill.figures, skill.unit))}
${
  variable === 'precip_probability' &&
  reliabilityDiagram(
    skill.figures.filter(({ leadHours }) => leadHours === MAIN_LEAD),
    MAIN_LEAD,
  )
}</div>
${skill.leftOut > 0 && html`<p class="quiet">Left out because of fewer than ${MIN_PAIRS} pairs: ${skill.leftOut} of the combinations of source and lead.</p>`}`
}

function stateTable(
  { parts }: AreaView,
  variable: VerifiedVariable,
  states: number,
  to: (file: string) => string,
): Markup {
  const scored = parts.filter(({ skills }) => (skills.get(variable)?.figures.length ?? 0) > 0)
  const missing = states - scored.length
  const row = ({ area, skills }: AreaScores) => {
    const skill = skills.get(variable)
    return (
      skill &&
      html`<tr><th scope="row"><a href="${to(variablePath(area, variable))}">${area.name}</a></th>${sourceCells(variable, skill, MAIN_LEAD)}</tr>\n`
    )
  }
  return html`<section aria-labelledby="states"><h2 id="states">States, ${MAIN_LEAD} hours ahead</h2>
${
  scored.length > 0 &&
  captioned(
    `${wordsOf(mainScores[variable][0]).title} of each state, ${MAIN_LEAD} hours ahead`,
    ['State', ...columnTitles],
    scored.map(row).filter((markup) => markup !== undefined),
  )
}
${missing > 0 && html`<p class="quiet">${missing} state${missing === 1 ? ' has' : 's have'} too few pairs for any score.</p>`}
</section>`
}

function stationTable(
  { area, stations }: AreaView,
  variable: VerifiedVariable,
  unit: string | null,
  to: (file: string) => string,
): Markup {
  const rows = stations.stations
    .filter(({ state }) => state === area.id)
    .map((station) => ({ station, figures: stations.figuresAt(station.id, variable) }))
  const hasScore = ({ figures }: (typeof rows)[number]) =>
    figures.some(({ leadHours, scores }) => leadHours === MAIN_LEAD && scores)
  const scored = rows.filter(hasScore)
  const missing = rows.length - scored.length
  return html`<section aria-labelledby="stations"><h2 id="stations">Stations, ${MAIN_LEAD} hours ahead</h2>
${
  scored.length > 0 &&
  captioned(
    `${wordsOf(mainScores[variable][0]).title} at each station, ${MAIN_LEAD} hours ahead`,
    ['Station', ...columnTitles],
    scored.map(
      ({ station: { id, name }, figures }) =>
        html`<tr><th scope="row"><a href="${to(stationPath(id))}">${id}</a> ${name}</th>${stationCells(variable, figures, MAIN_LEAD, unit)}</tr>\n`,
    ),
  )
}
${missing > 0 && html`<p class="quiet">${missing} station${missing === 1 ? ' has' : 's have'} fewer than ${MIN_PAIRS} pairs ${MAIN_LEAD} hours ahead and ${missing === 1 ? 'is' : 'are'} left out.</p>`}
</section>`
}
