import type { DomainId } from '../../../ingest/domain/domain.ts'
import { NOWCAST_THRESHOLDS } from '../../../ingest/domain/verification/nowcast.ts'
import { WET_RATE } from '../../../ingest/domain/weather/echo.ts'
import type { NowcastDayFigure, NowcastSkill } from '../../answer/nowcast-skill.ts'
import { domainNames, nowcastSentence } from '../../present/nowcast-words.ts'
import { sourceNames } from '../../present/skill-words.ts'
import { html, type Markup } from '../page.ts'
import { chartOf, type LeadAxis } from './lead-chart.ts'
import { tableBelow, wordsOf } from './marks.ts'

/** Minutes ahead of the sentence and of the table of probabilities. */
const MAIN_LEAD = 30

const axis: LeadAxis = {
  mark: 'min',
  title: 'minutes ahead',
  pairs: 'radar frames',
  names: {
    ...sourceNames,
    blend: 'Nowcast',
    persistence: 'Last radar frame, unmoved',
    hrrr: 'Model (HRRR, full hours)',
  },
}

/** Charts mark each source of nowcasts like one of the forecast sources. */
const chartSources = { nowcast: 'blend', persistence: 'persistence', model: 'hrrr' } as const

/** The scores of nowcasts in one domain: a sentence, a chart for each rate, and the reliability of probabilities. */
export function nowcastPart(skill: NowcastSkill, domain: DomainId): Markup {
  const own = skill.figures.filter((figure) => figure.domain === domain)
  if (own.length === 0)
    return html`<p><strong>No score can be given.</strong> ${skill.whyEmpty ?? `Too few nowcasts have been compared with radar in this domain (${domainNames[domain]}).`} This says nothing about the quality of the nowcasts.</p>`
  const sentence = nowcastSentence(own, { domain, lead: MAIN_LEAD, threshold: WET_RATE })
  const charts = (['csi', 'frequency_bias'] as const).flatMap((name) =>
    NOWCAST_THRESHOLDS.map((threshold) =>
      chartOf(
        name,
        own
          .filter((figure) => figure.threshold === threshold)
          .map(({ source, frames, ...figure }) => ({
            ...figure,
            source: chartSources[source],
            pairs: frames,
          })),
        { unit: null, title: `${wordsOf(name).title}, ${threshold} mm/h or more`, axis },
      ),
    ),
  )
  const reliability = own.find(({ lead, reliability: bins }) => lead === MAIN_LEAD && bins)?.reliability
  return html`<p>${sentence && html`<strong>${sentence}</strong> `}The served nowcast is compared pixel by pixel with each tenth minute's radar frame (${skill.firstDay} to ${skill.lastDay}, UTC). ${domain === 'hawaii' ? 'No model is compared, because HRRR does not cover Hawaii.' : 'The model, HRRR, is compared at full hours, at points within the states.'}</p>
<div class="plots">${charts}</div>
${
  reliability &&
  html`<h3>Probability of ${WET_RATE} mm/h or more, ${MAIN_LEAD} minutes ahead</h3>
${tableBelow(
  'Reliability of the nowcast',
  ['Probability', 'Mean forecast', 'Observed', 'Points'],
  reliability.map(
    ({ from, to, forecast, observed, n }) =>
      html`<tr><th scope="row">${from} to ${to}%</th><td>${percent(forecast)}</td><td>${percent(observed)}</td><td>${n.toLocaleString('en')}</td></tr>`,
  ),
)}`
}
${daysPart(skill, domain)}`
}

/** The scores of each day at one lead, at each rate. */
function daysPart({ daily }: NowcastSkill, domain: DomainId): Markup | undefined {
  const own = daily.filter((figure) => figure.domain === domain && figure.lead === MAIN_LEAD)
  const days = [...new Set(own.map(({ day }) => day))].sort()
  if (days.length === 0) return undefined
  const cells = (day: string) =>
    NOWCAST_THRESHOLDS.map((threshold) => {
      const find = (source: NowcastDayFigure['source']) =>
        own.find((figure) => figure.day === day && figure.threshold === threshold && figure.source === source)?.scores
      const [nowcast, still, model] = [find('nowcast'), find('persistence'), find('model')]
      return html`<td>${fixed(nowcast?.['csi'])} against ${fixed(still?.['csi'])}${model && html` and ${fixed(model['csi'])}`}<br><small>bias ${fixed(nowcast?.['frequency_bias'])}</small></td>`
    })
  const frames = (day: string) => own.find((figure) => figure.day === day)?.frames ?? 0
  return html`<h3>By day, ${MAIN_LEAD} minutes ahead</h3>
${tableBelow(
  'Critical success index of the nowcast against persistence and, at full hours and at points within the states, the model; frequency bias and number of frames of the nowcast',
  ['Day (UTC)', ...NOWCAST_THRESHOLDS.map((threshold) => `${threshold} mm/h or more`), 'Radar frames'],
  days.map((day) => html`<tr><th scope="row">${day}</th>${cells(day)}<td>${frames(day)}</td></tr>`),
)}`
}

const fixed = (value: number | undefined) => value?.toFixed(2) ?? '–'
const percent = (value: number | null) => (value === null ? '–' : `${value.toFixed(1)}%`)
