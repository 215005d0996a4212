import type { DomainId } from '../../../ingest/domain/domain.ts'
import type { NowcastSkill } from '../../answer/nowcast-skill.ts'
import { domainNames } from '../../present/nowcast-words.ts'
import { html } from '../page.ts'
import { nowcastPart } from '../skill/nowcast.ts'
import { type Board, NOWCAST_PATH } from './board.ts'
import { boardPage, linkFrom } from './frame.ts'

const domains = Object.keys(domainNames) as DomainId[]

/** The scores of nowcasts, a part for each domain. */
export function nowcastPage(skill: NowcastSkill, board: Board): string {
  const body = html`<h1>Nowcasts against radar</h1>
<p>Each served nowcast is compared with the radar that followed, beside the last radar frame unmoved (persistence) and the rate of HRRR (model). Whole days, ${board.firstDay} to ${board.lastDay} (UTC). Data: <a href="${linkFrom(NOWCAST_PATH, 'data/nowcast.csv')}">CSV</a>, <a href="${linkFrom(NOWCAST_PATH, 'data/nowcast.json')}">JSON</a>.</p>
${domains.map(
  (domain) => html`<section aria-labelledby="${domain}"><h2 id="${domain}">${domainNames[domain]}</h2>
${nowcastPart(skill, domain)}</section>`,
)}`
  return boardPage(NOWCAST_PATH, { title: 'Nowcasts', body, board })
}
