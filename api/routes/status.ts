import { createHash } from 'node:crypto'
import { z } from 'zod'
import { DAY, type Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { lateEntries } from '../../sql/queries/lateness.ts'
import type { ServiceStatus } from '../live/service-status.ts'
import { SharedRead } from '../live/shared-read.ts'
import { statusFeed, statusPage } from '../pages/status.ts'
import { Problem } from '../problem.ts'
import type { Route } from '../route.ts'
import { noParameters } from './shapes.ts'

const seconds = z.int().nullable()
const time = z.iso.datetime()

const datasetSchema = z.object({
  dataset_id: z.string(),
  title: z.string(),
  domain: z.string().nullable(),
  kind: z.enum(['grid', 'frame', 'station', 'event', 'text', 'climatology']),
  state: z.enum(['on_time', 'late', 'stale', 'nothing_stored', 'not_configured', 'unknown']),
  run: time.nullable(),
  stage: z.int().nullable(),
  available_at: time.nullable(),
  age_seconds: seconds,
  expected_next: z
    .object({
      run: time.nullable(),
      expected_at: time,
      late_at: time,
      learned: z.boolean(),
    })
    .nullable(),
  late_by_seconds: seconds,
  last_failures: z.array(z.object({ at: time, run: time.nullable(), detail: z.string() })),
  second_source: z.object({ host: z.string(), since: time, reason: z.string() }).nullable(),
  quarantine: z.array(
    z.object({
      at: time,
      run: time,
      variable: z.string().nullable(),
      reason: z.string(),
      lead_hours: z.array(z.int()),
      detail: z.string(),
    }),
  ),
  availability: z.array(z.number().min(0).max(1).nullable()),
})

const schema = z.object({
  generated_at: time,
  status: z.enum(['ok', 'degraded', 'outage']),
  simulated: z.boolean(),
  notes: z.array(z.string()),
  availability_from: z.iso.date(),
  datasets: z.array(datasetSchema),
})

const FEED_DAYS = 14
const FEED_ENTRIES = 100
const FEED_LIMITS = { fresh: 5000, given: 120_000, wait: 1000, first: 5000, read: 60_000 }

/** The public state of every dataset: JSON, a page and a feed of late runs. */
export function statusRoutes(
  database: Database,
  clock: () => Instant,
  status: () => Promise<ServiceStatus | undefined>,
): Route[] {
  const current = async (): Promise<ServiceStatus> => {
    const document = await status()
    if (document) return document
    throw new Problem('service-unavailable', 'The status cannot be read: the database does not answer.', {
      retryAfter: 5,
    })
  }
  const known = ({ notes }: ServiceStatus) => ({
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
        return { body: Buffer.from(body), etag, headers: known(document) }
      },
      contract: {
        tag: 'health',
        summary: 'State of every dataset: what is served, what is expected, what is late',
        description: 'Without a key; limited by address.',
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
        const given = statusPage(document)
        return { ...given, headers: { ...given.headers, ...known(document) } }
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
          throw new Problem('service-unavailable', 'Late runs cannot be read: the database does not answer.', {
            retryAfter: 5,
          })
        return statusFeed(base, entries.value, new Date(now))
      },
    },
  ]
}
