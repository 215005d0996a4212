/** What became of one fault. */
export interface Outcome {
  /** Dataset, place, kind and size: no two faults of a walk are the same. */
  readonly name: string
  /** Something that differs from the same without the fault, and was published as if it were right. */
  readonly leaks: readonly string[]
  /** Variables, rows or features that are absent for it. */
  readonly harmed: readonly string[]
  /** At most one may be harmed. */
  readonly single: boolean
  /** From the read of what is harmed to a status that names it; undefined where it does not, and where nothing needs a name. */
  readonly namedMs?: number
  /** A run of several files was not published for it. */
  readonly runLost?: boolean
  /** Nothing was lost, nothing differs: the fault cost time only. */
  readonly harmless: boolean
}

/** Why an outcome is not what the contract wants; undefined where it is. */
export function defect({ leaks, harmed, single, namedMs, harmless, runLost }: Outcome): string | undefined {
  if (runLost) return 'the run was not published'
  if (leaks.length > 0) return `published: ${leaks.join(', ')}`
  if (single && harmed.length > 1) return `harmed: ${harmed.join(', ')}`
  if (!harmless && namedMs === undefined) return 'not named in the status'
  if (namedMs !== undefined && namedMs > 60_000) return `named after ${namedMs} ms`
  return undefined
}

export function summary(outcomes: readonly Outcome[]): string {
  const caught = outcomes.filter((one) => one.leaks.length === 0).length
  const harmed = Math.max(0, ...outcomes.filter((one) => one.single).map((one) => one.harmed.length))
  const slowest = Math.max(0, ...outcomes.map(({ namedMs = 0 }) => namedMs))
  const harmless = outcomes.filter((one) => one.harmless).length
  const runs = outcomes.filter((one) => one.runLost).length
  return `${runs} runs lost; ${caught} of ${outcomes.length} caught before publishing, ${harmless} of them harmless; at most ${harmed} harmed by a fault of one; named in the status within ${(slowest / 1000).toFixed(1)} s`
}
