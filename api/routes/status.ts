import { createHash } from 'node:crypto'
import { z } from 'zod'
import { DAY, type Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { lateEntries } from '../../sql/queries/lateness.ts'
import type { ServiceStatus } from '../live/service-status.ts'
import { SharedRead } from '../live/shared-read.ts'
import { statusFeed, statusPage } from '../pages/status.ts'
import { doc, measured, rangeOf } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { Problem } from '../problem.ts'
import type { Route } from '../route.ts'
import { noParameters } from './shapes.ts'

const seconds = z.int().nullable()
const time = z.iso.datetime()

const datasetSchema = z.object({
  dataset_id: member.dataset_id,
  title: member.title,
  domain: member.domain_or_none.nullable(),
  kind: doc(z.enum(['grid', 'frame', 'station', 'event', 'text', 'climatology']), 'Kind of the dataset', 'grid'),
  state: doc(
    z.enum(['on_time', 'late', 'stale', 'nothing_stored', 'not_configured', 'unknown']),
    'late: the next run is overdue, or the source provides none (see last_failures); stale: the served data are older than the limit of the dataset; not_configured: this installation does not ingest the dataset; unknown: the database does not answer, and the other members are as of generated_at',
    'on_time',
  ),
  run: member.run.nullable(),
  stage: measured(z.int().nullable(), 'count', 1, 'Last served stage of a model run, from 0'),
  available_at: doc(time.nullable(), 'When the run was first served', '2026-08-20T17:20:00Z'),
  age_seconds: member.age_seconds.nullable(),
  expected_next: z
    .object({
      run: doc(time.nullable(), 'Reference time; null for a feed', '2026-08-20T17:00:00Z'),
      expected_at: doc(time, 'When it is usually served, the median of the last 90 days', '2026-08-20T18:18:00Z'),
      late_at: doc(
        time,
        'When it becomes late: the 95th percentile and a margin of at least 15 minutes',
        '2026-08-20T18:34:00Z',
      ),
      learned: doc(z.boolean(), 'False until seven days are recorded: the declared latency is used', true),
    })
    .nullable()
    .describe('The next run, frame or read'),
  late_by_seconds: measured(seconds, 'seconds', 0, 'Seconds since expected_at if the run is late; 0 if it is on time'),
  last_failures: z
    .array(
      z.object({
        at: doc(time, 'When it failed', '2026-08-20T17:12:00Z'),
        run: doc(time.nullable(), 'The run or frame that was rejected; null for a feed', '2026-08-20T16:00:00Z'),
        detail: doc(z.string(), 'Reason', '2 of 24 required fields are corrupt'),
      }),
    )
    .describe('The newest three of the last seven days, newest first'),
  silent_since: doc(
    time.nullable(),
    'Since when the bucket lists no new key of the dataset although it answers, or no read of a feed has succeeded: since the start, or since the newest run or frame became older than the limit. Null while data arrive. last_failures names the prefix',
    null,
  ),
  second_source: z
    .object({
      host: doc(z.string(), 'Host of the second source', 'storage.googleapis.com'),
      since: doc(time, 'When reading from it began', '2026-08-20T17:12:00Z'),
      reason: doc(z.string(), 'Why the first source is not used', 'status 503: try again later'),
    })
    .nullable()
    .describe('Second source, used while the first fails or is late; null while the first is used'),
  quarantine: z
    .array(
      z.object({
        at: doc(time, 'When it was last detected', '2026-08-20T17:12:00Z'),
        run: doc(
          time,
          'Run or scan; for a feed, the hour of the read; for rows of a feed, the day',
          '2026-08-20T16:00:00Z',
        ),
        variable: doc(
          z.string().nullable(),
          'Variable, row or feature that is omitted; null for a whole file',
          'dew_point',
        ),
        reason: doc(z.string(), 'Reason code', 'grid'),
        lead_hours: doc(z.array(z.int().meta(rangeOf('count'))), 'Affected hours of the run', [6]),
        detail: doc(z.string(), 'Expected and actual values', 'grid: expected lat1 21.138, but found 26.138'),
      }),
    )
    .describe(
      'Data that upstream delivered in the last day and that are not published, the newest three: variables of runs, scans, documents and rows of feeds',
    ),
  availability: doc(
    z.array(z.number().min(0).max(1).nullable().meta({ 'x-unit': '1' })),
    'Share of checked minutes in which the dataset was not stale, for each of 90 days, oldest first; null if nothing was checked',
    [1],
  ),
})

const schema = z.object({
  generated_at: doc(time, 'When the state was read', '2026-08-20T18:04:00Z'),
  status: doc(
    z.enum(['ok', 'degraded', 'outage']),
    'degraded if data are stale or missing; outage if no model run is stored',
    'ok',
  ),
  simulated: doc(z.boolean(), 'Whether the weather is simulated', false),
  notes: doc(z.array(z.string()), 'Why the document itself may be out of date', [
    'The database cannot be reached: this is the last known state.',
  ]),
  upstream_check: z
    .object({
      checked_at: doc(time, 'When the last check ended', '2026-08-20T06:04:00Z'),
      passed: doc(z.int().meta(rangeOf('count')), 'Number of checks that passed', 140),
      warnings: doc(z.int().meta(rangeOf('count')), 'Number of checks with a warning', 2),
      failed: doc(z.int().meta(rangeOf('count')), 'Number of checks that failed', 0),
      problems: z
        .array(
          z.object({
            check: doc(z.string(), 'Name of the check', 'storm-tracks/conus newest frame'),
            state: doc(z.enum(['warning', 'failed']), 'Result of the check', 'failed'),
            detail: doc(
              z.string(),
              'What was expected and what upstream has',
              'no key begins with ProbSevere/20260820',
            ),
          }),
        )
        .describe('Failed checks, then warnings'),
    })
    .nullable()
    .describe(
      'Result of the daily check whether upstream has the keys, lead hours, index lines, messages, frames and feeds that ingestion expects; null if the weather is simulated or no check has ended',
    ),
  availability_from: doc(z.iso.date(), 'First day of the `availability` lists', '2026-05-23'),
  datasets: z.array(datasetSchema).describe('State of each dataset'),
})

const FEED_DAYS = 14
const FEED_ENTRIES = 100
const FEED_LIMITS = { fresh: 5000, usable: 120_000, wait: 1000, first: 5000, read: 60_000 }

/** Routes of the public state of every dataset, as JSON and as a page, and of the feed of late runs. */
export function statusRoutes(
  database: Database,
  clock: () => Instant,
  status: () => Promise<ServiceStatus | undefined>,
): Route[] {
  const current = async (): Promise<ServiceStatus> => {
    const document = await status()
    if (document) return document
    throw new Problem(
      'service-unavailable',
      'The status cannot be read, because the database does not answer. Retry in a moment.',
      {
        retryAfter: 5,
      },
    )
  }
  const cacheHeaders = ({ notes }: ServiceStatus) => ({
    'Cache-Control': notes.length > 0 ? 'no-store' : 'public, max-age=5',
  })
  const feed = new SharedRead(
    () => lateEntries(database, new Date(clock() - FEED_DAYS * DAY), FEED_ENTRIES),
    clock,
    FEED_LIMITS,
  )
  return [
    {
      method: 'get',
      path: '/v1/status',
      open: true,
      metered: true,
      handle: async ({ query }) => {
        noParameters(query)
        const document = await current()
        const body = JSON.stringify(document)
        const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 16)}"`
        return { body: Buffer.from(body), etag, headers: cacheHeaders(document) }
      },
      contract: {
        tag: 'health',
        summary: 'State of every dataset: served, expected and late runs',
        description: 'Needs no key; limited by address.',
        answer: schema,
        tagged: true,
      },
    },
    {
      method: 'get',
      path: '/status',
      open: true,
      metered: true,
      handle: async () => {
        const document = await current()
        const page = statusPage(document)
        return { ...page, headers: { ...page.headers, ...cacheHeaders(document) } }
      },
    },
    {
      method: 'get',
      path: '/status.atom',
      open: true,
      metered: true,
      handle: async ({ base, now }) => {
        const entries = await feed.get()
        if (!entries?.current)
          throw new Problem(
            'service-unavailable',
            'Late runs cannot be read, because the database does not answer. Retry in a moment.',
            {
              retryAfter: 5,
            },
          )
        return statusFeed(base, entries.value, new Date(now))
      },
    },
  ]
}
