/** The outcome of one fault. */
export interface Outcome {
  /** Dataset, place, kind and size of the fault: no two faults of a walk have the same. */
  readonly name: string
  /** Values that differ from those without the fault and were published as if they were right. */
  readonly leaks: readonly string[]
  /** Variables, rows or features that are absent because of the fault. */
  readonly harmed: readonly string[]
  /** Whether the fault may harm at most one variable, row or feature. */
  readonly single: boolean
  /** Time from the read of the harmed file to a status that names the fault; undefined if no status names it, or if none has to. */
  readonly namedMs?: number
  /** Whether a run of several files was not published because of the fault. */
  readonly runLost?: boolean
  /** Whether nothing was lost and nothing differs: the fault cost only time. */
  readonly harmless: boolean
}

/** Returns why an outcome violates the contract; undefined if it does not. */
export function defect({ leaks, harmed, single, namedMs, harmless, runLost }: Outcome): string | undefined {
  if (runLost) return 'the run was not published'
  if (leaks.length > 0) return `published: ${leaks.join(', ')}`
  if (single && harmed.length > 1) return `harmed: ${harmed.join(', ')}`
  if (!harmless && namedMs === undefined) return 'not named in the status'
  if (namedMs !== undefined && namedMs > 60_000) return `named after ${namedMs} ms`
  return undefined
}

export function summary(outcomes: readonly Outcome[]): string {
  const caught = outcomes.filter((outcome) => outcome.leaks.length === 0).length
  const harmed = Math.max(0, ...outcomes.filter((outcome) => outcome.single).map((outcome) => outcome.harmed.length))
  const slowest = Math.max(0, ...outcomes.map(({ namedMs = 0 }) => namedMs))
  const harmless = outcomes.filter((outcome) => outcome.harmless).length
  const runs = outcomes.filter((outcome) => outcome.runLost).length
  return `${runs} runs lost; ${caught} of ${outcomes.length} caught before publishing, ${harmless} of them harmless; at most ${harmed} harmed by a fault of one; named in the status within ${(slowest / 1000).toFixed(1)} s`
}
