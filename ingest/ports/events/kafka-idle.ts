import RequestQueue from 'kafkajs/src/network/requestQueue/index.js'

const { scheduleCheckPendingRequests } = RequestQueue.prototype

/**
 * Lets kafkajs 2.2 look for waiting requests only while there are some or the broker throttles. Otherwise each connection sets a timer of
 * 1 ms again and again, which takes some 2 % of a core in a process at rest, and Node prints a warning because the timeout is negative
 * (issues 1704 and 1751 of kafkajs, both open).
 */
export function restIdleConnections(): void {
  RequestQueue.prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0 || this.throttledUntil > Date.now()) scheduleCheckPendingRequests.call(this)
  }
}
