import { z } from 'zod'
import { isFault } from '../../../ingest/domain/fault.ts'
import { DEFAULT_HOURS, findRecords, findReports } from '../../answer/climate-reports.ts'
import type { MetaWarning } from '../../contract.ts'
import type { RecordItem, ReportItem } from '../../present/climate-reports.ts'
import { faultDetails, ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { absence } from '../words/absence.ts'
import { quoted, quotedFields } from '../words/quote.ts'
import { dayName, phrase, plainMeta, reply, shown, valueWords } from '../words/reply.ts'

/** Largest number of items that keeps a result below 16 KB: a report has about 900 characters of JSON, a record about 500. */
const MAX_ITEMS = { reports: 14, records: 24 } as const

export const getClimateRecords = tool({
  name: 'get_climate_records',
  title: 'Get climate reports and records',
  description:
    'What NWS climate stations reported for a day (reports), and which records were set (records): "was that a record high in Boston yesterday". By office (wfo BOX, from search_locations) or station. Usual values: get_climate_normals; past days: get_past_weather.',
  input: z.strictObject({
    type: z.enum(['reports', 'records']).describe('Which reports.'),
    wfo: z.string().min(3).max(4).optional().describe('Forecast office, such as BOX.'),
    station: z.string().min(3).max(5).optional().describe('Climate station, such as BOS; reports only.'),
    record_type: z
      .string()
      .min(1)
      .max(20)
      .optional()
      .describe('HIGH, LOW, HIGH_MIN, LOW_MAX, RAIN, SNOW or OTHER; records only.'),
    date: shape.day('Day').optional(),
    start: shape.day('First day').optional(),
    end: shape.day('Last day').optional(),
    hours: z.number().int().min(1).max(168).optional().describe('Issued in the last hours; 48 without dates.'),
  }),
  output: z.object({
    type: z.string(),
    results: z.object({ count: z.number(), items: z.array(z.looseObject({ station: z.string(), date: z.string() })) }),
    meta: shape.meta,
  }),
  async run({ type, ...filters }, context) {
    const { database } = context.deps
    const most = MAX_ITEMS[type]
    const { answer, lines } =
      type === 'reports'
        ? await answerWith(findReports(database, filters, most, context.now), (items) => items.map(reportLine))
        : await answerWith(findRecords(database, filters, most, context.now), (items) => items.flatMap(recordLines))
    const { items, degraded } = answer
    const truncated: MetaWarning[] = answer.more
      ? [{ code: 'truncated', section: type, detail: `the newest ${most} are listed: narrow by wfo, station or date` }]
      : []
    const none = absence(
      'climate_items',
      { kind: type, period: periodWords(filters) },
      degraded ? 'the climate reports could not be read' : undefined,
    )
    return reply({
      structured: { type, results: { count: items.length, items } },
      lines: items.length === 0 ? [none] : lines,
      ...(type === 'records' && { quotes: quotedFields('NWS record event reports', 'results.items[].text') }),
      meta: plainMeta(context, ['climate-reports'], {
        warnings: [...answer.warnings, ...truncated],
        freshness: answer.freshness,
      }),
    })
  },
})

/** Returns an answer with the lines of its first eight items. @throws ToolError for filters that the assistant can correct */
async function answerWith<A extends { readonly items: readonly unknown[] }>(
  reading: Promise<A>,
  linesOf: (items: A['items']) => string[],
): Promise<{ answer: A; lines: string[] }> {
  const answer = await reading.catch(rethrowInvalid)
  return { answer, lines: linesOf(answer.items.slice(0, 8)) }
}

/** Rethrows invalid filters as errors that the assistant can correct. */
function rethrowInvalid(error: unknown): never {
  if (!isFault(error)) throw error
  const { slug, field, got, suggestions } = faultDetails(error)
  if (error.kind !== 'Invalid' && slug !== 'not-found') throw error
  throw new ToolError(
    error.kind === 'Invalid' ? 'bad-request' : 'not-found',
    error.message,
    suggestions
      ? 'call again with one of these; search_locations gives the office of a place.'
      : 'correct the argument and call again.',
    { field, got, suggestions },
  )
}

function reportLine({ station, name, date, preliminary, temperature, precipitation, snow }: ReportItem): string {
  const { normals, records } = temperature
  const years = (list: readonly number[] = []) => (list.length > 0 ? `, ${list.slice(0, 3).join(', ')}` : '')
  const recordOf = (value: number | null, list: readonly number[] | undefined, label: string) =>
    value === null ? '' : `record ${shown(value, label)}${years(list)}`
  const degrees = (label: string, value: number | null, normal: number | null, record: string) => {
    const beside = phrase(normal === null ? '' : `normal ${normal}`, record)
    return value === null ? '' : `${label} ${value} °F${beside ? ` (${beside})` : ''}`
  }
  const amount = (words: string, value: { total: number | null; trace: boolean }, record: string) => {
    if (value.trace) return `a trace of ${words}${record ? ` (${record})` : ''}`
    return value.total === null ? '' : `${words} ${value.total} in${record ? ` (${record})` : ''}`
  }
  const sentence = phrase(
    degrees('high', temperature.high, normals.high, recordOf(records.high, records.high_years, 'F')),
    degrees('low', temperature.low, normals.low, recordOf(records.low, records.low_years, 'F')),
    amount('precipitation', precipitation, recordOf(precipitation.record, precipitation.record_years, 'in')),
    amount('snow', snow, recordOf(snow.record, snow.record_years, 'in')),
    valueWords('snow depth', snow.depth, 'in'),
  )
  return `${name} (${station}) ${dayName(date)}${preliminary ? ', so far' : ''}: ${sentence || 'no values'}`
}

const WORDS: Readonly<Record<RecordItem['event'], string>> = {
  HIGH: 'high',
  LOW: 'low',
  HIGH_MIN: 'warmest low',
  LOW_MAX: 'coldest high',
  RAIN: 'rain',
  SNOW: 'snow',
  OTHER: 'record',
}

/** Returns the unit of the values of a record; undefined for other events, whose unit is not known. */
const unitOf = (event: RecordItem['event']): string | undefined =>
  event === 'OTHER' ? undefined : event === 'RAIN' || event === 'SNOW' ? 'in' : 'F'

export function recordLines({
  station,
  event,
  date,
  tied,
  value,
  previous,
  previous_year,
  text,
}: RecordItem): string[] {
  const unit = unitOf(event)
  const before = valueWords('before', previous, unit)
  const words = phrase(
    valueWords('', value, unit),
    tied ? 'tied' : '',
    before && `${before}${previous_year ? ` (${previous_year})` : ''}`,
  )
  return [
    `${station} ${dayName(date)}, ${WORDS[event]}${words && `: ${words}`}`,
    ...quoted('NWS, record event report', text, 200),
  ]
}

/** Returns the period of the filters; without dates the last hours. */
function periodWords({
  date,
  start,
  end,
  hours = DEFAULT_HOURS,
}: {
  readonly date?: string
  readonly start?: string
  readonly end?: string
  readonly hours?: number
}): string {
  if (date !== undefined) return `for ${date}`
  // A start is accepted only together with an end.
  if (start !== undefined) return `from ${start} to ${end}`
  return `in the last ${hours} hours`
}
