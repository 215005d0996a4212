import type { IncomingMessage, ServerResponse } from 'node:http'
import type { z } from 'zod'
import type { Instant } from '../ingest/domain/time.ts'
import type { Encoding, FormatName } from './contract.ts'
import type { Slug } from './problem.ts'

/** A request after the parsing and checks that all routes share. */
export interface RouteRequest {
  /** The request target, unparsed. */
  readonly url: string
  /** Query parameters by name; repeated parameters are rejected before. */
  readonly query: Readonly<Record<string, string>>
  /** Path parameters of the route, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Parsed JSON body; undefined if no body was sent. */
  readonly body: unknown
  readonly headers: IncomingMessage['headers']
  /** Format of the answer, one of the route's formats. */
  readonly format: FormatName
  /** Undefined on open routes. */
  readonly caller: Caller | undefined
  readonly now: Instant
  /** Whether the connection comes from this machine directly, without a proxy. */
  readonly local: boolean
  readonly address: string
  /** Base URL as the caller uses it, such as `http://localhost:8080`. */
  readonly base: string
  /** Request id, also in the log. */
  readonly id: string
  /** Its signal is aborted when the caller disconnects or the time is up. The signal is created at its first use. */
  readonly cancellation: { readonly signal: AbortSignal }
  /** Counts further calls; returns false if the limit is reached. */
  count(calls: number): boolean
}

/** The parts of a request that identify a cached answer. */
export interface RequestText {
  readonly url: string
  readonly accept: string | undefined
  readonly now: Instant
}

/** Compressed forms of a body that outlives its answer; each form is made once. */
export interface EncodedBody {
  readonly forms: Readonly<Partial<Record<Encoding, Buffer>>>
  keep(encoding: Encoding, form: Buffer): void
  /** Whether the body lives as long as the process, which is worth slower compression. */
  readonly permanent?: boolean
}

export interface Answer {
  /** Default: 200. */
  readonly status?: number
  /** Sent as JSON, except for bytes, and text with a `type`. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** Content type; default: `application/json; charset=utf-8`. */
  readonly type?: string
  /** ETag with its quotes; a matching If-None-Match gives 304. */
  readonly etag?: string
  /** Returns the names of what the answer contains, by which a shared cache removes it. Only asked where such a cache is configured. */
  readonly surrogateKeys?: () => readonly string[]
  /** Called when the response has closed and the body is no longer read. */
  readonly release?: () => void
  /** Compressed forms of a body that is sent more than once. */
  readonly encoded?: EncodedBody
  /** False if the answer came from a cache and does not count as a call. */
  readonly counted?: boolean
  /** Members for the log line. */
  readonly log?: Readonly<Record<string, unknown>>
}

/** The contract of a route: source of the OpenAPI document, the typed client and the contract tests. */
export interface Contract {
  readonly summary: string
  readonly description?: string
  readonly tag: string
  readonly query?: Readonly<Record<string, z.ZodType>>
  readonly params?: Readonly<Record<string, z.ZodType>>
  readonly body?: z.ZodType
  /** Schema by status; a single schema is that of 200. */
  readonly answer?: z.ZodType | Readonly<Record<number, z.ZodType>>
  /** Content type of an answer that is not JSON. */
  readonly type?: string
  /** Whether answers carry an ETag, so that If-None-Match may give 304. */
  readonly tagged?: boolean
  /** Bodies of the webhook calls that the server makes, by name. */
  readonly calls?: Readonly<Record<string, z.ZodType>>
}

/** A failure of a compatible route, without keys. */
export interface CompatibleFailure {
  readonly status: number
  readonly slug: Slug
  readonly detail: string
  /** Request id, also in the log. */
  readonly id: string
  /** Path without query. */
  readonly instance: string
}

/** Conventions of another service, on a route that its clients use unchanged. */
export interface Compatibility {
  /** Returns the key in a URL, if the service takes it there; undefined if there is none. */
  readonly keyOf?: (url: string) => string | undefined
  /** Whether the values of a repeated query parameter are one list. */
  readonly joinsParameters?: boolean
  /** Returns a failure in the form of the service, with its status; absent if the service has no such form. */
  readonly failure?: (failure: CompatibleFailure) => {
    readonly status: number
    readonly type: string
    readonly body: object
  }
}

export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** `/v1/catalog/:product_id` */
  readonly path: string
  /** Returns false for path parameters for which the route does not exist. */
  readonly matches?: (params: Readonly<Record<string, string>>) => boolean
  /** Whether the route needs no key and counts against no plan. */
  readonly open?: boolean
  /** Whether an open route is limited by address, like requests without a valid key. */
  readonly metered?: boolean
  /** Whether the route reads credentials itself, like `POST /developer/keys`; it is limited by address. */
  readonly own?: boolean
  /** Scope that the key needs; default: `weather:read`. */
  readonly scope?: string
  /** False if trial keys must not use the route. */
  readonly trial?: boolean
  /** Whether the route is answered under overload too. */
  readonly probe?: boolean
  /** Whether single calls can be paid for (x402). */
  readonly sold?: boolean
  /** Formats of the answer, the default first; JSON only if absent. */
  readonly formats?: readonly [FormatName, ...FormatName[]]
  /** Name of the query parameter for the format: `f` in the OGC interfaces; default: `format`. */
  readonly formatParameter?: 'f'
  /** Finds a cached answer by the text of the request, before the query is parsed and the call is counted. */
  readonly ready?: (text: RequestText) => Answer | undefined
  readonly handle?: (routeRequest: RouteRequest) => Answer | Promise<Answer>
  /** Replaces `handle` for streams: writes and ends the response. Throws problems before the first byte only. */
  readonly stream?: (
    routeRequest: RouteRequest,
    request: IncomingMessage,
    response: ServerResponse,
  ) => void | Promise<void>
  /** Milliseconds after which the answer is the problem `timeout`; default: 10 s. */
  readonly timeLimit?: number
  /** Conventions of another service; absent on routes of this API. */
  readonly compatibility?: Compatibility
  /** Description of the route; a route without one is not part of the public API. */
  readonly contract?: Contract
}

/** The owner of a valid key. */
export interface Caller {
  /** Subject of the call counter: the account of the key, else the prefix of the key. */
  readonly subject: string
  readonly prefix: string
  readonly plan: PlanName
  readonly scopes: readonly string[]
  readonly accountId?: string
}

export type PlanName = 'free' | 'developer' | 'professional' | 'trial'
