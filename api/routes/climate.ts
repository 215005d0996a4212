import { z } from 'zod'
import { recordEvents } from '../../ingest/domain/climate.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { type ClimateFound, type ClimateRequest, findRecords, findReports } from '../answer/climate-reports.ts'
import type { MetaWarning } from '../contract.ts'
import { simulatedWarnings } from '../present/meta.ts'
import { parseParameters } from '../query/query.ts'
import type { Answer, Route } from '../route.ts'
import { limitShape, listMeta, metaOf } from './shapes.ts'

const word = (description: string, wanted: string) =>
  z.string().trim().min(3).max(20).optional().meta({ description, wanted })
const date = (description: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional()
    .meta({ description, wanted: 'a date YYYY-MM-DD' })
const period = {
  wfo: word('Issuing office: BOX or KBOX', 'three or four letters such as BOX'),
  date: date('Local date'),
  start: date('First local date, with end'),
  end: date('Last local date, with start; at most 366 days'),
  hours: z
    .preprocess(
      (value) => (typeof value === 'string' && /^\d+$/.test(value.trim()) ? Number(value) : value),
      z.number().int().min(1).max(168),
    )
    .optional()
    .meta({ description: 'Issued in the last hours; without dates 48', wanted: 'a whole number from 1 to 168' }),
  limit: limitShape(100, 500),
}
const reportsShape = {
  ...period,
  station: word('Station by AWIPS or ICAO code: BOS or KBOS', 'a code such as BOS or KBOS'),
}
const recordsShape = {
  ...period,
  record_type: word(`One of ${recordEvents.join(', ')}`, `one of ${recordEvents.join(', ')}`),
}

const number = z.number().nullable()
const years = z.array(z.int())
const triple = z.object({ high: number, low: number, average: number })
const amount = {
  total: number.describe('in; null where missing, and where a trace fell'),
  trace: z.boolean(),
  month_to_date: number,
  normal: number,
  record: number,
  record_years: years,
}
const reportSchema = z
  .object({
    station: z.string().describe('AWIPS code'),
    name: z.string(),
    date: z.iso.date(),
    issued_at: z.iso.datetime(),
    office: z.string(),
    preliminary: z.boolean(),
    temperature: triple
      .extend({
        normals: triple,
        departures: triple,
        records: z.object({ high: number, high_years: years, low: number, low_years: years }),
      })
      .describe('°F'),
    precipitation: z.object({ ...amount, year_to_date: number }).describe('in'),
    snow: z.object({ ...amount, depth: number, season_to_date: number }).describe('in'),
  })
  .meta({ id: 'ClimateReport' })
const recordSchema = z
  .object({
    station: z.string().describe('AWIPS code'),
    event: z.enum(recordEvents),
    value: number.describe('°F or in'),
    previous: number,
    previous_year: z.int().nullable(),
    previous_years: years,
    tied: z.boolean().nullable(),
    issued_at: z.iso.datetime(),
    office: z.string(),
    date: z.iso.date(),
    text: z.string(),
  })
  .meta({ id: 'ClimateRecord' })

/** Daily climate reports and record event reports. */
export function climateRoutes(database: Database, simulated: () => boolean): Route[] {
  return [
    {
      method: 'get',
      path: '/v1/climate/reports',
      handle: async ({ query, now }) => {
        const { limit, ...reports } = parseParameters(reportsShape, query)
        return answer('reports', await findReports(database, reports as ClimateRequest, limit, now), limit, {
          now,
          simulated: simulated(),
        })
      },
      contract: {
        tag: 'climate',
        summary: 'Daily climate reports (CLI)',
        description:
          'What climate stations measured, beside normals and records; one item a station and date, the last issued. °F and inches as issued.',
        query: reportsShape,
        answer: z.object({ reports: z.array(reportSchema), meta: listMeta }),
      },
    },
    {
      method: 'get',
      path: '/v1/climate/records',
      handle: async ({ query, now }) => {
        const { limit, ...records } = parseParameters(recordsShape, query)
        return answer('records', await findRecords(database, records as ClimateRequest, limit, now), limit, {
          now,
          simulated: simulated(),
        })
      },
      contract: {
        tag: 'climate',
        summary: 'Record event reports (RER)',
        description: 'One item for each record that a text names; what the text does not state is null.',
        query: recordsShape,
        answer: z.object({ records: z.array(recordSchema), meta: listMeta }),
      },
    },
  ]
}

function answer(
  name: string,
  found: ClimateFound<object>,
  limit: number,
  { now, simulated }: { readonly now: Instant; readonly simulated: boolean },
): Answer {
  const cut: MetaWarning[] = found.more
    ? [{ code: 'truncated', section: name, detail: `the newest ${limit} are listed, there are more` }]
    : []
  const warnings = [...found.warnings, ...cut, ...simulatedWarnings(simulated)]
  return {
    body: {
      [name]: found.items,
      meta: metaOf(now, 'National Weather Service climate reports', warnings),
    },
    headers: { 'Cache-Control': found.degraded ? 'no-store' : 'max-age=60' },
  }
}
