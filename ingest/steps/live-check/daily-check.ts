import {
  type CheckState,
  claimUpstreamCheck,
  endUpstreamCheck,
  type UpstreamCheckRow,
} from '../../../sql/queries/upstream-checks.ts'
import type { Instant } from '../../domain/time.ts'
import type { Database } from '../../ports/database.ts'
import type { Upstream } from '../../ports/upstream.ts'
import type { Finding } from './finding.ts'
import { type LiveCheckSettings, liveCheck } from './live-check.ts'

/** The check runs once a day. */
const CHECK_EVERY_SECONDS = 24 * 3600
/** A check that was interrupted is run again after an hour. */
const ABANDONED_SECONDS = 3600

export interface DailyCheckPorts {
  readonly database: Database
  readonly upstream: Upstream
  readonly clock: () => Instant
}

/** Number of checks by their result. */
export type CheckCounts = Readonly<Record<CheckState, number>>

/**
 * Checks upstream if no process has done so in the last 24 hours, and stores the result of each check.
 * @returns the counts, or undefined if the check is not due
 */
export async function dailyCheck(
  { database, upstream, clock }: DailyCheckPorts,
  settings: LiveCheckSettings,
): Promise<CheckCounts | undefined> {
  if (!(await claimUpstreamCheck(database, CHECK_EVERY_SECONDS, ABANDONED_SECONDS))) return undefined
  const findings: Finding[] = []
  let failure: string | null = null
  try {
    await liveCheck(upstream, clock(), settings, (finding) => findings.push(finding))
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error)
  }
  const rows = checksOf(findings)
  await endUpstreamCheck(database, rows, failure)
  const count = (state: CheckState) => rows.filter((row) => row.state === state).length
  return { passed: count('passed'), warning: count('warning'), failed: count('failed') + (failure === null ? 0 : 1) }
}

const ORDER: readonly CheckState[] = ['passed', 'warning', 'failed']

/** Combines the findings of each check: the worst state, and the details of the findings in that state. */
export function checksOf(findings: readonly Finding[]): Omit<UpstreamCheckRow, 'checked_at'>[] {
  return [...Map.groupBy(findings, ({ subject }) => checkNameOf(subject))].map(([name, own]) => {
    const state = own.reduce<CheckState>(
      (worst, finding) => (ORDER.indexOf(finding.state) > ORDER.indexOf(worst) ? finding.state : worst),
      'passed',
    )
    const details = own.filter((finding) => finding.state === state)
    const shown = state === 'passed' ? details.slice(-1) : details
    return { name, state, detail: shown.map(({ subject, detail }) => `${subject}: ${detail}`).join('; ') }
  })
}

/** Returns the name of a check without run and lead hour, so that it is the same every day: `nbm/conus index`. */
export function checkNameOf(subject: string): string {
  return subject.replace(/ keys of \S+$/, ' keys').replace(/ index f\d+$/, ' index')
}
