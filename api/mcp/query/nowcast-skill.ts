import type { DomainId } from '../../../ingest/domain/domain.ts'
import { MIN_FRAMES } from '../../../ingest/domain/verification/nowcast.ts'
import { WET_RATE } from '../../../ingest/domain/weather/echo.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import { type NowcastSkill, nowcastSkill } from '../../answer/nowcast-skill.ts'
import { nowcastFigureBody } from '../../answer/skill-body.ts'
import { domainNames, nowcastSentence } from '../../present/nowcast-words.ts'

/** Leads of the structure, minutes, and the lead of the sentence. */
const STRUCTURE_LEADS: ReadonlySet<number> = new Set([10, 30, 60, 90])
const SENTENCE_LEAD = 30

/** The answer about nowcasts: one sentence for each domain, and the figures of some leads. */
export async function nowcastAnswer(
  database: Database,
  request: { readonly domain: DomainId | undefined; readonly days: number; readonly now: number },
) {
  const skill = await nowcastSkill(database, request)
  const figures = skill.figures
    .filter(({ lead }) => STRUCTURE_LEADS.has(lead))
    .map(({ reliability, ...figure }) =>
      nowcastFigureBody(figure.lead === SENTENCE_LEAD && reliability ? { ...figure, reliability } : figure),
    )
  return {
    structured: {
      ...{ variable: 'nowcast', unit: null, area: request.domain ?? 'US' },
      ...{ first_day: skill.firstDay, last_day: skill.lastDay, figures: [], nowcast_figures: figures },
      ...{ figures_left_out: skill.leftOut, why_empty: skill.whyEmpty },
    },
    lines: linesOf(skill),
  }
}

function linesOf(skill: NowcastSkill): string[] {
  const head = `Nowcasts compared with the radar that followed, ${skill.firstDay} to ${skill.lastDay} (UTC).`
  if (skill.whyEmpty !== null)
    return [
      head,
      `No score can be given: ${skill.whyEmpty} This says nothing about whether the nowcasts are good or bad.`,
    ]
  const sentences = [...new Set(skill.figures.map(({ domain }) => domain))].map(
    (domain) =>
      nowcastSentence(skill.figures, { domain, lead: SENTENCE_LEAD, threshold: WET_RATE }) ??
      `${domainNames[domain]}: the score ${SENTENCE_LEAD} minutes ahead is undefined, because fewer than ${MIN_FRAMES.nowcast} frames were compared or every compared pixel was below ${WET_RATE} mm/h.`,
  )
  const byDay = sentences.length === 1 ? daySentence(skill) : []
  const omission =
    skill.leftOut > 0
      ? [
          `${skill.leftOut} combinations of domain, lead and rate with fewer than ${MIN_FRAMES.nowcast} frames (of the model ${MIN_FRAMES.model}) are left out.`,
        ]
      : []
  return [head, ...sentences, ...byDay, ...omission]
}

/** The best and the worst day of one domain, in one sentence; none for fewer than two days with a score. */
function daySentence({ daily }: NowcastSkill): string[] {
  const days = daily
    .filter(({ source, lead, threshold }) => source === 'nowcast' && lead === SENTENCE_LEAD && threshold === WET_RATE)
    .flatMap(({ day, scores }) => (scores['csi'] === undefined ? [] : [{ day, csi: scores['csi'] }]))
    .sort((a, b) => a.csi - b.csi)
  const [worst, best] = [days[0], days.at(-1)]
  if (!worst || !best || worst === best) return []
  return [
    `By day its CSI was ${worst.csi.toFixed(2)} (${worst.day}) to ${best.csi.toFixed(2)} (${best.day}), on ${days.length} days.`,
  ]
}
