export interface EventMessage {
  readonly topic: string
  readonly key: string
  readonly payload: unknown
  /** Grows in the order of publication; the number of the outbox row where the message came from one. */
  readonly id?: number
  /** The `traceparent` of what brought it about. */
  readonly trace?: string
}

export interface PublishOptions {
  readonly id?: number
  readonly trace?: string
}

export interface Subscription {
  close(): Promise<void>
}

/** How well the events flow, for metrics and `/readyz`. */
export interface EventFlow {
  readonly kind: 'process' | 'kafka'
  /** Whether messages that are published now would be heard. */
  readonly connected: boolean
  /** Messages that are published and not handled yet, as far as known. */
  readonly behind: number
  readonly reconnects: number
  /** Messages that a handler refused six times: they were passed over. */
  readonly dropped: number
  readonly received: number
}

/**
 * Events between processes. Every subscription hears every message that is published after `subscribe` resolved (after `lag` says
 * connected, where the broker was away then), at least once, those of one key in their order. A handler that throws gets the message again, with growing pauses; after six tries the
 * message is counted as dropped. `publish` resolves when the message is kept; an outside that is away is Fault Refused.
 */
export interface Events {
  publish(topic: string, key: string, payload: unknown, options?: PublishOptions): Promise<void>
  subscribe(topic: string, handler: (message: EventMessage) => Promise<void> | void): Promise<Subscription>
  lag(): EventFlow
  /** Reads at once what other processes of the database have published, where events travel through its outbox. */
  readOutbox?(): void
  close(): Promise<void>
}
