import { LEAD_HOURS, READ_SOURCES, type VerifiedSource } from '../../../ingest/domain/verification/forecast.ts'
import { MIN_PAIRS, slotsOf, VARIABLES, type VerifiedVariable } from '../../../ingest/domain/verification/statistics.ts'
import { stateByCode, states } from '../../../ingest/geo/state.ts'
import { officeById } from '../../../ingest/geo/zone.ts'
import type { Skill, SkillArea, StationSkill } from '../../answer/skill.ts'
import { mainScores, scoreText, scoreWords, sourceNames, variableNames } from '../../present/skill-words.ts'
import type { Answer } from '../../route.ts'
import { assetPath } from '../assets.ts'
import { html, type Markup, page } from '../page.ts'
import { leadChart, withInterval } from './lead-chart.ts'
import { tableBelow } from './marks.ts'
import { reliabilityDiagram } from './reliability.ts'
import { stationMap } from './station-map.ts'

/** What a link of the page chooses. */
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
  /** Of probabilities at the lead. */
  readonly reliability: Skill
  /** Of the source at the lead. */
  readonly stations: StationSkill
  readonly simulated: boolean
}

export const PAGE_SOURCES = [...READ_SOURCES, 'persistence'] as const
const PERIODS = [7, 30, 90, 365] as const
/** Rows of a table of stations. */
const MAX_ROWS = 300

/** The link of a choice; what is usual is left out. */
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

/** Leads that a source has of a variable. */
export function leadsOf(variable: VerifiedVariable, source: VerifiedSource): number[] {
  return slotsOf(variable)
    .filter((slot) => slot.source === source)
    .map(({ leadHours }) => leadHours)
}

/** Scores of what was served, as plots with tables; needs no script. */
export function skillPage({ choice, skill, reliability, stations, simulated }: SkillView): Answer {
  const { variable, units, lead, source } = choice
  const names = mainScores[variable]
  const where = areaName(choice)
  const rest = new URLSearchParams(skillLink(choice).split('?')[1])
  for (const name of ['lead', 'source']) rest.delete(name)
  return skillDocument(
    html`<h1>How good the forecasts were</h1>
${simulated ? html`<p><strong>The data are simulated: simulated forecasts are compared with simulated reports, and nothing here is real weather.</strong></p>` : ''}
<p>Each hour the answer as it was served is kept at every station of the 50 states and DC with METARs in 12 of the last 24 hours, with each input alone and the last report, and compared with the METAR that came. Nothing is shown below ${MIN_PAIRS} pairs. Intervals are 95%, by days drawn with replacement; from fewer than five days there is none. Where two intervals overlap widely, neither is shown to be better.</p>
${skillForm(choice)}
<section aria-labelledby="lead"><h2 id="lead">${variableNames[variable]}, ${where}</h2>
<p>${summary(choice, skill)}</p>
${
  skill.figures.length > 0 &&
  html`<div class="plots">${names.map((name) => leadChart(name, skill.figures, skill.unit))}</div>
${skill.leftOut > 0 && html`<p class="quiet">Left out with fewer than ${MIN_PAIRS} pairs: ${skill.leftOut} of all combinations of source and lead.</p>`}`
}
</section>
<section aria-labelledby="map"><h2 id="map">Stations: ${sourceNames[source]}, ${lead} hours ahead</h2>
${stationPart(choice, skill.unit, stations)}
</section>
<section aria-labelledby="probabilities"><h2 id="probabilities">Probability of precipitation, ${where}</h2>
${reliability.whyEmpty ? html`<p>${reliability.whyEmpty}</p>` : html`<div class="plots">${reliabilityDiagram(reliability.figures, lead)}</div>`}
</section>
<section aria-labelledby="same"><h2 id="same">The same as JSON</h2>
<p><a href="/docs/api">The interface</a> gives every figure, with a key: <code>GET /v1/skill${rest.size > 0 ? `?${rest}` : ''}</code>. Assistants ask <code>get_forecast_skill</code>. Units of errors: ${units === 'metric' ? 'metric' : 'imperial'}.</p>
</section>`,
    { 'Cache-Control': `public, max-age=${skill.whyEmpty === null ? 600 : 60}` },
  )
}

/** The form alone, with what was wrong with the choice. */
export function skillRefusal(status: number, message: string): Answer {
  const given = skillDocument(
    html`<h1>How good the forecasts were</h1>
<p role="alert">${message}</p>
${skillForm({ variable: 'temperature', days: 30, lead: 24, source: 'blend', units: 'imperial' })}`,
    { 'Cache-Control': 'no-store' },
  )
  return { ...given, status }
}

function skillDocument(body: Markup, headers: Readonly<Record<string, string>>): Answer {
  return page({
    title: 'Skill',
    wide: true,
    head: html`<link rel="stylesheet" href="${assetPath('skill.css')}">
<meta name="description" content="Scores of the forecasts as they were served and of their inputs, against the station reports that came.">`,
    body,
    headers,
  })
}

function areaName({ state, office, station, bbox }: SkillArea): string {
  if (state) return stateByCode.get(state)?.name ?? state
  if (office) return `office ${officeById(office)?.name ?? ''} (${office})`
  if (station) return `station ${station}`
  return bbox ? `box ${bbox}` : 'the 50 states and DC'
}

/** The one sentence that a visitor takes away, with its count and interval. */
function summary(
  { variable, lead, source, days }: SkillChoice,
  { figures, whyEmpty, unit, firstDay, lastDay }: Skill,
): Markup {
  if (whyEmpty !== null)
    return html`<strong>No score can be given.</strong> ${whyEmpty} That means neither good nor bad forecasts.`
  const one = figures.find((figure) => figure.source === source && figure.leadHours === lead)
  const period = `Of the last ${days} days (${firstDay} to ${lastDay}, UTC)`
  if (!one) return html`${period}. ${sourceNames[source]} ${lead} hours ahead has fewer than ${MIN_PAIRS} pairs.`
  const name = mainScores[variable].find((known) => one.scores[known])
  if (!name) return html`${period}. No event of this kind was forecast or came.`
  return html`${period}, ${lead} hours ahead: <strong>${sourceNames[source]}, ${scoreWords[name]!.title} ${withInterval(name, one.scores[name]!, unit)}</strong>, from ${one.pairs.toLocaleString('en')} pairs on ${one.days} days.`
}

function stationPart(choice: SkillChoice, unit: string | null, { stations, states: ofStates }: StationSkill): Markup {
  const whole = [choice.state, choice.office, choice.station, choice.bbox].every((area) => area === undefined)
  const listed = whole ? ofStates : stations
  const names = mainScores[choice.variable].filter((name) => listed.some(({ scores }) => scores[name] !== undefined))
  const [name] = names
  if (!name) return html`<p>No ${whole ? 'state' : 'station'} has ${MIN_PAIRS} pairs at this lead in this period.</p>`
  const { state: _, office: __, station: ___, bbox: ____, ...rest } = choice
  const address = (id: string) => skillLink({ ...rest, station: id })
  const cells = (scores: Readonly<Record<string, number>>) =>
    names.map((one) => html`<td>${scores[one] === undefined ? '–' : scoreText(one, scores[one], unit)}</td>`)
  const head = ['Pairs', ...names.map((one) => scoreWords[one]!.title)]
  const rows = whole
    ? ofStates.map(
        (one) =>
          html`<tr><th scope="row"><a href="${skillLink({ ...rest, state: one.id })}">${stateByCode.get(one.id)?.name ?? one.id}</a></th><td>${one.stations}</td><td>${one.pairs.toLocaleString('en')}</td>${cells(one.scores)}</tr>`,
      )
    : stations
        .slice(0, MAX_ROWS)
        .map(
          (one) =>
            html`<tr><th scope="row"><a href="${address(one.id)}">${one.id}</a> ${one.name}</th><td>${one.pairs.toLocaleString('en')}</td>${cells(one.scores)}</tr>`,
        )
  return html`<figure><figcaption><p>${scoreWords[name]!.title} at ${stations.length.toLocaleString('en')} station${stations.length === 1 ? '' : 's'}, in ${stations.length < 5 ? 'order' : 'fifths'} from good to bad${whole ? '; the table has the states, each a link to its stations' : ''}.</p></figcaption>
${stationMap(stations, { name, unit, whole, state: choice.state, address })}
${tableBelow(whole ? 'States' : 'Stations', whole ? ['State', 'Stations', ...head] : ['Station', ...head], rows)}
${!whole && stations.length > MAX_ROWS && html`<p class="quiet">The first ${MAX_ROWS} of ${stations.length} stations.</p>`}</figure>`
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
  VARIABLES.map((one) => option(one, variableNames[one], variable)),
)}
<div><label for="area">State, office or station</label><input type="text" id="area" name="area" value="${area}" list="areas" maxlength="120" placeholder="all: CO, BOU, KDEN" autocomplete="off"><datalist id="areas">${states.map(({ code, name }) => html`<option value="${code}">${name}</option>`)}</datalist></div>
${select(
  'days',
  'Period',
  periods.map((one) => option(one, `last ${one} day${one === 1 ? '' : 's'}`, days)),
)}
${select(
  'lead',
  'Hours ahead',
  LEAD_HOURS.map((one) => option(one, String(one), lead)),
)}
${select(
  'source',
  'Source of the map',
  PAGE_SOURCES.map((one) => option(one, sourceNames[one], source)),
)}
${select('units', 'Units', [option('imperial', '°F, mph', units), option('metric', '°C, km/h', units)])}
<button type="submit">Show</button>
</form>`
}
