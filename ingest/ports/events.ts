export interface EventMessage {
  readonly topic: string
  readonly key: string
  readonly payload: unknown
  /** Increases in the order of publication; the number of the outbox row if the message came from one. */
  readonly id?: number
  /** The `traceparent` of the cause. */
  readonly trace?: string
}

export interface PublishOptions {
  readonly id?: number
  readonly trace?: string
}

export interface Subscription {
  close(): Promise<void>
}

/** State of the event flow, for metrics and `/readyz`. */
export interface EventFlow {
  readonly kind: 'process' | 'kafka'
  /** Whether messages that are published now are received. */
  readonly connected: boolean
  /** Number of published messages that are not handled yet, as far as known. */
  readonly behind: number
  readonly reconnects: number
  /** Number of messages that were skipped after their handler failed six times. */
  readonly dropped: number
  readonly received: number
  /** Why the last attempt to connect failed, while there is no connection. */
  readonly failure?: string
}

/**
 * Events between processes. Every subscription receives every message that is published after `subscribe` resolved (after `lag` reports
 * `connected`, where the broker was unreachable then), at least once, those of one key in order. A handler that throws is called again,
 * with growing pauses; after six tries the message is counted as dropped. `publish` resolves when the message is stored; an unreachable
 * broker is Fault Refused.
 */
export interface Events {
  publish(topic: string, key: string, payload: unknown, options?: PublishOptions): Promise<void>
  subscribe(topic: string, handler: (message: EventMessage) => Promise<void> | void): Promise<Subscription>
  lag(): EventFlow
  /** Reads at once the messages that other processes published through the outbox, if events travel through it. */
  readOutbox?(): void
  close(): Promise<void>
}
