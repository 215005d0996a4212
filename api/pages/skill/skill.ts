import type { DomainId } from '../../../ingest/domain/domain.ts'
import { LEAD_HOURS, READ_SOURCES, type VerifiedSource } from '../../../ingest/domain/verification/forecast.ts'
import { MIN_PAIRS, slotsOf, VARIABLES, type VerifiedVariable } from '../../../ingest/domain/verification/statistics.ts'
import { domainOfState, stateByCode, states } from '../../../ingest/geo/state.ts'
import { officeById } from '../../../ingest/geo/zone.ts'
import type { NowcastSkill } from '../../answer/nowcast-skill.ts'
import type { Skill, SkillArea, StationSkill } from '../../answer/skill.ts'
import { domainNames } from '../../present/nowcast-words.ts'
import { mainScores, scoreText, sourceNames, variableNames } from '../../present/skill-words.ts'
import type { Answer } from '../../route.ts'
import { assetPath } from '../assets.ts'
import { html, type Markup, page } from '../page.ts'
import { leadChart, withInterval } from './lead-chart.ts'
import { tableBelow, wordsOf } from './marks.ts'
import { nowcastPart } from './nowcast.ts'
import { reliabilityDiagram } from './reliability.ts'
import { stationMap } from './station-map.ts'

/** The figures that a link of the page chooses. */
export interface SkillChoice extends SkillArea {
  readonly variable: VerifiedVariable
  readonly days: number
  readonly lead: number
  readonly source: VerifiedSource
  readonly units: 'imperial' | 'metric'
}

export interface SkillView {
  readonly choice: SkillChoice
  /** Every source and lead of the variable. */
  readonly skill: Skill
  /** The figures of probabilities at the lead. */
  readonly reliability: Skill
  /** The stations' scores of the source at the lead. */
  readonly stations: StationSkill
  /** The scores of nowcasts, which are of a whole domain. */
  readonly nowcast: NowcastSkill
  readonly simulated: boolean
}

export const PAGE_SOURCES = [...READ_SOURCES, 'persistence'] as const
const PERIODS = [7, 30, 90, 365] as const
/** Largest number of rows in the table of stations. */
const MAX_ROWS = 300

/** The link of a choice; default values are left out. */
export function skillLink({ variable, days, lead, source, units, ...area }: SkillChoice): string {
  const query = new URLSearchParams()
  if (variable !== 'temperature') query.set('variable', variable)
  for (const [name, text] of Object.entries(area)) if (text !== undefined) query.set(name, text)
  if (days !== 30) query.set('days', String(days))
  if (lead !== 24) query.set('lead', String(lead))
  if (source !== 'blend') query.set('source', source)
  if (units === 'metric') query.set('units', units)
  const text = query.toString()
  return text ? `/skill?${text}` : '/skill'
}

/** Leads of a source for a variable, hours. */
export function leadsOf(variable: VerifiedVariable, source: VerifiedSource): number[] {
  return slotsOf(variable)
    .filter((slot) => slot.source === source)
    .map(({ leadHours }) => leadHours)
}

/** The page of scores of served forecasts, as plots with tables. It needs no script. */
export function skillPage({ choice, skill, reliability, stations, nowcast, simulated }: SkillView): Answer {
  const { variable, units, lead, source } = choice
  const names = mainScores[variable]
  const where = areaName(choice)
  const apiQuery = new URLSearchParams(skillLink(choice).split('?')[1])
  for (const name of ['lead', 'source']) apiQuery.delete(name)
  return skillDocument(
    html`<h1>How good the forecasts were</h1>
${simulated ? html`<p><strong>The data are simulated: simulated forecasts are compared with simulated reports, and nothing here is real weather.</strong></p>` : ''}
<p>Every hour the served forecast is recorded for each station of the 50 states and DC with METARs in 12 of the last 24 hours, together with each input alone and the last report. All are compared with the METARs that follow. Scores with fewer than ${MIN_PAIRS} pairs are not shown. Intervals are 95% intervals from days drawn with replacement; fewer than five days have no interval. If two intervals overlap widely, neither forecast is shown to be better.</p>
${skillForm(choice)}
<section aria-labelledby="lead"><h2 id="lead">${variableNames[variable]}, ${where}</h2>
<p>${summary(choice, skill)}</p>
${
  skill.figures.length > 0 &&
  html`<div class="plots">${names.map((name) => leadChart(name, skill.figures, skill.unit))}</div>
${skill.leftOut > 0 && html`<p class="quiet">${skill.leftOut} combinations of source and lead have fewer than ${MIN_PAIRS} pairs and are left out.</p>`}`
}
</section>
<section aria-labelledby="map"><h2 id="map">Stations: ${sourceNames[source]}, ${lead} hours ahead</h2>
${stationPart(choice, skill.unit, stations)}
</section>
<section aria-labelledby="probabilities"><h2 id="probabilities">Probability of precipitation, ${where}</h2>
${reliability.whyEmpty ? html`<p>${reliability.whyEmpty}</p>` : html`<div class="plots">${reliabilityDiagram(reliability.figures, lead)}</div>`}
</section>
<section aria-labelledby="nowcast"><h2 id="nowcast">Nowcast against radar, ${domainNames[domainOf(choice)]}</h2>
${nowcastPart(nowcast, domainOf(choice))}
</section>
<section aria-labelledby="same"><h2 id="same">The same as JSON</h2>
<p><a href="/docs/api">The API</a> has every figure; you need a key: <code>GET /v1/skill${apiQuery.size > 0 ? `?${apiQuery}` : ''}</code>. <code>GET /v1/skill?variable=nowcast</code> has those of the nowcast. Assistants use the tool <code>get_forecast_skill</code>. Units of errors: ${units === 'metric' ? 'metric' : 'imperial'}.</p>
</section>`,
    { 'Cache-Control': `public, max-age=${skill.whyEmpty === null ? 600 : 60}` },
  )
}

/** The form with a message about an invalid choice. */
export function skillRefusal(status: number, message: string): Answer {
  const answer = skillDocument(
    html`<h1>How good the forecasts were</h1>
<p role="alert">${message}</p>
${skillForm({ variable: 'temperature', days: 30, lead: 24, source: 'blend', units: 'imperial' })}`,
    { 'Cache-Control': 'no-store' },
  )
  return { ...answer, status }
}

function skillDocument(body: Markup, headers: Readonly<Record<string, string>>): Answer {
  return page({
    title: 'Skill',
    wide: true,
    head: html`<link rel="stylesheet" href="${assetPath('skill.css')}">
<meta name="description" content="Scores of the served forecasts and of their inputs, compared with station reports.">`,
    body,
    headers,
  })
}

/** The domain of radar of an area: that of its state, otherwise the lower 48. */
const domainOf = ({ state }: SkillArea): DomainId => domainOfState(state)

function areaName({ state, office, station, bbox }: SkillArea): string {
  if (state) return stateByCode.get(state)?.name ?? state
  if (office) return `office ${officeById(office)?.name ?? ''} (${office})`
  if (station) return `station ${station}`
  return bbox ? `box ${bbox}` : 'the 50 states and DC'
}

/** The main result in one sentence, with its number of pairs and interval. */
function summary(
  { variable, lead, source, days }: SkillChoice,
  { figures, whyEmpty, unit, firstDay, lastDay }: Skill,
): Markup {
  if (whyEmpty !== null)
    return html`<strong>No score can be given.</strong> ${whyEmpty} This says nothing about the quality of the forecasts.`
  const figure = figures.find((candidate) => candidate.source === source && candidate.leadHours === lead)
  const period = `Over the last ${days} days (${firstDay} to ${lastDay}, UTC)`
  if (!figure) return html`${period}, ${sourceNames[source]} has fewer than ${MIN_PAIRS} pairs ${lead} hours ahead.`
  const { scores, pairs, days: scoredDays } = figure
  const [main] = mainScores[variable].flatMap((name) => (scores[name] ? [{ name, score: scores[name] }] : []))
  if (!main) return html`${period}, no event of this kind was forecast or observed.`
  return html`${period}, ${lead} hours ahead: <strong>${sourceNames[source]}, ${wordsOf(main.name).title} ${withInterval(main.name, main.score, unit)}</strong>, from ${pairs.toLocaleString('en')} pairs on ${scoredDays} days.`
}

function stationPart(choice: SkillChoice, unit: string | null, { stations, states: ofStates }: StationSkill): Markup {
  const isCountry = [choice.state, choice.office, choice.station, choice.bbox].every((area) => area === undefined)
  const listed = isCountry ? ofStates : stations
  const names = mainScores[choice.variable].filter((name) => listed.some(({ scores }) => scores[name] !== undefined))
  const [name] = names
  if (!name)
    return html`<p>No ${isCountry ? 'state' : 'station'} has ${MIN_PAIRS} pairs at this lead in this period.</p>`
  const { state: _, office: __, station: ___, bbox: ____, ...withoutArea } = choice
  const address = (id: string) => skillLink({ ...withoutArea, station: id })
  const cells = (scores: Readonly<Record<string, number>>) =>
    names.map((score) => html`<td>${scores[score] === undefined ? '–' : scoreText(score, scores[score], unit)}</td>`)
  const head = ['Pairs', ...names.map((score) => wordsOf(score).title)]
  const rows = isCountry
    ? ofStates.map(
        (state) =>
          html`<tr><th scope="row"><a href="${skillLink({ ...withoutArea, state: state.id })}">${stateByCode.get(state.id)?.name ?? state.id}</a></th><td>${state.stations}</td><td>${state.pairs.toLocaleString('en')}</td>${cells(state.scores)}</tr>`,
      )
    : stations
        .slice(0, MAX_ROWS)
        .map(
          (station) =>
            html`<tr><th scope="row"><a href="${address(station.id)}">${station.id}</a> ${station.name}</th><td>${station.pairs.toLocaleString('en')}</td>${cells(station.scores)}</tr>`,
        )
  return html`<figure><figcaption><p>${wordsOf(name).title} at ${stations.length.toLocaleString('en')} station${stations.length === 1 ? '' : 's'}, in ${stations.length < 5 ? 'order' : 'fifths'} from good to bad${isCountry ? '; the table has the states, each a link to its stations' : ''}.</p></figcaption>
${stationMap(stations, { name, unit, isCountry, state: choice.state, address })}
${tableBelow(isCountry ? 'States' : 'Stations', isCountry ? ['State', 'Stations', ...head] : ['Station', ...head], rows)}
${!isCountry && stations.length > MAX_ROWS && html`<p class="quiet">The first ${MAX_ROWS} of ${stations.length} stations.</p>`}</figure>`
}

function skillForm(choice: SkillChoice): Markup {
  const { variable, source, lead, days, units } = choice
  const area = choice.state ?? choice.office ?? choice.station ?? choice.bbox ?? ''
  const option = (value: string | number, text: string, chosen: string | number) =>
    html`<option value="${value}"${value === chosen && ({ html: ' selected' } as Markup)}>${text}</option>`
  const select = (name: string, label: string, options: Markup[]) =>
    html`<div><label for="${name}">${label}</label><select id="${name}" name="${name}">${options}</select></div>`
  const periods = [...new Set([...PERIODS, days])].sort((a, b) => a - b)
  return html`<form class="card choice" action="/skill" method="get">
${select(
  'variable',
  'Variable',
  VARIABLES.map((name) => option(name, variableNames[name], variable)),
)}
<div><label for="area">State, office or station</label><input type="text" id="area" name="area" value="${area}" list="areas" maxlength="120" placeholder="all: CO, BOU, KDEN" autocomplete="off"><datalist id="areas">${states.map(({ code, name }) => html`<option value="${code}">${name}</option>`)}</datalist></div>
${select(
  'days',
  'Period',
  periods.map((period) => option(period, `last ${period} day${period === 1 ? '' : 's'}`, days)),
)}
${select(
  'lead',
  'Hours ahead',
  LEAD_HOURS.map((hours) => option(hours, String(hours), lead)),
)}
${select(
  'source',
  'Source of the map',
  PAGE_SOURCES.map((name) => option(name, sourceNames[name], source)),
)}
${select('units', 'Units', [option('imperial', '°F, mph', units), option('metric', '°C, km/h', units)])}
<button type="submit">Show</button>
</form>`
}
