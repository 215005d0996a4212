import type { StepNote } from '../workers/activities.ts'

/** The processes of `hexcast start` besides the parent, which owns the embedded database. */
export type Role = 'api' | 'worker'

/** From the parent to a child. */
export type Command =
  /** The database can be opened now. */
  | { readonly do: 'open' }
  /** The worker has published events: read the outbox now instead of at the next poll. */
  | { readonly do: 'read-outbox' }
  /** Another process of this installation requests metrics in the text format of Prometheus. */
  | { readonly do: 'metrics'; readonly id: number }
  | { readonly do: 'metrics-reply'; readonly id: number; readonly text: string }
  | { readonly do: 'stop' }

/** From a child to the parent. */
export type ChildReport =
  | { readonly is: 'ready'; readonly url?: string; readonly source?: { description: string; simulated: boolean } }
  /** The first successful answer was sent. */
  | { readonly is: 'answered' }
  | { readonly is: 'step'; readonly note: StepNote }
  | { readonly is: 'trouble'; readonly what: string; readonly message: string }
  | { readonly is: 'published' }
  | { readonly is: 'metrics'; readonly id: number; readonly text?: string }
  /** It could not start: a mistake of the caller, reported to the user. */
  | { readonly is: 'failed'; readonly message: string }
