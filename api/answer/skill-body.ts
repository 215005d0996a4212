import type { ReliabilityBin } from '../../ingest/domain/verification/figures.ts'
import type { VerifiedVariable } from '../../ingest/domain/verification/statistics.ts'
import type { NowcastDayFigure, NowcastSkill, NowcastSkillFigure } from './nowcast-skill.ts'
import type { Skill } from './skill.ts'

/** The body of `/v1/skill` for scores at stations, without its metadata. */
export function stationBody(variable: VerifiedVariable, skill: Skill) {
  return {
    variable,
    unit: skill.unit,
    scored_area: skill.area,
    first_day: skill.firstDay,
    last_day: skill.lastDay,
    figures: skill.figures.map(({ source, leadHours, pairs, days, scores, reliability }) => ({
      source,
      lead_hours: leadHours,
      pairs,
      days,
      scores: scoresBody(scores),
      ...(reliability && { reliability: reliability.map(binBody) }),
    })),
    figures_left_out: skill.leftOut,
    why_empty: skill.whyEmpty,
  }
}

/**
 * The body of `/v1/skill` for nowcasts, without its metadata.
 * @param area a domain, or US for all
 * @param byDay whether it has the scores of each day, which are 140 KB for one lead of 30 days
 */
export function nowcastBody(area: string, skill: NowcastSkill, byDay = false) {
  return {
    variable: 'nowcast' as const,
    unit: null,
    scored_area: area,
    first_day: skill.firstDay,
    last_day: skill.lastDay,
    figures: [],
    nowcast_figures: skill.figures.map(nowcastFigureBody),
    ...(byDay && { nowcast_days: skill.daily.map(nowcastDayBody) }),
    figures_left_out: skill.leftOut,
    why_empty: skill.whyEmpty,
  }
}

export const nowcastFigureBody = ({ lead, threshold, scores, reliability, ...figure }: NowcastSkillFigure) => ({
  ...figure,
  lead_minutes: lead,
  threshold_mm_h: threshold,
  scores: scoresBody(scores),
  ...(reliability && { reliability: reliability.map(binBody) }),
})

const nowcastDayBody = ({ domain, day, source, lead, threshold, frames, scores }: NowcastDayFigure) => ({
  ...{ domain, day, source, lead_minutes: lead, threshold_mm_h: threshold, frames },
  scores: Object.fromEntries(Object.entries(scores).map(([name, value]) => [name, rounded(value)])),
})

export const scoresBody = (scores: Skill['figures'][number]['scores']) =>
  Object.fromEntries(
    Object.entries(scores).map(([name, { value, low, high }]) => [
      name,
      {
        estimate: rounded(value),
        lower: low === null ? null : rounded(low),
        upper: high === null ? null : rounded(high),
      },
    ]),
  )

export const binBody = (bin: ReliabilityBin) => ({
  from_percent: bin.from,
  to_percent: bin.to,
  pairs: bin.n,
  forecast_percent: bin.forecast === null ? null : rounded(bin.forecast),
  observed_percent: bin.observed === null ? null : rounded(bin.observed),
})

const rounded = (value: number) => Math.round(value * 1000) / 1000
