import { setImmediate as yieldToEvents } from 'node:timers/promises'
import { DAY, dateText, type Instant } from '../../../ingest/domain/time.ts'
import { VARIABLES, type VerifiedVariable } from '../../../ingest/domain/verification/statistics.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import { isSimulated } from '../../../sql/queries/origin.ts'
import { nowcastSkill } from '../../answer/nowcast-skill.ts'
import { type Skill, skillOf } from '../../answer/skill.ts'
import { stationScores } from '../../answer/station-scores.ts'
import { assetBytes } from '../assets.ts'
import { areaIndex, areaVariable } from './area-pages.ts'
import {
  AREAS,
  type AreaScores,
  areaDataPath,
  areaTablePath,
  type Board,
  indexPath,
  NOWCAST_PATH,
  stationPath,
  stationTablePath,
  variablePath,
} from './board.ts'
import { areaCsv, areaJson, nowcastCsv, nowcastDaysCsv, nowcastJson, stationCsv } from './data-files.ts'
import { nowcastPage } from './nowcast-page.ts'
import { stationPage } from './station-page.ts'

/** A file of the site. */
export interface SiteFile {
  /** Relative to the first page, such as `areas/CO/temperature.html`. */
  readonly path: string
  readonly contentType: string
  readonly body: string | Uint8Array
}

export interface ScoreboardRequest {
  /** Number of UTC days of the period, 1 to 400. */
  readonly days: number
  readonly units: 'imperial' | 'metric'
  /** First instant after the period, a midnight of UTC. */
  readonly end: Instant
}

const HTML = 'text/html; charset=utf-8'
const CSV = 'text/csv; charset=utf-8'

/**
 * Yields the files of a static site with all scores of a period. The figures are those of `/v1/skill`, and depend only on
 * the stored sums and the request: the same input gives the same bytes. The overview comes last, so that a reader of a
 * site that is being written finds whole pages.
 */
export async function* scoreboardSite(
  database: Database,
  { days, units, end }: ScoreboardRequest,
): AsyncGenerator<SiteFile> {
  const today = end / DAY
  const stations = await stationScores(database, { days, units, now: end })
  const states = new Set(stations.stations.map(({ state }) => state))
  const board: Board = {
    ...{ firstDay: dateText(today - days), lastDay: dateText(today - 1), days, units },
    simulated: (await isSimulated(database)) ?? false,
    areas: AREAS.filter((area) => area.states || states.has(area.id)),
  }
  const html = (path: string, body: string): SiteFile => ({ path, contentType: HTML, body })
  const table = (path: string, body: string): SiteFile => ({ path, contentType: CSV, body })
  const json = (path: string, body: string): SiteFile => ({ path, contentType: 'application/json', body })

  const css = (['page.css', 'skill.css', 'scoreboard.css'] as const).map(assetBytes)
  yield { path: 'scoreboard.css', contentType: 'text/css; charset=utf-8', body: Buffer.concat(css) }

  // The last day of the nowcasts' period would be today, which is not over; its request counts from the last whole day.
  const nowcast = await nowcastSkill(database, { days: days - 1, now: end - DAY })
  yield html(NOWCAST_PATH, nowcastPage(nowcast, board))
  yield table('data/nowcast.csv', nowcastCsv(nowcast, board))
  yield table('data/nowcast-days.csv', nowcastDaysCsv(nowcast, board))
  yield json('data/nowcast.json', nowcastJson(nowcast, board))

  for (const station of stations.stations) {
    yield html(stationPath(station.id), stationPage(station, stations, board))
    await yieldToEvents()
  }
  for (const variable of VARIABLES) yield table(stationTablePath(variable), stationCsv(variable, stations, board))

  const areas: AreaScores[] = []
  for (const area of board.areas) {
    const skills = new Map<VerifiedVariable, Skill>()
    for (const variable of VARIABLES)
      skills.set(variable, await skillOf(database, { ...area.query, variable, days, units, now: end }))
    areas.push({ area, skills })
  }
  // Regions of states come first in the list, and last in the site.
  for (const { area, skills } of areas.toReversed()) {
    const parts = areas.filter((part) => area.states?.includes(part.area.id))
    const view = { area, skills, parts, stations }
    yield json(areaDataPath(area), areaJson(view, board))
    for (const variable of VARIABLES) yield html(variablePath(area, variable), areaVariable(view, variable, board))
    if (area.id === 'US')
      for (const variable of VARIABLES) yield table(areaTablePath(variable), areaCsv(variable, areas, board))
    yield html(indexPath(area), areaIndex(view, board))
    await yieldToEvents()
  }
}
