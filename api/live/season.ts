import { cellOf } from '../../ingest/domain/cell.ts'
import { SEASON_MAX, SEASON_MIN } from '../../ingest/domain/dataset/season.ts'
import type { DomainId } from '../../ingest/domain/domain.ts'
import { isFault } from '../../ingest/domain/fault.ts'
import { DAY, dateText } from '../../ingest/domain/time.ts'
import { type OpenRun, openRun } from '../../ingest/tile/read.ts'
import { seasonCounts, seasonMonths } from '../../sql/queries/season.ts'
import type { LiveDeps, LiveSource } from './source.ts'

/** High and low of one local date at a cell, K. */
export interface SeasonExtremes {
  readonly max: number
  readonly min: number
  /** `analysis`: an hour of the day is of RTMA, because URMA has none yet. */
  readonly source: 'observed' | 'analysis'
}

export interface SeasonSource extends LiveSource {
  /** By day since 1970-01-01 of the local calendar, both ends included; days that are not stored are left out. */
  days(at: SeasonPoint, from: number, to: number): Promise<ReadonlyMap<number, SeasonExtremes>>
  /** The first day that is stored in a domain; undefined where there is none. */
  firstDay(domain: DomainId): Promise<number | undefined>
}

export interface SeasonPoint {
  readonly lat: number
  readonly lon: number
  readonly domain: DomainId
}

/** Open months: seven a domain make a season. */
const MAX_OPEN_FILES = 40

/** Daily highs and lows of the analyses, read from the months' tiles. */
export function openSeason({ database, objects }: Pick<LiveDeps, 'database' | 'objects'>): SeasonSource {
  const opened = new Map<string, Promise<OpenRun>>()

  function open(manifestKey: string): Promise<OpenRun> {
    let run = opened.get(manifestKey)
    if (!run) {
      if (opened.size >= MAX_OPEN_FILES) opened.delete(opened.keys().next().value!)
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
    const found = new Map<number, SeasonExtremes>()
    const months = await seasonMonths(database, domain, dateText(from), dateText(to))
    await Promise.all(
      months.map(async ({ manifest_key, analysis }) => {
        const run = await open(manifest_key)
        const series = await run.point(cellOf(lat, lon, run.resolution))
        const [max, min] = [series?.variables.get(SEASON_MAX), series?.variables.get(SEASON_MIN)]
        for (const [i, time] of (max?.times ?? []).entries()) {
          const day = time / DAY
          const [high, low] = [max!.values[i]!, min?.values[i] ?? Number.NaN]
          if (day >= from && day <= to && !Number.isNaN(high) && !Number.isNaN(low))
            found.set(day, {
              max: high,
              min: low,
              source: analysis.includes(dateText(day)) ? 'analysis' : 'observed',
            })
        }
      }),
    )
    return found
  }

  return {
    suppliers: {},
    async days(at, from, to) {
      try {
        return await read(at, from, to)
      } catch (error) {
        // The month was published again since its key was read: the newer tiles contain all of it.
        if (!isFault(error, 'Missing')) throw error
        opened.clear()
        return read(at, from, to)
      }
    },
    async firstDay(domain) {
      const counts = await seasonCounts(database)
      const first = counts.find((one) => one.domain === domain)?.first
      return first === undefined ? undefined : Date.parse(first) / DAY
    },
  }
}
