import type { StepNote } from '../workers/activities.ts'

/** The child processes of `hexcast start`. Their parent owns the embedded database. */
export type Role = 'api' | 'worker'

/** A message from the parent to a child. */
export type Command =
  /** The database can be opened now. */
  | { readonly do: 'open' }
  /** The worker has published events, so the API reads the outbox now instead of at the next poll. */
  | { readonly do: 'read-outbox' }
  /** The API requests the worker's metrics in Prometheus' text format. */
  | { readonly do: 'metrics'; readonly id: number }
  | { readonly do: 'metrics-reply'; readonly id: number; readonly text: string }
  | { readonly do: 'stop' }

/** A message from a child to the parent. */
export type ChildReport =
  | { readonly is: 'ready'; readonly url?: string; readonly source?: { description: string; simulated: boolean } }
  /** The first successful answer was sent. */
  | { readonly is: 'answered' }
  | { readonly is: 'step'; readonly note: StepNote }
  | { readonly is: 'problem'; readonly subject: string; readonly message: string }
  | { readonly is: 'published' }
  | { readonly is: 'metrics'; readonly id: number; readonly text?: string }
  /** The child could not start because of an invalid setting, which the parent reports to the user. */
  | { readonly is: 'failed'; readonly message: string }
