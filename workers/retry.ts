/** How patient one kind of step is. Times in seconds. */
export interface Patience {
  /** Tries in all, the first included. */
  readonly attempts: number
  readonly firstWait: number
  readonly growth: number
  readonly longestWait: number
  /** One try may last so long. */
  readonly timeout: number
  /** A long step must give a sign of life this often. */
  readonly heartbeat?: number
}

/** A few reads of an outside: try again soon, then politely. */
const outside: Patience = { attempts: 5, firstWait: 1, growth: 2, longestWait: 30, timeout: 60 }
/** Minutes of decoding or weaving: restartable, watched by heartbeat. An engine that is away for two minutes is waited for. */
const heavy: Patience = { attempts: 6, firstWait: 2, growth: 3, longestWait: 60, timeout: 1800, heartbeat: 20 }
/** The database alone: it comes back within a minute or people are called. */
const quick: Patience = { attempts: 8, firstWait: 0.2, growth: 2, longestWait: 20, timeout: 30 }
/** The next tick of the schedule is the retry. */
const tick: Patience = { attempts: 2, firstWait: 1, growth: 1, longestWait: 1, timeout: 60 }

export const patience = {
  newRuns: outside,
  planStage: outside,
  sampleFile: { ...heavy, timeout: 300 },
  publishStage: heavy,
  sweepFrames: { ...tick, timeout: 300 },
  sweepAlerts: tick,
  expireAlerts: quick,
  nextExpiration: quick,
  sweepOutlooks: outside,
  loadZones: { ...outside, timeout: 600 },
  retire: { ...heavy, attempts: 1 },
} as const satisfies Record<string, Patience>

export type ActivityName = keyof typeof patience

/** Seconds to wait after the `attempt`-th try failed (1, 2, …). */
export function waitAfter(policy: Patience, attempt: number): number {
  return Math.min(policy.longestWait, policy.firstWait * policy.growth ** (attempt - 1))
}
