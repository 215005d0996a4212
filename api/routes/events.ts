import type { ServerResponse } from 'node:http'
import { z } from 'zod'
import { type AlertChanged, alertChanged, topics } from '../../ingest/domain/event.ts'
import type { Box } from '../../ingest/domain/ring.ts'
import { type Shape, shapeCovers, shapeOfWkb, shapeTouchesBox } from '../../ingest/domain/shape.ts'
import { countyOfSame, isMarine } from '../../ingest/domain/ugc.ts'
import { counties } from '../../ingest/geo/place.ts'
import type { Database } from '../../ingest/ports/database.ts'
import type { Events, Subscription } from '../../ingest/ports/events.ts'
import { changesAfter, lastChange, placesOf, sameOf, severitiesOf, shapesOfCodes } from '../../sql/queries/alerts.ts'
import type { Queries } from '../../sql/session.ts'
import type { ApiRequest } from '../http/deps.ts'
import { limitHeaders, plainHeaders } from '../http/exchange.ts'
import type { Plan } from '../keys/plan.ts'
import { Problem } from '../problem.ts'
import { requireArea } from '../query/area.ts'
import { parseBox, requireDomain } from '../query/box.ts'
import { resolve } from '../query/location.ts'
import { parseParameters, selectorOf } from '../query/query.ts'
import type { Ask, Caller, PlanName, Route } from '../route.ts'
import { wayOf, whereShape } from './alerts.ts'

const HEARTBEAT_MS = 15_000
const MAX_STREAMS = 1000
const PAGE_SIZE = 50
/** Slow readers are disconnected at this many unread bytes; they can resume with Last-Event-ID. */
const MAX_UNREAD_BYTES = 1_000_000
/** A change of an alert, as streams deliver it. */
export interface Change {
  readonly id: number
  readonly payload: AlertChanged
  readonly office: string | null
  /** Of the message and of those that it replaces; undefined for one that is deleted. */
  readonly severities: readonly (string | undefined)[]
  /** Previous and current area: polygons, else the shapes of zones. */
  readonly places: readonly { readonly shape: Shape; readonly marine: boolean }[]
}

export type Filter = (change: Change) => boolean

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
      for (let page = await this.page(sent); page.length > 0; page = await this.page(sent)) {
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
        for (let page = await this.page(this.#last); page.length > 0; page = await this.page(this.#last)) {
          this.#last = page.at(-1)!.id
          for (const change of page) for (const stream of this.#streams) stream(change)
        }
      } while (this.#again)
    })().finally(() => {
      this.#busy = undefined
    })
    return this.#busy
  }

  /** The next changes after a number, with where they were and are. */
  async page(after: number): Promise<Change[]> {
    const rows = await changesAfter(this.#database, after, PAGE_SIZE)
    const payloads = rows.map((row) => alertChanged.parse(row.payload))
    const ids = payloads.flatMap(({ id, replaces }) => [id, ...(replaces ?? [])])
    const places = ids.length > 0 ? await placesOf(this.#database, ids) : []
    const grave = new Map(
      (ids.length > 0 ? await severitiesOf(this.#database, ids) : []).map(({ id, severity }) => [id, severity]),
    )
    const known = payloads.map(({ id, replaces, areas }) => {
      const own = new Set([id, ...(replaces ?? [])])
      return places.filter(({ alert_id, code }) => own.has(alert_id) && (code === null || areas.includes(code)))
    })
    const further = await this.#furtherPlaces(payloads, known)
    return rows.map((row, i) => {
      const payload = payloads[i]!
      const drawn = known[i]!.filter(({ code }) => code === null)
      const mine = [...known[i]!, ...further[i]!]
      return {
        id: row.id,
        payload,
        office: row.office,
        severities: [payload.id, ...(payload.replaces ?? [])].map((id) => grave.get(id)),
        places: (drawn.length > 0 ? drawn : mine).map(({ wkb, code }) => ({
          shape: shapeOfWkb(wkb),
          marine: code === null ? payload.areas.length > 0 && payload.areas.every(isMarine) : isMarine(code),
        })),
      }
    })
  }

  /**
   * Shapes that the stored alerts do not have. Alerts are deleted a day after their end: their zones come from the change. Zones
   * without geometry are replaced by their counties, as in answers.
   */
  async #furtherPlaces(
    payloads: readonly AlertChanged[],
    known: readonly (readonly { readonly code: string | null }[])[],
  ): Promise<{ code: string; wkb: Uint8Array }[][]> {
    const unresolved = payloads.map(({ areas }, i) => {
      const codes = new Set(known[i]!.map(({ code }) => code))
      return codes.has(null) ? [] : areas.filter((code) => !codes.has(code))
    })
    const ids = payloads.flatMap(({ id }, i) => (unresolved[i]!.length > 0 ? [id] : []))
    if (ids.length === 0) return payloads.map(() => [])
    const counties = new Map<string, string[]>()
    for (const { id, same } of await sameOf(this.#database, ids)) {
      counties.set(
        id,
        same.map(countyOfSame).filter((code) => code !== undefined),
      )
    }
    const shapes = await shapesOfCodes(this.#database, [
      ...new Set([...unresolved.flat(), ...[...counties.values()].flat()]),
    ])
    const withShape = new Set(shapes.map(({ code }) => code))
    return payloads.map(({ id }, i) => {
      const unknown = unresolved[i]!.some((code) => !withShape.has(code) && !isMarine(code))
      const wanted = new Set([...unresolved[i]!, ...(unknown ? (counties.get(id) ?? []) : [])])
      return shapes.filter(({ code }) => wanted.has(code))
    })
  }
}

/** Changes after a number, oldest first, at most a page of them. */
export function changesWithPlaces(db: Queries, after: number): Promise<Change[]> {
  return new ChangeFeed(db).page(after)
}

const severities = ['Unknown', 'Minor', 'Moderate', 'Severe', 'Extreme'] as const
export const eventShape = {
  ...whereShape,
  min_severity: z
    .enum(severities)
    .optional()
    .meta({
      description: 'The least severity; of an update also that of the alert before it',
      wanted: severities.join(', '),
    }),
}

/**
 * Whether a change concerns a place and is grave enough. One that leaves the severity, or whose message is deleted, passes: nobody
 * is left with an alert that is over.
 * @throws Fault, Problem: the parameters name no one place
 */
export function filterOf(query: Ask['query']): Filter {
  const { min_severity, ...values } = parseParameters(eventShape, query)
  const place = placeFilter(values, query)
  if (min_severity === undefined) return place
  const least = severities.indexOf(min_severity)
  const isGrave = (one: string | undefined) => one === undefined || severities.indexOf(one as 'Minor') >= least
  return (change) => change.severities.some(isGrave) && place(change)
}

function placeFilter(values: z.output<z.ZodObject<typeof whereShape>>, query: Ask['query']): Filter {
  const way = wayOf(values, query)
  requireArea(values, () => false)
  if (way === 'a point') {
    const { lat, lon } = resolve(selectorOf(values))
    const land = counties().at(lat, lon).length > 0
    return ({ places }) => places.some(({ shape, marine }) => !(marine && land) && shapeCovers(shape, lon, lat))
  }
  if (way === 'bbox') {
    const box: Box = parseBox(values.bbox!)
    requireDomain(parseBox(values.bbox!))
    return ({ places }) => places.some(({ shape }) => shapeTouchesBox(shape, box))
  }
  if (way === 'area') return ({ payload }) => payload.areas.some((code) => code.startsWith(values.area!))
  if (way === 'zone') return ({ payload }) => payload.areas.includes(values.zone!)
  if (way === 'office') return ({ office }) => office === values.office
  return () => true
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

function write(response: ServerResponse, { id, payload }: Change): void {
  const { event, change, areas, expiration, at, replaces } = payload
  const data = { id: payload.id, event, change, areas, expiration, at, ...(replaces && { replaces }) }
  response.write(`id: ${id}\nevent: alert.${change}\ndata: ${JSON.stringify(data)}\n\n`)
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

/** `GET /v1/events`: alert changes as server-sent events. */
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
  const subscription: Subscription = await events.subscribe(topics.alerts.name, () => {
    if (changes.count > 0) void read()
  })
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
      summary: 'Changes of alerts as server-sent events',
      description:
        'One event a change: alert.issued, alert.updated, alert.cancelled or alert.expired. `Last-Event-ID` resumes where a stream broke off; a comment every 15 s shows that the connection is alive. One of a point, bbox, area, zone or office; none means all.',
      query: eventShape,
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
      await subscription.close()
    },
  }
}
