import { cellOf } from '../../ingest/domain/cell.ts'
import { SEASON_MAX, SEASON_MIN } from '../../ingest/domain/dataset/season.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { DAY, dateText } from '../../ingest/domain/time.ts'
import { type OpenRun, openRun } from '../../ingest/tile/read.ts'
import { seasonCounts, seasonMonths } from '../../sql/queries/season.ts'
import type { LiveDeps, LiveSource } from './source.ts'

/** High and low temperature of one local date at a cell, K. */
export interface SeasonExtremes {
  readonly max: number
  readonly min: number
  /** `analysis`: at least one hour of the day comes from RTMA, because URMA has no value for it yet. */
  readonly source: 'observed' | 'analysis'
}

export interface SeasonSource extends LiveSource {
  /**
   * Returns extremes by day, counted from 1970-01-01 in the local calendar, including both ends. Days that are not
   * stored are omitted.
   * @throws Fault
   */
  days(at: SeasonPoint, from: number, to: number): Promise<ReadonlyMap<number, SeasonExtremes>>
  /** The first stored day of a domain, counted from 1970-01-01; undefined if no day is stored. */
  firstDay(domain: DomainId): Promise<number | undefined>
}

export interface SeasonPoint {
  readonly lat: number
  readonly lon: number
  readonly domain: DomainId
}

/** Number of months that are open at once; a season has seven months in each domain. */
const MAX_OPEN_FILES = 40

/** Opens the daily highs and lows of the analyses, which are stored in tiles by month. */
export function openSeason({ database, objects }: Pick<LiveDeps, 'database' | 'objects'>): SeasonSource {
  const opened = new Map<string, Promise<OpenRun>>()

  function open(manifestKey: string): Promise<OpenRun> {
    let run = opened.get(manifestKey)
    if (!run) {
      const [oldest] = opened.keys()
      if (oldest !== undefined && opened.size >= MAX_OPEN_FILES) opened.delete(oldest)
      opened.set(manifestKey, (run = openRun(objects, manifestKey)))
      run.catch(() => opened.delete(manifestKey))
    }
    return run
  }

  async function read(
    { lat, lon, domain }: SeasonPoint,
    from: number,
    to: number,
  ): Promise<Map<number, SeasonExtremes>> {
    const extremes = new Map<number, SeasonExtremes>()
    const months = await seasonMonths(database, domain, dateText(from), dateText(to))
    await Promise.all(
      months.map(async ({ manifest_key, analysis }) => {
        const run = await open(manifest_key)
        const series = await run.point(cellOf(lat, lon, run.resolution))
        const max = series?.variables.get(SEASON_MAX)
        const min = series?.variables.get(SEASON_MIN)
        for (const [i, time] of (max?.times ?? []).entries()) {
          const day = time / DAY
          const high = max?.values[i] ?? Number.NaN
          const low = min?.values[i] ?? Number.NaN
          if (day >= from && day <= to && !Number.isNaN(high) && !Number.isNaN(low))
            extremes.set(day, {
              max: high,
              min: low,
              source: analysis.includes(dateText(day)) ? 'analysis' : 'observed',
            })
        }
      }),
    )
    return extremes
  }

  return {
    suppliers: {},
    async days(at, from, to) {
      try {
        return await read(at, from, to)
      } catch (error) {
        // The month has been published again since its key was read; the newer tiles contain the whole month.
        if (!isFault(error, 'Missing')) throw error
        opened.clear()
        return read(at, from, to)
      }
    },
    async firstDay(domain) {
      const counts = await seasonCounts(database)
      const first = counts.find((count) => count.domain === domain)?.first
      return first === undefined ? undefined : Date.parse(first) / DAY
    },
  }
}
