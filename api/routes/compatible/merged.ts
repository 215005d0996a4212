import { type Instant, SECOND } from '../../../ingest/domain/time.ts'
import type { TypedAnswer } from '../../answer/weather.ts'
import { warningsHeader, warningsOf } from '../../present/meta.ts'
import type { Answer } from '../../route.ts'

/**
 * Returns the headers of an answer that is made of several answers, and whether it counts as a call: it does not if all of them were sent
 * before. The answers are sent from now on.
 */
export function mergedOf(answers: readonly TypedAnswer[], now: Instant): Required<Pick<Answer, 'headers' | 'counted'>> {
  const warnings = warningsOf(answers.flatMap(({ value }) => value.meta.warnings ?? []))
  const counted = answers.some((answer) => !answer.sent)
  for (const answer of answers) answer.sent = true
  const until = Math.min(...answers.map((answer) => answer.until))
  const isStorable = answers.every(({ storable }) => storable)
  const age = Math.max(0, Math.floor((until - now) / SECOND))
  return {
    headers: { 'Cache-Control': isStorable ? `max-age=${age}` : 'no-store', ...warningsHeader(warnings) },
    counted,
  }
}
