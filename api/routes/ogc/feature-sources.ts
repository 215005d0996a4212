import { mapPaced } from '../../../ingest/domain/pacer.ts'
import { coordinatesOf, shapeTouchesBox } from '../../../ingest/domain/shape/shape.ts'
import { HOUR, isoSeconds } from '../../../ingest/domain/time.ts'
import { USABLE_REPORT_MS } from '../../../ingest/domain/weather/observation.ts'
import type { Database } from '../../../ingest/ports/database.ts'
import { reportsOf, stationsInBox } from '../../../sql/queries/observations.ts'
import { stormFeature, stormsNow, touches } from '../../answer/storms.ts'
import type { MetaWarning } from '../../contract.ts'
import { AlertIndex } from '../../live/alert-index.ts'
import type { AlertWatch } from '../../live/alert-watch.ts'
import { alertWarnings, byGravity } from '../../live/alerts.ts'
import type { RadarFrames } from '../../live/frames.ts'
import type { Live } from '../../live/index.ts'
import { shownObservation } from '../../present/observation.ts'
import { units } from '../../present/units.ts'
import { Problem } from '../../problem.ts'
import { contains, type QueryBox } from '../../query/box.ts'
import { featureOf } from '../alerts.ts'
import { observationFeature } from '../observations.ts'
import type { DateTimeInterval } from './datetime.ts'

export interface GeoJsonFeature {
  readonly type: 'Feature'
  readonly id: string
  readonly geometry: object | null
  readonly properties: object
}

export interface FeatureDeps {
  readonly database: Database
  readonly alerts: AlertWatch
  readonly live: Live
  readonly radar: RadarFrames
}

export interface FeatureQuery {
  readonly now: number
  readonly box: QueryBox | undefined
  readonly interval: DateTimeInterval | undefined
}

/** A collection of OGC API Features. */
export interface FeatureSource {
  readonly id: string
  readonly title: string
  readonly description: string
  /** Returns every matching feature in a stable order, with warnings if the list may be incomplete. */
  read(
    deps: FeatureDeps,
    query: FeatureQuery,
  ): Promise<{ readonly features: readonly GeoJsonFeature[]; readonly warnings: readonly MetaWarning[] }>
}

/** Largest number of reports in one request; pages cannot go further. */
const MAX_REPORTS = 20_000
const HISTORY_MS = 72 * HOUR

/** Returns whether a span of time overlaps the requested interval. */
const overlaps = (interval: DateTimeInterval | undefined, start: number, end: number) =>
  !interval || ((interval.to ?? end) >= start && (interval.from ?? start) <= end)

export const featureSources: readonly FeatureSource[] = [
  {
    id: 'alerts',
    title: 'NWS alerts',
    description:
      'Active watches, warnings and advisories. An empty list for a box is an all-clear only if there are no warnings.',
    async read({ alerts }, { now: clock, box, interval }) {
      const { feed, doubt } = alerts.trust(clock)
      if (!feed?.confirmed_at)
        throw new Problem('service-unavailable', 'The NWS alert feed has not been read yet. Retry in a minute.', {
          retryAfter: 30,
        })
      const list = alerts.index
        .all(alerts.now(clock))
        .filter(
          (alert) =>
            alert.head.status === 'Actual' &&
            (!box || AlertIndex.touches(alert, box)) &&
            overlaps(interval, alert.record.onset, alert.expiration),
        )
        .sort(byGravity)
      return { features: list.map(featureOf), warnings: alertWarnings(doubt, list) }
    },
  },
  {
    id: 'outlooks',
    title: 'SPC outlooks',
    description: 'Current convective and fire weather outlooks, one feature per area of one level.',
    async read({ live }, { now, box, interval }) {
      const features = live.outlooks
        .issues(now)
        .filter(({ valid, expires }) => overlaps(interval, valid, expires))
        .flatMap(({ product, day, hazard, valid, expires, issued, levels }) =>
          levels
            .filter(({ shape }) => !box || shapeTouchesBox(shape, box))
            .map(
              ({ scale, label, rank, shape }): GeoJsonFeature => ({
                type: 'Feature',
                id: `${product}.${scale}.${label}`,
                // Coordinates are computed when a feature is written: all outlooks take 40 ms, and the writer pauses between features.
                geometry: {
                  type: 'MultiPolygon',
                  get coordinates() {
                    return coordinatesOf(shape)
                  },
                },
                properties: {
                  ...{ product, day, hazard, scale, label, rank },
                  issued: issued === undefined ? null : isoSeconds(issued),
                  valid: isoSeconds(valid),
                  expires: isoSeconds(expires),
                },
              }),
            ),
        )
      return { features, warnings: live.outlooks.warnings(now) }
    },
  },
  {
    id: 'storm-tracks',
    title: 'Storm tracks',
    description: 'Storms with outline, motion and probabilities. An empty list is not an all-clear.',
    async read({ radar }, { now, box, interval }) {
      const { list, warnings } = await stormsNow(radar, now)
      if (!list) return { features: [], warnings }
      const storms = list.storms.filter((storm) => {
        const time = storm.validTime ?? list.validTime
        return (!box || touches(storm, box)) && overlaps(interval, time, time)
      })
      return { features: storms.map((storm) => stormFeature(storm, list.validTime)), warnings }
    },
  },
  {
    id: 'observations',
    title: 'METARs',
    description:
      'The newest report of every station, at most 3 hours old; with datetime, every report of the last 72 hours.',
    async read({ live, database }, { now, box, interval }) {
      const { observations } = live
      const warnings = observations.warnings('observations', now)
      const show = (report: Parameters<typeof shownObservation>[0]) =>
        observationFeature(shownObservation(report, now, units.metric))
      if (!interval) {
        const newest = observations
          .reporting()
          .filter(
            ({ report }) =>
              now - report.observedAt <= USABLE_REPORT_MS && (!box || contains(box, report.lat, report.lon)),
          )
        return { features: await mapPaced(newest, show), warnings }
      }
      const from = new Date(Math.max(now - HISTORY_MS, interval.from ?? 0))
      const to = new Date(Math.min(now + HOUR, interval.to ?? now + HOUR))
      const ids = await stationsInBox(database, box ?? [-180, -90, 180, 90], from)
      const { rows, total } = await reportsOf(database, { stations: ids, from, to, limit: MAX_REPORTS })
      const shown = await mapPaced(rows, (report) => {
        const station = observations.station(report.station)
        return station ? [show({ station: { ...station, lat: report.lat, lon: report.lon }, report })] : []
      })
      const features = shown.flat()
      const cut: MetaWarning[] =
        total > rows.length
          ? [
              {
                code: 'truncated',
                section: 'observations',
                detail: `${rows.length} of ${total}: request a smaller box`,
              },
            ]
          : []
      return { features, warnings: [...warnings, ...cut] }
    },
  },
]
