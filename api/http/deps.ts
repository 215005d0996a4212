import type { IncomingMessage } from 'node:http'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Problem } from '../problem.ts'
import type { Answer } from '../route.ts'
import type { AuthDeps } from './authenticate.ts'
import type { ProxyCheck } from './client-address.ts'
import type { Exchange, RequestIds } from './exchange.ts'
import type { Load } from './load-shedding.ts'
import type { Payments } from './x402.ts'

/** Dependencies of the request pipeline. */
export interface HttpDeps {
  readonly auth: AuthDeps
  /** Absent if single calls cannot be paid for. */
  readonly payments?: Payments
  readonly publicUrl: string | undefined
  /** Whether a shared cache in front of the API, which checks keys itself, may store answers. */
  readonly edgeCache: boolean
  /** Whether compatible routes answer programs of this machine without a key. */
  readonly keylessHere: boolean
  /** Whether X-Forwarded-For of a connection is trusted. */
  readonly isProxy: ProxyCheck
  /** Base URL of this process, for requests whose Host is not a loopback name. */
  readonly ownUrl: () => string
  readonly allowedOrigins: readonly string[]
  /** Origins whose pages may read the data API; `*` allows all. */
  readonly corsOrigins: readonly string[]
  readonly clock: () => Instant
  readonly ids: RequestIds
  readonly load: Load
  /** Endpoints of device codes and tokens, and the client id to use there. */
  readonly authEndpoints: (base: string) => { clientId: string; deviceEndpoint: string; tokenEndpoint: string }
  /** Renders a problem as a page, for people who opened an address outside the API. */
  readonly problemPage: (problem: Problem, retrySeconds: number | undefined) => Answer
  /** Writes the log line of a request. */
  readonly note: (exchange: Exchange, status: number, request: IncomingMessage, error?: Problem) => void
}

export type ApiRequest = IncomingMessage & { exchange: Exchange; body?: unknown; params?: Record<string, string> }
