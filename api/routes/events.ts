import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import { type AlertChanged, alertChanged, type TopicName, textChanged, topics } from '../../ingest/domain/event.ts'
import type { OnsetState } from '../../ingest/domain/weather/onset.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events, Subscription } from '../../ingest/ports/events.ts'
import { changesAfter, lastChange } from '../../sql/queries/changes.ts'
import type { Queries } from '../../sql/session.ts'
import { type AlertChangeEvent, alertFilterOf, eventShape, withPlaces } from '../changes/alert-changes.ts'
import { type RunChange, requireRunDatasets, runChangeNames, runChangeOf, runTopics } from '../changes/run-changes.ts'
import { type TextChangeEvent, textChangeOf, textFilterOf } from '../changes/text-changes.ts'
import type { ApiRequest } from '../http/deps.ts'
import { limitHeaders, plainHeaders } from '../http/exchange.ts'
import type { Plan } from '../keys/plan.ts'
import { coalesced } from '../live/coalesced.ts'
import { Problem } from '../problem.ts'
import { resolve } from '../query/location.ts'
import { displayed, nearestWord, parseParameters, selectorOf } from '../query/query.ts'
import { wayOf, type whereShape } from '../query/where.ts'
import type { Caller, PlanName, Route, RouteRequest } from '../route.ts'
import {
  DEFAULT_WITHIN_MINUTES,
  lookForOnset,
  MAX_WITHIN_MINUTES,
  MIN_WITHIN_MINUTES,
  ONSET,
  type OnsetDeps,
  type OnsetPoint,
} from '../webhooks/onset-watch.ts'

const HEARTBEAT_MS = 15_000
const MAX_STREAMS = 1000
const PAGE_SIZE = 50
/** Slow readers are disconnected at this many unread bytes; they can resume with Last-Event-ID. */
const MAX_UNREAD_BYTES = 1_000_000
type StreamedChange = AlertChangeEvent | TextChangeEvent | RunChange

/** Delivers every change to all open streams, in order and once: a stream that resumes reads the missed ones from the log. */
class ChangeFeed {
  readonly #streams = new Set<(change: StreamedChange) => void>()
  readonly #database: Queries
  #last = -1

  constructor(database: Queries) {
    this.#database = database
  }

  get count(): number {
    return this.#streams.size
  }

  /** The number to resume from: `after`, or the last change where `after` is absent or was never assigned (another database). */
  async position(after: number | undefined): Promise<number> {
    await this.read()
    return Math.min(after ?? this.#last, this.#last)
  }

  /**
   * Delivers the changes after a number, then new ones, as long as the stream is open: a week of them is thousands of queries.
   * `position` is that up to which all were delivered.
   */
  async follow(
    after: number,
    deliver: (change: StreamedChange) => void,
    isOpen: () => boolean,
  ): Promise<{ readonly position: () => number; readonly stop: () => void }> {
    let sent = after
    let waiting: StreamedChange[] | undefined = []
    const stream = (change: StreamedChange) => {
      if (waiting) return void waiting.push(change)
      if (change.id > sent) deliver(change)
      sent = Math.max(sent, change.id)
    }
    this.#streams.add(stream)
    try {
      for (let page = await this.#page(sent); page.length > 0 && isOpen(); page = await this.#page(sent)) {
        for (const change of page) deliver(change)
        sent = page.at(-1)!.id
      }
    } catch (error) {
      this.#streams.delete(stream)
      throw error
    }
    const missed = waiting
    waiting = undefined
    for (const change of missed) stream(change)
    return { position: () => sent, stop: () => void this.#streams.delete(stream) }
  }

  /** Reads new changes and delivers them. */
  readonly read = coalesced(async () => {
    if (this.#last < 0) this.#last = await lastChange(this.#database)
    for (let page = await this.#page(this.#last); page.length > 0; page = await this.#page(this.#last)) {
      this.#last = page.at(-1)!.id
      for (const change of page) for (const stream of this.#streams) stream(change)
    }
  })

  async #page(after: number): Promise<StreamedChange[]> {
    const rows = await changesAfter(this.#database, after, PAGE_SIZE, runTopics)
    const alerts = await withPlaces(
      this.#database,
      rows.filter(({ topic }) => topic === 'alert'),
    )
    const texts = rows.filter(({ topic }) => topic === 'text').map(textChangeOf)
    const runs = rows.flatMap(({ id, source, payload }) => (source && runChangeOf(id, source, payload)) || [])
    return [...alerts, ...texts, ...runs].sort((a, b) => a.id - b.id)
  }
}

const eventNames = [
  ...['alert.*', 'text.*', 'run.*', ONSET],
  ...alertChanged.shape.change.options.map((change) => `alert.${change}`),
  ...textChanged.shape.change.options.map((change) => `text.${change}`),
  ...runChangeNames.map((change) => `run.${change}`),
]

const streamShape = {
  ...eventShape,
  events: z
    .string()
    .max(200)
    .default('alert.*')
    .transform((text, context): readonly string[] => {
      const names = text.split(',').map((name) => name.trim().toLowerCase())
      const unknown = names.find((name) => !eventNames.includes(name))
      if (unknown === undefined) return names
      context.addIssue({
        code: 'custom',
        message: `${displayed(unknown)}, nearest: ${nearestWord(unknown, eventNames)}`,
      })
      return z.NEVER
    })
    .meta({
      description:
        'Names of events, separated by commas: alert.* (the default), text.* and run.* stand for all of a kind; nowcast.onset is of a point',
      wanted: `one or several of ${eventNames.join(', ')}`,
    }),
  dataset_id: z
    .string()
    .max(500)
    .transform((text) => text.split(',').map((id) => id.trim().toLowerCase()))
    .optional()
    .meta({
      description: 'Datasets of run.*, separated by commas; absent: all',
      wanted: 'ids of /v1/catalog that have runs',
    }),
  within_minutes: z
    .preprocess(
      (text) => (typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : text),
      z.number().int().min(MIN_WITHIN_MINUTES).max(MAX_WITHIN_MINUTES),
    )
    .default(DEFAULT_WITHIN_MINUTES)
    .meta({
      description: 'Of nowcast.onset: how far ahead precipitation is reported',
      wanted: `a whole number from ${MIN_WITHIN_MINUTES} to ${MAX_WITHIN_MINUTES}`,
    }),
}

interface StreamFilter {
  readonly passes: (change: StreamedChange) => boolean
  /** The point whose precipitation is followed; undefined where it was not asked for. */
  readonly onset: OnsetPoint | undefined
}

/** The filter of a stream: the events that it asks for, of its place. @throws Fault, Problem */
function filterOf(query: RouteRequest['query']): StreamFilter {
  const { events, dataset_id, within_minutes, ...where } = parseParameters(streamShape, query)
  const { events: _, dataset_id: __, within_minutes: ___, ...rest } = query
  if (dataset_id) requireRunDatasets('dataset_id', dataset_id)
  const alert = alertFilterOf(rest)
  const text = textFilterOf(where, rest)
  const ofDataset = ({ payload }: RunChange) => !dataset_id || dataset_id.includes(payload.dataset)
  const kindOf = (change: StreamedChange) => (change.topic === 'run' ? change.change : change.payload.change)
  return {
    passes: (change) =>
      (events.includes(`${change.topic}.*`) || events.includes(`${change.topic}.${kindOf(change)}`)) &&
      (change.topic === 'alert' ? alert(change) : change.topic === 'text' ? text(change) : ofDataset(change)),
    onset: events.includes(ONSET) ? { at: pointOf(where, rest), withinMinutes: within_minutes } : undefined,
  }
}

/** @throws Problem where the place is none */
function pointOf(where: z.output<z.ZodObject<typeof whereShape>>, query: RouteRequest['query']): OnsetPoint['at'] {
  if (wayOf(where, query) === 'a point') return resolve(selectorOf(where))
  throw new Problem('bad-request', `events: ${ONSET} is of a point: wanted lat with lon, location or zip beside it.`, {
    members: { field: 'events' },
  })
}

/** The id in Last-Event-ID; undefined without the header. @throws Problem */
function resumeFrom(routeRequest: RouteRequest): number | undefined {
  const lastId = routeRequest.headers['last-event-id']
  if (lastId === undefined || lastId === '') return undefined
  const number = /^\d{1,16}$/.test(String(lastId)) ? Number(lastId) : Number.NaN
  if (!Number.isSafeInteger(number)) {
    throw new Problem(
      'bad-request',
      `Last-Event-ID: wanted the id of an event of this stream, got "${String(lastId).slice(0, 40)}".`,
    )
  }
  return number
}

function write(response: ServerResponse, change: StreamedChange): void {
  const data = change.topic === 'alert' ? alertData(change.payload) : change.payload
  const name = change.topic === 'run' ? change.change : change.payload.change
  response.write(`id: ${change.id}\nevent: ${change.topic}.${name}\ndata: ${JSON.stringify(data)}\n\n`)
}

function alertData({ id, event, change, areas, expiration, at, replaces }: AlertChanged) {
  return { id, event, change, areas, expiration, at, ...(replaces && { replaces }) }
}

export interface EventStreamDeps {
  readonly database: Database
  readonly events: Events
  readonly onError: (error: unknown) => void
  /** Whether a caller's key is still valid. */
  readonly isActive: (caller: Caller) => boolean
  readonly plans: Readonly<Record<PlanName, Plan>>
  /** Absent: nothing is known of coming precipitation. */
  readonly onsets?: OnsetDeps
}

/** Milliseconds between looks for a new scan: they come every two minutes. */
const SCAN_CHECK_MS = 2000

/**
 * Reports each beginning of precipitation at the point of a stream. Without an id: it is no row of the log, and whoever connects again
 * gets what comes then. @returns ends it
 */
function followOnsets(
  deps: OnsetDeps,
  point: OnsetPoint,
  response: ServerResponse,
  onError: (error: unknown) => void,
): () => void {
  let state: OnsetState | undefined
  let looking = false
  const look = async () => {
    if (looking || !response.headersSent) return
    looking = true
    try {
      const found = await lookForOnset(deps, point, state)
      state = found?.state ?? state
      if (found?.onset && !response.writableEnded)
        response.write(`event: ${ONSET}\ndata: ${JSON.stringify(found.onset)}\n\n`)
    } catch (error) {
      onError(error)
    } finally {
      looking = false
    }
  }
  const timer = setInterval(() => void look(), SCAN_CHECK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Milliseconds between checks of the keys of open streams: a stream ends within 5 s of its key's revocation. */
const KEY_CHECK_MS = 1000

export interface EventStreams {
  readonly route: Route
  /** Ends the open streams. */
  end(): void
  close(): Promise<void>
}

/** `GET /v1/events`: changes of alerts and texts as server-sent events. */
export async function eventStreams({
  database,
  events,
  onError,
  isActive,
  plans,
  onsets,
}: EventStreamDeps): Promise<EventStreams> {
  const changes = new ChangeFeed(database)
  const open = new Map<ServerResponse, Caller | undefined>()
  const openOf = ({ subject }: Caller) => [...open.values()].filter((one) => one?.subject === subject).length
  const read = () => changes.read().catch(onError)
  const wake = () => {
    if (changes.count > 0) void read()
  }
  const subscriptions: Subscription[] = []
  for (const name of [topics.alerts.name, topics.texts.name, ...runTopics])
    subscriptions.push(await events.subscribe(name as TopicName, wake))
  const timer = setInterval(() => {
    if (changes.count > 0) void read()
  }, 1000)
  timer.unref()
  const keyCheck = setInterval(() => {
    for (const [response, caller] of open) if (caller && !isActive(caller)) response.end()
  }, KEY_CHECK_MS)
  keyCheck.unref()
  const route: Route = {
    method: 'get',
    path: '/v1/events',
    stream: async (routeRequest, request, response) => {
      const filter = filterOf(routeRequest.query)
      const resume = resumeFrom(routeRequest)
      if (open.size >= MAX_STREAMS) {
        throw new Problem('service-unavailable', 'Too many streams are open on this server. Retry in a minute.', {
          retryAfter: 60,
        })
      }
      const allowed = routeRequest.caller && (plans[routeRequest.caller.plan].streams ?? 0)
      if (routeRequest.caller && allowed !== undefined && openOf(routeRequest.caller) >= allowed) {
        throw new Problem(
          'too-many-requests',
          `At most ${allowed} streams may be open at once on this plan. Close one, or use one stream with a wider filter.`,
          { retryAfter: 60 },
        )
      }
      const { exchange } = request as unknown as ApiRequest
      // Counted before anything is awaited: requests that come together are each seen by the next.
      open.set(response, routeRequest.caller)
      let ended = false
      response.once('close', () => {
        ended = true
        open.delete(response)
      })
      // Read the position before the response begins: every later change is delivered.
      const after = await changes.position(resume).catch((error: unknown) => {
        open.delete(response)
        throw error
      })
      if (ended || response.writableEnded) return
      let following: Awaited<ReturnType<ChangeFeed['follow']>> | undefined
      const heartbeat = setInterval(() => {
        const id = following ? `id: ${following.position()}\n` : ''
        response.write(`${id}: still here\n\n`)
      }, HEARTBEAT_MS)
      const stopOnsets = filter.onset && onsets && followOnsets(onsets, filter.onset, response, onError)
      response.once('close', () => {
        clearInterval(heartbeat)
        stopOnsets?.()
        following?.stop()
      })
      response.writeHead(200, {
        ...plainHeaders,
        ...limitHeaders(exchange),
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
        'X-Request-Id': exchange.id,
      })
      // An id without data moves the reader's Last-Event-ID: a stream that breaks off before its first change misses none.
      response.write(`retry: 3000\nid: ${after}\n: listening\n\n`)
      try {
        following = await changes.follow(
          after,
          (change) => {
            if (ended || !filter.passes(change)) return
            write(response, change)
            if (response.writableLength > MAX_UNREAD_BYTES) response.destroy()
          },
          () => !ended,
        )
      } catch (error) {
        // The connection is closed: the reader resumes with the id of its last event.
        onError(error)
        response.destroy()
      }
      if (ended) following?.stop()
    },
    contract: {
      tag: 'alerts',
      summary: 'Changes of alerts, forecaster texts and runs, and coming rain, as server-sent events',
      description:
        'One event a change: alert.issued, alert.updated, alert.cancelled or alert.expired; with `events=text.*` text.issued and text.expired of forecasters’ texts; with `run.*` run.started, run.published, run.stage and run.late of model runs; with `nowcast.onset` precipitation that begins within `within_minutes` at the point, once for each episode. `Last-Event-ID` resumes where a stream broke off; every 15 s an id without data shows that the connection is alive, and where to resume after hours without a change. One of a point, bbox, area, zone or office; none means all.',
      query: streamShape,
      answer: z.string().describe('text/event-stream'),
      type: 'text/event-stream',
    },
  }
  return {
    route,
    end() {
      for (const response of open.keys()) response.end()
    },
    async close() {
      clearInterval(timer)
      clearInterval(keyCheck)
      for (const subscription of subscriptions) await subscription.close()
    },
  }
}
