import { isoSeconds } from '../../ingest/domain/time.ts'
import type { lastUpstreamCheck, UpstreamCheckRow } from '../../sql/queries/upstream-checks.ts'

/** The last daily check of upstream, as shown by `/v1/status`. */
export interface UpstreamCheckStatus {
  readonly checked_at: string
  readonly passed: number
  readonly warnings: number
  readonly failed: number
  /** Failed checks, then warnings. */
  readonly problems: readonly {
    readonly check: string
    readonly state: 'warning' | 'failed'
    readonly detail: string
  }[]
}

/** Name under which a failure of the daily check itself is shown. */
export const WHOLE_CHECK = 'the check'
const MAX_PROBLEMS = 40
const MAX_DETAIL = 400

export function upstreamCheckStatus(last: Awaited<ReturnType<typeof lastUpstreamCheck>>): UpstreamCheckStatus | null {
  const at = last?.run.ended_at
  if (!last || !at) return null
  const { checks, run } = last
  const failure = run.failure === null ? [] : [problem(WHOLE_CHECK, 'failed', run.failure)]
  const checksIn = (state: UpstreamCheckRow['state']) => checks.filter((row) => row.state === state)
  const [failed, warnings] = [checksIn('failed'), checksIn('warning')]
  const problems = [
    ...failure,
    ...failed.map(({ name, detail }) => problem(name, 'failed', detail)),
    ...warnings.map(({ name, detail }) => problem(name, 'warning', detail)),
  ]
  return {
    checked_at: isoSeconds(at.getTime()),
    passed: checksIn('passed').length,
    warnings: warnings.length,
    failed: failed.length + failure.length,
    problems: problems.slice(0, MAX_PROBLEMS),
  }
}

/** Removes hosts, because the address of an internal mirror is not public. */
function problem(check: string, state: 'warning' | 'failed', detail: string): UpstreamCheckStatus['problems'][number] {
  return { check, state, detail: detail.replaceAll(/https?:\/\/[^/\s"]+/g, '').slice(0, MAX_DETAIL) }
}
