import { DAY, dateText, HOUR, type Instant } from '../../ingest/domain/time.ts'
import {
  DAY_LEAD_HOURS,
  HOUR_ELEMENTS,
  LEAD_HOURS,
  READ_SOURCES,
  type VerifiedSource,
  type VerifiedStation,
} from '../../ingest/domain/verification/forecast.ts'
import { addSums, emptySums, type Sums, score } from '../../ingest/domain/verification/score.ts'
import { VARIABLES } from '../../ingest/domain/verification/statistics.ts'
import { placeAt } from '../../ingest/geo/place.ts'
import { stations } from '../../ingest/geo/site.ts'
import { zonesAt } from '../../ingest/geo/zone.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { claimDay, putVerifiedStations, recordIssued } from '../../sql/queries/verification.ts'
import { type AreaKind, putVerification, type VerificationRow } from '../../sql/queries/verification-sums.ts'
import { dice } from '../bench/storms.ts'

const sources: readonly VerifiedSource[] = [...READ_SOURCES, 'persistence']
/** Relative size of the errors at 24 hours, by source. */
const errors: Readonly<Record<string, number>> = {
  blend: 0.9,
  nbm: 1,
  hrrr: 1.15,
  rrfs: 1.2,
  gfs: 1.4,
  persistence: 2.6,
}
const errorOf = (source: VerifiedSource) => errors[source] ?? 1
const SCORED_HOURS = [0, 6, 12, 18]

/**
 * Stores scores for the days before today, at a part of the stations. Forecasts have errors that grow with the lead and are scored by the
 * real rules. @param options.every 10 for every tenth station
 */
export async function putScoredDays(
  database: Database,
  now: Instant,
  { days = 8, every = 10 } = {},
): Promise<VerifiedStation[]> {
  const list = stations()
    .filter((_, i) => i % every === 0)
    .flatMap(({ id, name, lat, lon }): VerifiedStation[] => {
      const at = placeAt(lat, lon)
      if (!at) return []
      const domain = at.region === 'AK' ? 'alaska' : at.region === 'HI' ? 'hawaii' : 'conus'
      const { office } = zonesAt(lat, lon)
      return [{ id, name, lat, lon, state: at.region, office, domain, timezone: at.timezone }]
    })
  const random = dice(7)
  const spread = () => random() + random() + random() - 1.5
  const today = Math.floor(now / DAY)
  await putVerifiedStations(database, list, dateText(today - 1))
  for (let day = today - days; day < today; day++) {
    const areas = new Map<string, { kind: AreaKind; area: string; sums: Sums }>()
    const weather = spread()
    for (const station of list) {
      const sums = emptySums()
      const hard = 0.6 + Math.abs(station.lat - 39) / 20
      for (const hour of SCORED_HOURS) {
        const likely = random() ** 3
        const wet = random() < likely ? 1 : 0
        const truth = {
          hour: () => ({
            ...{ temperature: 10, dew_point: 4, wind_speed: 5, wind_gust: 9, wet },
            ...{ sky: Math.floor(random() * 5), flight_category: random() < 0.2 ? 1 : 3 },
          }),
          day: () => ({ high: 15, low: 3 }),
          climatology: () => 0.25,
        }
        const valid = day * DAY + hour * HOUR
        for (const leadHours of LEAD_HOURS) {
          const grown = hard * (0.7 + Math.sqrt(leadHours / 24)) + 0.2 * weather
          const values = sources.flatMap((source) => {
            const error = () => errorOf(source) * grown * spread() + 0.3
            const forecastChance =
              source === 'persistence' || source === 'gfs' || source === 'rrfs' ? Math.round(likely) : likely
            const chance = Math.min(1, Math.max(0, forecastChance + 0.2 * (errorOf(source) - 0.8) * spread()))
            const elements = [10 + error(), 4 + error(), 5 + error(), 9 + error(), 100 * random()]
            return [...elements, random() < 0.8 ? 16_000 : 4000, random() < 0.8 ? 3000 : 250, 100 * chance]
          })
          if (values.length !== sources.length * HOUR_ELEMENTS.length) throw new Error('a value is missing')
          const about = { valid, issued: valid - leadHours * HOUR, leadHours, stations: [station.id], sources }
          score({ kind: 'hour', ...about, values: Float32Array.from(values) }, truth, () => sums)
          if (hour !== 12 || !(DAY_LEAD_HOURS as readonly number[]).includes(leadHours)) continue
          const highs = sources.flatMap((source) => [15, 3].map((value) => value + errorOf(source) * grown * spread()))
          score({ kind: 'day', ...about, values: Float32Array.from(highs) }, truth, () => sums)
        }
      }
      for (const [kind, area] of [
        ['station', station.id],
        ['state', station.state],
        ['office', station.office],
        ['all', 'US'],
      ] as const) {
        if (area === undefined) continue
        const areaSums = areas.get(`${kind}/${area}`) ?? { kind, area, sums: emptySums() }
        addSums(areaSums.sums, sums)
        areas.set(`${kind}/${area}`, areaSums)
      }
    }
    const rows = [...areas.values()].flatMap(({ kind, area, sums }) =>
      VARIABLES.map(
        (variable): VerificationRow => ({ kind, area, variable, day: dateText(day), sums: sums[variable] }),
      ),
    )
    await recordIssued(database, new Date(day * DAY), list.length, 1)
    await claimDay(database, dateText(day), list.length, list.length)
    await putVerification(database, rows)
  }
  return list
}
