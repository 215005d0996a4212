declare module 'kafkajs/src/network/requestQueue/index.js' {
  /** The requests of one connection; a part of kafkajs that has no types of its own. */
  export default class RequestQueue {
    readonly pending: readonly unknown[]
    /** The end of a throttling, ms since 1970; -1 without one. */
    readonly throttledUntil: number
    scheduleCheckPendingRequests(): void
  }
}
