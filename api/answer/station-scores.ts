import { DAY, dateText, type Instant } from '../../ingest/domain/time.ts'
import { scoresWithout } from '../../ingest/domain/verification/figures.ts'
import { SOURCES, type VerifiedSource } from '../../ingest/domain/verification/forecast.ts'
import { STATISTICS, slotsOf, VARIABLES, type VerifiedVariable } from '../../ingest/domain/verification/statistics.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { type ScoredStation, scoredStations, sumsOfStations } from '../../sql/queries/verification-sums.ts'
import type { UnitSystem } from '../present/units.ts'
import { scoresInUnit } from './skill.ts'

/** Scores of one source at one lead at a station, without intervals; null with fewer than 30 pairs. */
export interface StationFigure {
  readonly source: VerifiedSource
  readonly leadHours: number
  readonly pairs: number
  readonly scores: Readonly<Record<string, number>> | null
}

/** The scores of all stations over a period, in the units of the request. */
export interface StationScores {
  /** Stations with a pair in the period, ordered by id. */
  readonly stations: readonly ScoredStation[]
  /** The sources and leads that have a pair, in the order of `/v1/skill?station=ID`. */
  figuresAt(id: string, variable: VerifiedVariable): StationFigure[]
}

/**
 * Reads the scores of every station at every source and lead. It holds the sums of all variables in memory: 80 MB for 2,000 stations.
 */
export async function stationScores(
  database: Database,
  { days, units, now }: { readonly days: number; readonly units: UnitSystem; readonly now: Instant },
): Promise<StationScores> {
  const today = Math.floor(now / DAY)
  const [from, to] = [dateText(today - days), dateText(today - 1)]
  const stations = await scoredStations(database)
  const ids = new Set(stations.map(({ id }) => id))
  const sums = new Map<VerifiedVariable, Map<string, Float64Array>>()
  for (const variable of VARIABLES) sums.set(variable, await sumsOfStations(database, { variable, from, to }, ids))
  return {
    stations: stations.filter(({ id }) => VARIABLES.some((variable) => sums.get(variable)?.has(id))),
    figuresAt(id, variable) {
      const own = sums.get(variable)?.get(id)
      if (!own) return []
      const width = STATISTICS[variable].length
      return slotsOf(variable)
        .flatMap(({ source, leadHours }, slot): StationFigure[] => {
          const part = own.subarray(slot * width, (slot + 1) * width)
          const pairs = part[0] ?? 0
          if (pairs === 0) return []
          const scores = scoresWithout(variable, part)
          return [{ source, leadHours, pairs, scores: scores ? scoresInUnit(variable, scores, units) : null }]
        })
        .sort((a, b) => SOURCES.indexOf(a.source) - SOURCES.indexOf(b.source))
    },
  }
}
