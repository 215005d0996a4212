import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import { type AlertChanged, alertChanged, textChanged, topics } from '../../ingest/domain/event.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events, Subscription } from '../../ingest/ports/events.ts'
import { changesAfter, lastChange } from '../../sql/queries/changes.ts'
import type { Queries } from '../../sql/session.ts'
import type { ApiRequest } from '../http/deps.ts'
import { limitHeaders, plainHeaders } from '../http/exchange.ts'
import type { Plan } from '../keys/plan.ts'
import { Problem } from '../problem.ts'
import { parseParameters } from '../query/query.ts'
import type { Ask, Caller, PlanName, Route } from '../route.ts'
import { type AlertChange, alertFilterOf, eventShape, withPlaces } from './alert-changes.ts'
import { type TextChange, textChangeOf, textFilterOf } from './text-changes.ts'

const HEARTBEAT_MS = 15_000
const MAX_STREAMS = 1000
const PAGE_SIZE = 50
/** Slow readers are disconnected at this many unread bytes; they can resume with Last-Event-ID. */
const MAX_UNREAD_BYTES = 1_000_000
type Change = AlertChange | TextChange

/** Delivers every change to all open streams, in order and once: a stream that resumes reads the missed ones from the log. */
class ChangeFeed {
  readonly #streams = new Set<(change: Change) => void>()
  readonly #database: Queries
  #last = -1
  #busy: Promise<void> | undefined
  #again = false

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

  /** Delivers the changes after a number, then new ones. @returns ends the subscription */
  async follow(after: number, deliver: (change: Change) => void): Promise<() => void> {
    let sent = after
    let waiting: Change[] | undefined = []
    const stream = (change: Change) => {
      if (waiting) return void waiting.push(change)
      if (change.id > sent) deliver(change)
      sent = Math.max(sent, change.id)
    }
    this.#streams.add(stream)
    try {
      for (let page = await this.#page(sent); page.length > 0; page = await this.#page(sent)) {
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
    return () => void this.#streams.delete(stream)
  }

  /** Reads new changes and delivers them. */
  read(): Promise<void> {
    if (this.#busy) {
      this.#again = true
      return this.#busy
    }
    this.#busy = (async () => {
      do {
        this.#again = false
        if (this.#last < 0) this.#last = await lastChange(this.#database)
        for (let page = await this.#page(this.#last); page.length > 0; page = await this.#page(this.#last)) {
          this.#last = page.at(-1)!.id
          for (const change of page) for (const stream of this.#streams) stream(change)
        }
      } while (this.#again)
    })().finally(() => {
      this.#busy = undefined
    })
    return this.#busy
  }

  async #page(after: number): Promise<Change[]> {
    const rows = await changesAfter(this.#database, after, PAGE_SIZE)
    const alerts = await withPlaces(
      this.#database,
      rows.filter(({ topic }) => topic === 'alert'),
    )
    const texts = rows.filter(({ topic }) => topic === 'text').map(textChangeOf)
    return [...alerts, ...texts].sort((a, b) => a.id - b.id)
  }
}

const eventNames = [
  'alert.*',
  'text.*',
  ...alertChanged.shape.change.options.map((change) => `alert.${change}`),
  ...textChanged.shape.change.options.map((change) => `text.${change}`),
]

const streamShape = {
  ...eventShape,
  events: z
    .string()
    .max(200)
    .default('alert.*')
    .transform((text, context): readonly string[] => {
      const names = text.split(',').map((name) => name.trim().toLowerCase())
      if (names.every((name) => eventNames.includes(name))) return names
      context.addIssue({ code: 'custom', message: `unknown event in "${text.slice(0, 60)}"` })
      return z.NEVER
    })
    .meta({
      description: 'Names of events, separated by commas: alert.* (the default) and text.* stand for all of a kind',
      wanted: `one or several of ${eventNames.join(', ')}`,
    }),
}

/** The filter of a stream: the events that it asks for, of its place. @throws Fault, Problem */
function filterOf(query: Ask['query']): (change: Change) => boolean {
  const { events, ...where } = parseParameters(streamShape, query)
  const { events: _, ...rest } = query
  const alert = alertFilterOf(rest)
  const text = textFilterOf(where, rest)
  return (change) =>
    (events.includes(`${change.topic}.*`) || events.includes(`${change.topic}.${change.payload.change}`)) &&
    (change.topic === 'alert' ? alert(change) : text(change))
}

/** The id in Last-Event-ID; undefined without the header. @throws Problem */
function resumeFrom(ask: Ask): number | undefined {
  const lastId = ask.headers['last-event-id']
  if (lastId === undefined || lastId === '') return undefined
  const number = Number(lastId)
  if (!Number.isSafeInteger(number) || number < 0) {
    throw new Problem(
      'bad-request',
      `Last-Event-ID: wanted the id of an event of this stream, got "${String(lastId).slice(0, 40)}".`,
    )
  }
  return number
}

function write(response: ServerResponse, change: Change): void {
  const data = change.topic === 'alert' ? alertData(change.payload) : change.payload
  response.write(`id: ${change.id}\nevent: ${change.topic}.${change.payload.change}\ndata: ${JSON.stringify(data)}\n\n`)
}

function alertData({ id, event, change, areas, expiration, at, replaces }: AlertChanged) {
  return { id, event, change, areas, expiration, at, ...(replaces && { replaces }) }
}

export interface EventStreamDeps {
  readonly database: Database
  readonly events: Events
  readonly troubled: (error: unknown) => void
  /** Whether a caller's key is still valid. */
  readonly isActive: (caller: Caller) => boolean
  readonly plans: Readonly<Record<PlanName, Plan>>
}

/** Milliseconds between checks of the keys of open streams: a stream ends within 5 s of its key's revocation. */
const KEY_CHECK_MS = 1000

export interface EventStreams {
  readonly route: Route
  close(): Promise<void>
}

/** `GET /v1/events`: changes of alerts and texts as server-sent events. */
export async function eventStreams({
  database,
  events,
  troubled,
  isActive,
  plans,
}: EventStreamDeps): Promise<EventStreams> {
  const changes = new ChangeFeed(database)
  const open = new Map<ServerResponse, Caller | undefined>()
  const openOf = ({ subject }: Caller) => [...open.values()].filter((one) => one?.subject === subject).length
  const read = () => changes.read().catch(troubled)
  const wake = () => {
    if (changes.count > 0) void read()
  }
  const subscriptions: Subscription[] = []
  for (const { name } of [topics.alerts, topics.texts]) subscriptions.push(await events.subscribe(name, wake))
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
    stream: async (ask, request, response) => {
      const filter = filterOf(ask.query)
      const resume = resumeFrom(ask)
      if (open.size >= MAX_STREAMS) {
        throw new Problem('service-unavailable', 'Too many streams are open on this server. Retry in a minute.', {
          retryAfter: 60,
        })
      }
      const allowed = ask.caller && (plans[ask.caller.plan].streams ?? 0)
      if (ask.caller && allowed !== undefined && openOf(ask.caller) >= allowed) {
        throw new Problem(
          'too-many-requests',
          `At most ${allowed} streams may be open at once on this plan. Close one, or use one stream with a wider filter.`,
          { retryAfter: 60 },
        )
      }
      const { exchange } = request as unknown as ApiRequest
      // Read the position before the response begins: every later change is delivered.
      const after = await changes.position(resume)
      if (response.destroyed) return
      open.set(response, ask.caller)
      let stop: (() => void) | undefined
      let ended = false
      const heartbeat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MS)
      response.once('close', () => {
        ended = true
        clearInterval(heartbeat)
        open.delete(response)
        stop?.()
      })
      response.writeHead(200, {
        ...plainHeaders,
        ...limitHeaders(exchange),
        'Content-Type': 'text/event-stream; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Accel-Buffering': 'no',
        'X-Request-Id': exchange.id,
      })
      response.write('retry: 3000\n: listening\n\n')
      try {
        stop = await changes.follow(after, (change) => {
          if (ended || !filter(change)) return
          write(response, change)
          if (response.writableLength > MAX_UNREAD_BYTES) response.destroy()
        })
      } catch (error) {
        // The connection is closed: the reader resumes with the id of its last event.
        troubled(error)
        response.destroy()
      }
      if (ended) stop?.()
    },
    contract: {
      tag: 'alerts',
      summary: 'Changes of alerts and forecaster texts as server-sent events',
      description:
        'One event a change: alert.issued, alert.updated, alert.cancelled or alert.expired; with `events=text.*` text.issued and text.expired of forecasters’ texts. `Last-Event-ID` resumes where a stream broke off; a comment every 15 s shows that the connection is alive. One of a point, bbox, area, zone or office; none means all.',
      query: streamShape,
      answer: z.string().describe('text/event-stream'),
      type: 'text/event-stream',
    },
  }
  return {
    route,
    async close() {
      clearInterval(timer)
      clearInterval(keyCheck)
      for (const response of open.keys()) response.end()
      for (const subscription of subscriptions) await subscription.close()
    },
  }
}
