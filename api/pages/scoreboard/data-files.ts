import { SCORES_WITH_UNIT } from '../../../ingest/domain/verification/figures.ts'
import type { VerifiedVariable } from '../../../ingest/domain/verification/statistics.ts'
import type { NowcastSkill } from '../../answer/nowcast-skill.ts'
import { skillUnit } from '../../answer/skill.ts'
import { nowcastBody, stationBody } from '../../answer/skill-body.ts'
import type { StationScores } from '../../answer/station-scores.ts'
import { csv } from '../../present/csv.ts'
import type { AreaScores, Board } from './board.ts'

const about = ({ firstDay, lastDay, simulated, units }: Board) => ({
  simulated,
  units,
  first_day: firstDay,
  last_day: lastDay,
})
const json = (value: unknown) => `${JSON.stringify(value, undefined, 1)}\n`

/** The scores of a region by variable, each in the form of `/v1/skill`. */
export function areaJson({ area, skills }: AreaScores, board: Board): string {
  const variables = Object.fromEntries([...skills].map(([variable, skill]) => [variable, stationBody(variable, skill)]))
  return json({ ...about(board), area: area.id, variables })
}

/** All scores of a variable in all regions: a row for each region, source, lead and score. */
export function areaCsv(variable: VerifiedVariable, areas: readonly AreaScores[], board: Board): string {
  const { unit } = skillUnit(variable, board.units)
  const rows = areas.flatMap(({ area, skills }) =>
    (skills.get(variable)?.figures ?? []).flatMap(({ source, leadHours, pairs, days, scores }) =>
      Object.entries(scores).map(([name, { value, low, high }]) => [
        ...[area.id, source, leadHours, name, value, low, high, unitOf(name, unit), pairs, days],
        ...[board.firstDay, board.lastDay, String(board.simulated)],
      ]),
    ),
  )
  return csv(
    columns('area source lead_hours score estimate lower upper unit pairs days first_day last_day simulated'),
    rows,
  )
}

/** All scores of a variable at all stations: a row for each station, source and lead that has a score. */
export function stationCsv(variable: VerifiedVariable, { stations, figuresAt }: StationScores, board: Board): string {
  const { unit } = skillUnit(variable, board.units)
  const rows = stations.flatMap(({ id, state, lat, lon }) =>
    figuresAt(id, variable).flatMap(({ source, leadHours, pairs, scores }) =>
      Object.entries(scores ?? {}).map(([name, value]) => [
        ...[id, state, lat, lon, source, leadHours, name, value, unitOf(name, unit), pairs],
        ...[board.firstDay, board.lastDay, String(board.simulated)],
      ]),
    ),
  )
  return csv(
    columns('station state latitude longitude source lead_hours score value unit pairs first_day last_day simulated'),
    rows,
  )
}

export function nowcastJson(skill: NowcastSkill, board: Board): string {
  return json({ ...about(board), ...nowcastBody('US', skill) })
}

/** The scores of nowcasts: a row for each domain, source, lead, rate and score. */
export function nowcastCsv({ figures }: NowcastSkill, board: Board): string {
  const rows = figures.flatMap(({ domain, source, lead, threshold, frames, pixels, days, scores }) =>
    Object.entries(scores).map(([name, { value, low, high }]) => [
      ...[domain, source, lead, threshold, name, rounded(value), low && rounded(low), high && rounded(high)],
      ...[frames, pixels, days, board.firstDay, board.lastDay, String(board.simulated)],
    ]),
  )
  return csv(
    columns(
      'domain source lead_minutes threshold_mm_h score estimate lower upper frames pixels days first_day last_day simulated',
    ),
    rows,
  )
}

/** The scores of nowcasts by day: a row for each domain, day, source, lead, rate and score. */
export function nowcastDaysCsv({ daily }: NowcastSkill, board: Board): string {
  const rows = daily.flatMap(({ domain, day, source, lead, threshold, frames, scores }) =>
    Object.entries(scores).map(([name, value]) => [
      ...[domain, day, source, lead, threshold, name, rounded(value), frames, String(board.simulated)],
    ]),
  )
  return csv(columns('domain day source lead_minutes threshold_mm_h score value frames simulated'), rows)
}

const columns = (names: string) => names.split(' ').map((name) => ({ name, unit: null }))
const unitOf = (name: string, unit: string | null) => (SCORES_WITH_UNIT.has(name) ? unit : null)
const rounded = (value: number) => Math.round(value * 1000) / 1000
