import type { IncomingMessage } from 'node:http'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Problem } from '../problem.ts'
import type { Gate } from './authenticate.ts'
import type { Exchange } from './exchange.ts'
import type { Load } from './load-shedding.ts'
import type { Till } from './x402.ts'

/** What the middleware stands on. */
export interface Edge {
  readonly gate: Gate
  /** Absent: single calls are not sold. */
  readonly till?: Till
  readonly publicUrl: string | undefined
  /** Where we listen, for a caller whose Host says nothing. */
  readonly ownUrl: () => string
  readonly allowedOrigins: readonly string[]
  /** Of browsers that may read /v1/*; `*` allows all. */
  readonly corsOrigins: readonly string[]
  readonly clock: () => Instant
  readonly load: Load
  /** Where device codes and tokens are given, and by which client. */
  readonly authPlaces: (base: string) => { clientId: string; deviceEndpoint: string; tokenEndpoint: string }
  /** One wide line a request. */
  readonly note: (exchange: Exchange, status: number, request: IncomingMessage, error?: Problem) => void
}

export type Talk = IncomingMessage & { exchange: Exchange; body?: unknown; params?: Record<string, string> }
