import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import { type AlertChanged, alertChanged, type TopicName, textChanged, topics } from '../../ingest/domain/event.ts'
import { type EventId, eventIdText, parseEventId } from '../../ingest/domain/event-id.ts'
import type { OnsetState } from '../../ingest/domain/weather/onset.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events, Subscription } from '../../ingest/ports/events.ts'
import { alertFilterOf, eventShape } from '../changes/alert-changes.ts'
import { ChangeFeed, type StreamedChange } from '../changes/change-feed.ts'
import { type RunChange, requireRunDatasets, runChangeNames, runTopics } from '../changes/run-changes.ts'
import { textFilterOf } from '../changes/text-changes.ts'
import type { ApiRequest } from '../http/deps.ts'
import { type Exchange, limitHeaders, plainHeaders } from '../http/exchange.ts'
import type { Plan } from '../keys/plan.ts'
import { Problem } from '../problem.ts'
import { resolve } from '../query/location.ts'
import { displayed, mismatchText, nearestWord, parseParameters, selectorOf } from '../query/query.ts'
import { wayOf, type whereShape } from '../query/where.ts'
import type { Caller, Contract, PlanName, Route, RouteRequest } from '../route.ts'
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
/** Slow readers are disconnected at this many unread bytes. They can resume with Last-Event-ID. */
const MAX_UNREAD_BYTES = 1_000_000
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
        message: `${displayed(unknown)} (nearest: ${nearestWord(unknown, eventNames)})`,
      })
      return z.NEVER
    })
    .meta({
      description:
        'Names of events, separated by commas. alert.* (the default), text.* and run.* mean all events of a kind; nowcast.onset needs a point',
      expected: `one or more of ${eventNames.join(', ')}`,
    }),
  dataset_id: z
    .string()
    .max(500)
    .transform((text) => text.split(',').map((id) => id.trim().toLowerCase()))
    .optional()
    .meta({
      description: 'Datasets of run.* events, separated by commas; default: all',
      expected: 'ids of /v1/catalog that have runs',
    }),
  within_minutes: z
    .preprocess(
      (text) => (typeof text === 'string' && /^\d{1,3}$/.test(text) ? Number(text) : text),
      z.number().int().min(MIN_WITHIN_MINUTES).max(MAX_WITHIN_MINUTES),
    )
    .default(DEFAULT_WITHIN_MINUTES)
    .meta({
      description: 'How far ahead nowcast.onset reports precipitation, minutes',
      expected: `a whole number from ${MIN_WITHIN_MINUTES} to ${MAX_WITHIN_MINUTES}`,
    }),
}

/** Limits of the time after which a reader connects again, ms. Readers of a process that ends must not all return at once. */
const RETRY_MS = { least: 2000, most: 4000 }
const RETRY_AT_END_MS = { least: 500, most: 5000 }

function retryLine({ least, most }: typeof RETRY_MS): string {
  return `retry: ${Math.round(least + Math.random() * (most - least))}\n`
}

/** Ends a stream so that its reader connects again after a random time. */
function endStream(response: ServerResponse): void {
  if (!response.writableEnded) response.end(`${retryLine(RETRY_AT_END_MS)}\n`)
}

interface StreamFilter {
  readonly passes: (change: StreamedChange) => boolean
  /** The point for nowcast.onset; undefined if the stream does not request this event. */
  readonly onset: OnsetPoint | undefined
}

/** Returns the filter of a stream by event and place. @throws Fault, Problem */
function filterOf(query: RouteRequest['query']): StreamFilter {
  const { events, dataset_id, within_minutes, ...where } = parseParameters(streamShape, query)
  const { events: _, dataset_id: __, within_minutes: ___, ...placeQuery } = query
  if (dataset_id) requireRunDatasets('dataset_id', dataset_id)
  const passesAlert = alertFilterOf(placeQuery)
  const passesText = textFilterOf(where, placeQuery)
  const passesRun = ({ payload }: RunChange) => !dataset_id || dataset_id.includes(payload.dataset)
  const kindOf = (change: StreamedChange) => (change.topic === 'run' ? change.change : change.payload.change)
  return {
    passes: (change) =>
      (events.includes(`${change.topic}.*`) || events.includes(`${change.topic}.${kindOf(change)}`)) &&
      (change.topic === 'alert'
        ? passesAlert(change)
        : change.topic === 'text'
          ? passesText(change)
          : passesRun(change)),
    onset: events.includes(ONSET) ? { at: pointOf(where, placeQuery), withinMinutes: within_minutes } : undefined,
  }
}

/** @throws Problem unless the place is a point */
function pointOf(where: z.output<z.ZodObject<typeof whereShape>>, query: RouteRequest['query']): OnsetPoint['at'] {
  if (wayOf(where, query) === 'a point') return resolve(selectorOf(where))
  throw new Problem(
    'bad-request',
    `\`events\`: ${ONSET} needs a point. Add \`lat\` with \`lon\`, \`location\` or \`zip\`.`,
    {
      members: { field: 'events' },
    },
  )
}

/** Returns the id in Last-Event-ID; undefined without the header. @throws Problem */
function resumeFrom(routeRequest: RouteRequest): EventId | undefined {
  const lastId = routeRequest.headers['last-event-id']
  if (lastId === undefined || lastId === '') return undefined
  const id = parseEventId(String(lastId))
  if (id) return id
  throw new Problem(
    'bad-request',
    mismatchText('Last-Event-ID', 'the id of an event of this stream', displayed(String(lastId).slice(0, 40))),
  )
}

function write(response: ServerResponse, change: StreamedChange, incarnation: string | undefined): void {
  const data = change.topic === 'alert' ? alertData(change.payload) : change.payload
  const name = change.topic === 'run' ? change.change : change.payload.change
  const id = eventIdText({ incarnation, number: change.id })
  response.write(`id: ${id}\nevent: ${change.topic}.${name}\ndata: ${JSON.stringify(data)}\n\n`)
}

function alertData({ id, event, change, areas, expiration, at, replaces }: AlertChanged) {
  return { id, event, change, areas, expiration, at, ...(replaces && { replaces }) }
}

export interface EventStreamDeps {
  readonly database: Database
  readonly events: Events
  readonly onError: (error: unknown) => void
  /** Returns whether the key of a caller is still valid. */
  readonly isActive: (caller: Caller) => boolean
  readonly plans: Readonly<Record<PlanName, Plan>>
  /** Absent if this installation has no nowcast. */
  readonly onsets?: OnsetDeps
}

/** Interval between checks for a new scan; scans arrive every two minutes. */
const SCAN_CHECK_MS = 2000

/**
 * Reports each onset of precipitation at the point of a stream. These events have no id, because they are not in the log: a reader that
 * reconnects gets only later ones.
 * @returns a function that stops the reports
 */
function followOnsets(
  deps: OnsetDeps,
  point: OnsetPoint,
  response: ServerResponse,
  onError: (error: unknown) => void,
): () => void {
  let state: OnsetState | undefined
  let isChecking = false
  const check = async () => {
    if (isChecking || !response.headersSent) return
    isChecking = true
    try {
      const result = await lookForOnset(deps, point, state)
      state = result?.state ?? state
      if (result?.onset && !response.writableEnded)
        response.write(`event: ${ONSET}\ndata: ${JSON.stringify(result.onset)}\n\n`)
    } catch (error) {
      onError(error)
    } finally {
      isChecking = false
    }
  }
  const timer = setInterval(() => void check(), SCAN_CHECK_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** Interval between checks of the keys of open streams. A stream ends within 5 s after its key is revoked. */
const KEY_CHECK_MS = 1000

export interface EventStreams {
  readonly route: Route
  /** Ends the open streams. */
  end(): void
  close(): Promise<void>
}

/** The open streams of this process, with their callers. */
class OpenStreams extends Map<ServerResponse, Caller | undefined> {
  /** Whether the process is about to end: a stream that begins now ends at once. */
  isEnding = false
}

/** `GET /v1/events`: changes of alerts, texts and runs, and the onset of precipitation, as server-sent events. */
export async function eventStreams(deps: EventStreamDeps): Promise<EventStreams> {
  const { database, events, onError, isActive } = deps
  const open = new OpenStreams()
  const changes = new ChangeFeed(database, () => {
    for (const response of open.keys()) if (response.headersSent) endStream(response)
  })
  const readForStreams = () => {
    if (changes.count > 0) void changes.read().catch(onError)
  }
  const subscriptions: Subscription[] = []
  for (const name of [topics.alerts.name, topics.texts.name, ...runTopics])
    subscriptions.push(await events.subscribe(name as TopicName, readForStreams))
  const timer = setInterval(readForStreams, 1000)
  timer.unref()
  const keyCheck = setInterval(() => {
    for (const [response, caller] of open) if (caller && !isActive(caller)) response.end()
  }, KEY_CHECK_MS)
  keyCheck.unref()
  return {
    route: {
      method: 'get',
      path: '/v1/events',
      stream: (routeRequest, request, response) =>
        serveStream({ ...deps, changes, open }, routeRequest, (request as unknown as ApiRequest).exchange, response),
      contract,
    },
    end() {
      open.isEnding = true
      for (const response of open.keys()) if (response.headersSent) endStream(response)
    },
    async close() {
      clearInterval(timer)
      clearInterval(keyCheck)
      for (const subscription of subscriptions) await subscription.close()
    },
  }
}

const contract: Contract = {
  tag: 'alerts',
  summary: 'Changes of alerts, forecaster texts and runs, and the onset of precipitation, as server-sent events',
  description:
    'One event per change: alert.issued, alert.updated, alert.cancelled or alert.expired; with `events=text.*`, text.issued and text.expired for texts of forecasters; with `run.*`, run.started, run.published, run.stage and run.late for model runs; with `nowcast.onset`, precipitation that begins within `within_minutes` at the point, once per episode. `Last-Event-ID` resumes an interrupted stream; if changes after that id may be lost, because the database was restored or the id is more than a week old, the stream begins with the event `replay`, and the reader should read again what it shows. Every 15 s, an id without data shows that the connection is alive, and where to resume after hours without a change. Use at most one of a point, bbox, area, zone or office; without one, all events are sent.',
  query: streamShape,
  answer: z.string().describe('text/event-stream'),
  type: 'text/event-stream',
}

/** @throws Problem if too many streams are open, on this server or for the caller */
function requireRoom(open: OpenStreams, caller: Caller | undefined, plans: EventStreamDeps['plans']): void {
  if (open.size >= MAX_STREAMS) {
    throw new Problem('service-unavailable', 'Too many streams are open on this server. Retry in a minute.', {
      retryAfter: 60,
    })
  }
  if (!caller) return
  const allowed = plans[caller.plan].streams ?? 0
  if ([...open.values()].filter((other) => other?.subject === caller.subject).length < allowed) return
  throw new Problem(
    'too-many-requests',
    `At most ${allowed} streams may be open at once on this plan. Close a stream, or use one stream with a wider filter.`,
    { retryAfter: 60 },
  )
}

async function serveStream(
  {
    changes,
    open,
    plans,
    onsets,
    onError,
  }: EventStreamDeps & { readonly changes: ChangeFeed; readonly open: OpenStreams },
  routeRequest: RouteRequest,
  exchange: Exchange,
  response: ServerResponse,
): Promise<void> {
  const filter = filterOf(routeRequest.query)
  const resumeId = resumeFrom(routeRequest)
  requireRoom(open, routeRequest.caller, plans)
  // The stream counts before anything is awaited, so that concurrent requests count each other.
  open.set(response, routeRequest.caller)
  let hasEnded = false
  response.once('close', () => {
    hasEnded = true
    open.delete(response)
  })
  // The position is read before the response begins, so that every later change is delivered.
  const { position: after, replay } = await changes.position(resumeId).catch((error: unknown) => {
    open.delete(response)
    throw error
  })
  if (hasEnded || response.writableEnded) return
  const { incarnation } = changes
  const idOf = (number: number) => eventIdText({ incarnation, number })
  let following: Awaited<ReturnType<ChangeFeed['follow']>> | undefined
  const heartbeat = setInterval(() => {
    const id = following ? `id: ${idOf(following.position())}\n` : ''
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
  // An id without data sets the reader's Last-Event-ID, so that a stream that ends before its first change loses none.
  response.write(`${retryLine(RETRY_MS)}id: ${idOf(after)}\n: listening\n\n`)
  if (replay) response.write(`event: replay\ndata: ${JSON.stringify({ reason: replay })}\n\n`)
  if (open.isEnding) return endStream(response)
  try {
    following = await changes.follow(
      after,
      (change) => {
        if (hasEnded || !filter.passes(change)) return
        write(response, change, incarnation)
        if (response.writableLength > MAX_UNREAD_BYTES) response.destroy()
      },
      () => !hasEnded,
    )
  } catch (error) {
    // The connection is closed, and the reader resumes with the id of its last event.
    onError(error)
    response.destroy()
  }
  if (hasEnded) following?.stop()
}
