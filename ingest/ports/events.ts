import type { Log } from './log.ts'

/** Log of dropped events and of the broker's client. */
export type EventLog = Pick<Log, 'warn' | 'error'>

export interface EventMessage {
  readonly topic: string
  readonly key: string
  readonly payload: unknown
  /** The number of the outbox row if the message came from the outbox. It increases in the order of publication. */
  readonly id?: number
  /** The incarnation of the database in which the number is unique. */
  readonly incarnation?: string
  /** The `traceparent` of the work that caused the event. */
  readonly trace?: string
}

export interface PublishOptions {
  readonly id?: number
  /** The incarnation of the database in which the number is unique. */
  readonly incarnation?: string
  readonly trace?: string
}

export interface Subscription {
  close(): Promise<void>
}

/** The state of the event flow, for metrics and `/readyz`. */
export interface EventFlow {
  readonly kind: 'process' | 'kafka'
  /** Whether this process now receives new messages. */
  readonly connected: boolean
  /** Number of published messages that this process has not handled yet, as far as it is known. */
  readonly behind: number
  readonly reconnects: number
  /** Number of messages that were skipped because their handler failed six times. */
  readonly dropped: number
  readonly received: number
  /** Why the last attempt to connect failed, while there is no connection. */
  readonly failure?: string
}

/**
 * Events between processes. `subscribe` resolves when the subscription is active, or after a timeout if the broker is unreachable;
 * `lag().connected` then tells when it is active. From then on a subscription receives every message at least once, and messages of one key
 * in order. A handler that throws is called again after growing pauses; after six attempts the message counts as dropped. `publish`
 * resolves when the message is stored. An unreachable broker is Fault Refused.
 */
export interface Events {
  publish(topic: string, key: string, payload: unknown, options?: PublishOptions): Promise<void>
  subscribe(topic: string, handler: (message: EventMessage) => Promise<void> | void): Promise<Subscription>
  lag(): EventFlow
  /**
   * Reads the outbox immediately instead of at the next poll, for events that other processes published. Absent if this process does not
   * poll the outbox.
   */
  readOutbox?(): void
  close(): Promise<void>
}
