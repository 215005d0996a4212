import type { DomainId } from '../../../ingest/domain/domain.ts'
import { NOWCAST_THRESHOLDS } from '../../../ingest/domain/verification/nowcast.ts'
import { WET_RATE } from '../../../ingest/domain/weather/echo.ts'
import type { NowcastSkill } from '../../answer/nowcast-skill.ts'
import { domainNames, nowcastSentence } from '../../present/nowcast-words.ts'
import { sourceNames } from '../../present/skill-words.ts'
import { html, type Markup } from '../page.ts'
import { chartOf, type LeadAxis } from './lead-chart.ts'
import { tableBelow } from './marks.ts'

/** Minutes ahead of the sentence and of the table of probabilities. */
const MAIN_LEAD = 30

const axis: LeadAxis = {
  mark: 'min',
  title: 'minutes ahead',
  pairs: 'radar frames',
  names: { ...sourceNames, blend: 'Nowcast', persistence: 'Last radar frame, unmoved' },
}

/** The scores of nowcasts in one domain: a sentence, a chart for each rate, and the reliability of probabilities. */
export function nowcastPart(skill: NowcastSkill, domain: DomainId): Markup {
  const own = skill.figures.filter((figure) => figure.domain === domain)
  if (own.length === 0)
    return html`<p><strong>No score can be given.</strong> ${skill.whyEmpty ?? `Too few nowcasts have been compared with radar in this domain (${domainNames[domain]}).`} This says nothing about the quality of the nowcasts.</p>`
  const sentence = nowcastSentence(own, { domain, lead: MAIN_LEAD, threshold: WET_RATE })
  const charts = NOWCAST_THRESHOLDS.map((threshold) =>
    chartOf(
      'csi',
      own
        .filter((figure) => figure.threshold === threshold)
        .map(({ source, frames, ...figure }) => ({
          ...figure,
          source: source === 'nowcast' ? ('blend' as const) : source,
          pairs: frames,
        })),
      { unit: null, title: `Critical success index, ${threshold} mm/h or more`, axis },
    ),
  )
  const reliability = own.find(({ lead, reliability: bins }) => lead === MAIN_LEAD && bins)?.reliability
  return html`<p>${sentence && html`<strong>${sentence}</strong> `}The served nowcast is compared pixel by pixel with each tenth minute's radar frame, today included (${skill.firstDay} to ${skill.lastDay}, UTC).</p>
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
}`
}

const percent = (value: number | null) => (value === null ? '–' : `${value.toFixed(1)}%`)
