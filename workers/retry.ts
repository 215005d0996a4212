/** Retries and timeouts of one kind of activity. Times in seconds. */
export interface RetryPolicy {
  /** Attempts in all, the first included. */
  readonly attempts: number
  readonly firstWait: number
  readonly growth: number
  readonly longestWait: number
  /** Timeout of one attempt. */
  readonly timeout: number
  /** A long step must send a heartbeat this often. */
  readonly heartbeat?: number
}

/** A few reads of an external system: quick retries first, then slower. */
const outside: RetryPolicy = { attempts: 5, firstWait: 1, growth: 2, longestWait: 30, timeout: 60 }
/** Minutes of decoding or tile building: restartable, watched by heartbeat. An engine that is unreachable for two minutes is awaited. */
const heavy: RetryPolicy = { attempts: 6, firstWait: 2, growth: 3, longestWait: 60, timeout: 1800, heartbeat: 20 }
/** The database only: it comes back within a minute or an operator is called. */
const quick: RetryPolicy = { attempts: 8, firstWait: 0.2, growth: 2, longestWait: 20, timeout: 30 }
/** The next tick of the schedule is the retry. */
const tick: RetryPolicy = { attempts: 2, firstWait: 1, growth: 1, longestWait: 1, timeout: 60 }

export const retryPolicies = {
  newRuns: outside,
  planStage: outside,
  sampleFile: { ...heavy, timeout: 300 },
  publishStage: heavy,
  sweepFrames: { ...tick, timeout: 300, heartbeat: 10 },
  // A worker that is killed in the middle of a read is noticed within seconds: alerts must not wait for the longest sweep of any feed.
  sweepFeed: { ...tick, timeout: 600, heartbeat: 10 },
  expireFeed: quick,
  checkLateness: { ...tick, timeout: 30 },
  issueForecasts: { ...tick, timeout: 300, heartbeat: 20 },
  scoreDays: { ...tick, timeout: 600, heartbeat: 20 },
  retire: { ...heavy, attempts: 1 },
} as const satisfies Record<string, RetryPolicy>

export type ActivityName = keyof typeof retryPolicies

/** Seconds to wait after the `attempt`-th try failed (1, 2, …). */
export function waitAfter(policy: RetryPolicy, attempt: number): number {
  return Math.min(policy.longestWait, policy.firstWait * policy.growth ** (attempt - 1))
}
