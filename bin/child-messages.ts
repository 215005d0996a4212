import type { StepNote } from '../workers/activities.ts'

/** The processes of `hexcast start` besides the parent, which owns the embedded database. */
export type Role = 'api' | 'worker'

/** From the parent to a child. */
export type Command =
  /** The database can be opened now. */
  | { readonly do: 'open' }
  /** The worker has published events: the outbox is to be read now, not at the next look. */
  | { readonly do: 'read-outbox' }
  /** Another process of this installation asks for figures in the text form of Prometheus. */
  | { readonly do: 'metrics'; readonly id: number }
  | { readonly do: 'metrics-reply'; readonly id: number; readonly text: string }
  | { readonly do: 'stop' }

/** From a child to the parent. */
export type Report =
  | { readonly is: 'ready'; readonly url?: string; readonly source?: { description: string; simulated: boolean } }
  /** Somebody was answered well for the first time. */
  | { readonly is: 'answered' }
  | { readonly is: 'step'; readonly note: StepNote }
  | { readonly is: 'trouble'; readonly what: string; readonly message: string }
  | { readonly is: 'published' }
  | { readonly is: 'metrics'; readonly id: number; readonly text?: string }
  /** It could not start: a caller's mistake, for a person to read. */
  | { readonly is: 'failed'; readonly message: string }
