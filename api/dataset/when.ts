import { DAY, HOUR, isoSeconds, parseDate, parseInstant } from '../../ingest/domain/time.ts'
import type { QueryContext } from './context.ts'
import { BLEND, type Family, isAnalysis, rangeOf, requiredModels, storedTimes, timeRange } from './dataset.ts'
import { openStoredRuns } from './dataset-read.ts'
import { QueryError } from './error.ts'

/** The time span of a query in the form of the request. */
export interface When {
  readonly start?: string
  readonly end?: string
  readonly hours?: number
  readonly run?: string
}

/** Returns the requested time span, including both ends. @throws QueryError bad-request with the stored range */
export async function spanOf(
  context: QueryContext,
  family: Family,
  when: When,
  run: number | undefined,
): Promise<{ from: number; to: number }> {
  const { start, end, hours } = when
  if (end !== undefined && hours !== undefined)
    throw new QueryError(
      'bad-request',
      'end and hours were both given, but a time span needs only one of them.',
      'leave one of them out.',
      {
        field: 'end',
        got: end,
      },
    )
  const range =
    run === undefined
      ? await timeRange(context, family)
      : family.storage === 'frames'
        ? { start: run, end: run }
        : rangeOf(await openStoredRuns(context, family, (row) => row.run.getTime() === run))
  if (!range)
    throw new QueryError(
      'no-data',
      `${family.id} has no data now.`,
      'get_service_status tells since when; another dataset may have the values.',
    )
  const hour = Math.floor(context.now / HOUR) * HOUR
  const isPast = isAnalysis(family)
  const isObserved = family.storage === 'stations' || family.storage === 'frames'
  const first = start === undefined ? undefined : instantOf(start, 'start', 'first')
  const last = end === undefined ? undefined : instantOf(end, 'end', 'last')
  const span = (hours ?? 24) * HOUR
  let from: number
  let to: number
  if (first !== undefined) {
    from = first
    to =
      last ??
      (hours !== undefined ? first + span - 1 : (start as string).length === 10 ? first + DAY - 1 : first + span - 1)
  } else if (last !== undefined) {
    to = last
    from = last - span + 1
  } else if (isObserved) {
    from = run ?? context.now - span + 1
    to = run ?? context.now
  } else if (isPast) {
    from = run ?? hour - span + HOUR
    to = run ?? context.now
  } else if (family.kind === 'climatology') {
    from = Math.floor(context.now / DAY) * DAY
    to = from + span - 1
  } else {
    from = Math.max(hour, run ?? hour)
    to = from + span - 1
  }
  if (to < from)
    throw new QueryError(
      'bad-request',
      `\`end\` ${end} lies before \`start\` ${start}.`,
      'exchange the two and call again.',
      {
        field: 'end',
        got: end,
      },
    )
  if (to < range.start || from > range.end)
    throw new QueryError(
      'bad-request',
      `${isoSeconds(from)} to ${isoSeconds(to)} is outside the stored range of ${family.id}${run === undefined ? '' : ` of run ${isoSeconds(run)}`}: ${isoSeconds(range.start)} to ${isoSeconds(range.end)}.`,
      'request a span within this range; values are not extrapolated.',
      { field: 'start', allowed: { start: isoSeconds(range.start), end: isoSeconds(range.end) }, got: { start, end } },
    )
  return { from, to }
}

function instantOf(text: string, field: string, side: 'first' | 'last'): number {
  const isDate = text.length === 10
  const at = isDate ? parseDate(text) : parseInstant(text)
  if (Number.isNaN(at))
    throw new QueryError(
      'bad-request',
      `\`${field}\` must be an ISO date-time with its zone, such as 2026-08-20T12:00:00Z, or a date YYYY-MM-DD, but was "${text}".`,
      `change \`${field}\` and call again.`,
      { field, got: text },
    )
  return isDate && side === 'last' ? at + DAY - 1 : at
}

/**
 * Returns the requested reference time; undefined for the newest. @throws QueryError not-found with the nearest stored
 * reference time
 */
export async function requestedRun(context: QueryContext, family: Family, run: string): Promise<number | undefined> {
  if (run === 'latest') return undefined
  if (family.id === BLEND)
    throw new QueryError(
      'bad-request',
      `\`run\` must be latest for blend, which is made from the newest runs of several datasets, but was "${run}".`,
      `leave \`run\` out, or query one of its sources, such as ${requiredModels.slice(0, 2).join(' or ')}.`,
      { field: 'run', allowed: ['latest'], got: run, suggestions: requiredModels },
    )
  const stored = await storedTimes(context, family)
  const at = Date.parse(/^\d{4}-\d{2}-\d{2}T\d{2}Z$/.test(run) ? run.replace('Z', ':00Z') : run)
  if (Number.isNaN(at))
    throw new QueryError(
      'bad-request',
      `\`run\` must be latest or a reference time such as 2026-08-20T12:00:00Z, but was "${run}".`,
      'describe_dataset lists the stored runs.',
      { field: 'run', got: run },
    )
  if (stored.includes(at)) return at
  const [nearest] = [...stored].sort((a, b) => Math.abs(a - at) - Math.abs(b - at))
  throw new QueryError(
    'not-found',
    `${family.id} has no run of ${isoSeconds(at)}.${nearest === undefined ? '' : ` The nearest is ${isoSeconds(nearest)}.`}`,
    'describe_dataset lists the stored runs.',
    { field: 'run', got: run, suggestions: nearest === undefined ? [] : [isoSeconds(nearest)] },
  )
}
