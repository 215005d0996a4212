import type { IncomingMessage, ServerResponse } from 'node:http'
import type { z } from 'zod'
import type { Instant } from '../ingest/domain/time.ts'
import type { Encoding, FormatName } from './contract.ts'

/** A request, parsed and checked as far as all routes need it. */
export interface RouteRequest {
  /** The request target, unparsed. */
  readonly url: string
  /** Query parameters, each given once. */
  readonly query: Readonly<Record<string, string>>
  /** Parts of the path that the route names, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** JSON body, undefined where none was sent. */
  readonly body: unknown
  readonly headers: IncomingMessage['headers']
  /** Form of the answer: one of the route's. */
  readonly format: FormatName
  /** Undefined on open routes. */
  readonly caller: Caller | undefined
  readonly now: Instant
  /** The connection is from this machine and not through a proxy. */
  readonly local: boolean
  readonly address: string
  /** `http://host:port` as the caller uses it. */
  readonly base: string
  /** Request id, also in the log. */
  readonly id: string
  /** Its signal is aborted when the caller is gone or the time is up; made at its first use. */
  readonly cancellation: { readonly signal: AbortSignal }
  /** Counts further calls; false where the limit is reached. */
  count(calls: number): Promise<boolean>
}

/** What a cached answer is found by. */
export interface RequestText {
  readonly url: string
  readonly accept: string | undefined
  readonly now: Instant
}

/** A body that outlives its answer, with its compressed forms: each is made once. */
export interface EncodedBody {
  readonly forms: Readonly<Partial<Record<Encoding, Buffer>>>
  keep(encoding: Encoding, form: Buffer): void
  /** Kept as long as the process lives: worth a slower compression. */
  readonly permanent?: boolean
}

export interface Answer {
  /** 200 where absent. */
  readonly status?: number
  /** JSON.stringify'd unless bytes or text with a content type. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** `application/json; charset=utf-8` where absent. */
  readonly type?: string
  /** Quoted; If-None-Match of the request gives 304. */
  readonly etag?: string
  /** Called when the response is closed: the body is no longer read. */
  readonly release?: () => void
  /** Where the body was sent before, or will be: its compressed forms. */
  readonly encoded?: EncodedBody
  /** False where it came from a cache: it is then not counted. */
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
  /** By status; 200 where it is one schema. */
  readonly answer?: z.ZodType | Readonly<Record<number, z.ZodType>>
  /** Content type where it is not JSON. */
  readonly type?: string
  /** Answers carry an ETag: If-None-Match may give 304. */
  readonly tagged?: boolean
  /** Calls that the server then makes, by name: bodies of webhooks. */
  readonly calls?: Readonly<Record<string, z.ZodType>>
}

export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** `/v1/catalog/:product_id` */
  readonly path: string
  /** Where false for the parameters of a path, the route is not there. */
  readonly matches?: (params: Readonly<Record<string, string>>) => boolean
  /** Needs no key and counts against nothing. */
  readonly open?: boolean
  /** Of an open route: limited by address, as requests without a valid key are. */
  readonly metered?: boolean
  /** Reads its own credentials: `POST /developer/keys`. Limited by address. */
  readonly own?: boolean
  /** Of the key; `weather:read` where absent. */
  readonly scope?: string
  /** False where a trial key may not use it. */
  readonly trial?: boolean
  /** Answered under overload too. */
  readonly probe?: boolean
  /** Single calls may be paid for (x402): one call is one answer. */
  readonly sold?: boolean
  /** Forms of the answer, the usual one first; JSON alone where absent. */
  readonly formats?: readonly [FormatName, ...FormatName[]]
  /** Name of the query parameter that chooses the form: `f` of the OGC interfaces; `format` where absent. */
  readonly formatParameter?: 'f'
  /** A cached answer by the text of the request, looked up before its query is read and the call is counted. */
  readonly ready?: (text: RequestText) => Answer | undefined
  readonly handle?: (routeRequest: RouteRequest) => Answer | Promise<Answer>
  /** Instead of `handle` for streams: writes and ends the response. Problems before the first byte are thrown. */
  readonly stream?: (
    routeRequest: RouteRequest,
    request: IncomingMessage,
    response: ServerResponse,
  ) => void | Promise<void>
  /** Milliseconds after which the answer is `timeout`; 10 s where absent. */
  readonly timeLimit?: number
  /** Absent: not part of the described interface. */
  readonly contract?: Contract
}

/** The owner of a valid key. */
export interface Caller {
  /** What is counted: the key's prefix. */
  readonly subject: string
  readonly prefix: string
  readonly plan: PlanName
  readonly scopes: readonly string[]
  readonly accountId?: string
}

export type PlanName = 'free' | 'developer' | 'professional' | 'trial'
