/** Retries and timeouts of one kind of activity. Times are in seconds. */
export interface RetryPolicy {
  /** Number of attempts, including the first. */
  readonly attempts: number
  readonly firstWait: number
  readonly growth: number
  readonly longestWait: number
  /** Timeout of an attempt. */
  readonly timeout: number
  /** Interval in which a long step must send a heartbeat. */
  readonly heartbeat?: number
}

/** Policy for a few reads of an external system: the first retries are quick, later ones slower. */
const outside: RetryPolicy = { attempts: 5, firstWait: 1, growth: 2, longestWait: 30, timeout: 60 }
/**
 * Policy for minutes of decoding or building tiles, monitored by heartbeats. Together the retries last longer than an
 * engine that is unreachable for two minutes.
 */
const heavy: RetryPolicy = { attempts: 6, firstWait: 2, growth: 3, longestWait: 60, timeout: 1800, heartbeat: 20 }
/**
 * Policy for steps that use only the database. If the database does not return within a minute, an operator has to act.
 */
const quick: RetryPolicy = { attempts: 8, firstWait: 0.2, growth: 2, longestWait: 20, timeout: 30 }
/** Policy for steps that the next tick of their schedule repeats. */
const tick: RetryPolicy = { attempts: 2, firstWait: 1, growth: 1, longestWait: 1, timeout: 60 }

export const retryPolicies = {
  newRuns: outside,
  planStage: outside,
  sampleFile: { ...heavy, timeout: 300 },
  publishStage: heavy,
  sweepFrames: { ...tick, timeout: 300, heartbeat: 10 },
  // The heartbeat shows within seconds that a worker was killed during a read, because alerts must not wait for the
  // timeout.
  sweepFeed: { ...tick, timeout: 600, heartbeat: 10 },
  expireFeed: quick,
  checkLateness: { ...tick, timeout: 30 },
  // Some 200 small requests at the pace that each host asks for.
  checkUpstream: { ...tick, attempts: 1, timeout: 1800, heartbeat: 20 },
  issueForecasts: { ...tick, timeout: 300, heartbeat: 20 },
  scoreDays: { ...tick, timeout: 600, heartbeat: 20 },
  retire: { ...heavy, attempts: 1 },
} as const satisfies Record<string, RetryPolicy>

export type ActivityName = keyof typeof retryPolicies

/** Returns the seconds to wait after the `attempt`-th attempt failed (1, 2, …). */
export function waitAfter(policy: RetryPolicy, attempt: number): number {
  return Math.min(policy.longestWait, policy.firstWait * policy.growth ** (attempt - 1))
}
