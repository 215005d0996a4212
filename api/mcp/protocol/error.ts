import { z } from 'zod'
import { type Fault, isFault } from '../../../ingest/domain/fault.ts'
import { mapTexts, withoutKeys } from '../../../ingest/domain/redact.ts'
import { QueryError } from '../../dataset/error.ts'
import { Problem } from '../../problem.ts'

/** A failure of a tool that the assistant can correct or must report to its user. */
export class ToolError extends QueryError {}

/**
 * Returns the values of several independent checks. @throws QueryError the only failure, or a failure that names every one of them, so that the
 * caller can correct all at once
 */
export function allOf<T extends readonly (() => unknown)[]>(
  ...checks: T
): { readonly [K in keyof T]: ReturnType<T[K]> } {
  const values: unknown[] = []
  const failures: QueryError[] = []
  for (const check of checks) {
    try {
      values.push(check())
    } catch (error) {
      if (!(error instanceof QueryError)) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw joined(failures)
  return values as { [K in keyof T]: ReturnType<T[K]> }
}

/** Returns a failure that names several. */
function joined(failures: readonly QueryError[]): QueryError {
  const [first] = failures as [QueryError]
  if (failures.length === 1) return first
  const messages = failures.map(({ message }) => message).join(' Also: ')
  const advice = [...new Set(failures.map(({ next }) => next.replace(/\.$/, '')))].join('; ')
  return new ToolError(first.code, messages, `${advice}.`, first.details)
}

const MAX_TEXT_LENGTH = 800

/** Returns the result of a failed call: one text block, no data, API keys redacted. */
export function errorResult(error: QueryError): Record<string, unknown> {
  const text = withoutKeys(`Error (${error.code}): ${error.message} Next: ${error.next}`)
  return {
    isError: true,
    content: [{ type: 'text', text: text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH - 1)}…` : text }],
    _meta: { 'hexcast/error': mapTexts({ code: error.code, ...error.details }, withoutKeys) },
  }
}

const faultDetailsSchema = z.object({
  slug: z.string().optional().catch(undefined),
  field: z.string().optional().catch(undefined),
  got: z.string().optional().catch(undefined),
  suggestions: z.array(z.string()).optional().catch(undefined),
  perCaller: z.boolean().optional().catch(undefined),
  retryAfter: z.number().optional().catch(undefined),
})

/** Returns the details of a fault that tools repeat; a detail of another type is undefined. */
export const faultDetails = ({ details }: Fault): z.infer<typeof faultDetailsSchema> =>
  faultDetailsSchema.parse(details)

/** Maps faults and problems to tool errors; undefined for a bug. */
export function toolErrorOf(error: unknown): QueryError | undefined {
  if (error instanceof QueryError) return error
  if (error instanceof Problem && error.slug === 'outside-coverage')
    return new ToolError(
      'outside-coverage',
      `${error.message} The coverage is the 50 US states and DC.`,
      'tell the user; do not retry, this does not change.',
      { allowed: '50 US states and DC' },
    )
  if (!isFault(error)) return undefined
  switch (error.kind) {
    case 'Invalid': {
      const { field } = faultDetails(error)
      return new ToolError('bad-request', error.message, 'correct the argument and call again.', field ? { field } : {})
    }
    case 'Missing':
    case 'Gone':
    case 'NotYet':
      return new ToolError(
        'no-data',
        error.message,
        'call get_service_status to see what is available, or try again later.',
      )
    case 'Refused':
      return new ToolError('service-unavailable', error.message, 'try again in 10 seconds.', { retry_after_s: 10 })
    case 'Corrupt':
      return new ToolError(
        'no-data',
        error.message,
        'the data is damaged and will be replaced by the next run; try again in an hour.',
      )
  }
}
