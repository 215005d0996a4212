import { z } from 'zod'
import type { Instant } from '../../ingest/domain/time.ts'
import { recordEvents } from '../../ingest/domain/weather/climate.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { type ClimateRequest, type ClimateSearchResult, findRecords, findReports } from '../answer/climate-reports.ts'
import type { MetaWarning } from '../contract.ts'
import { simulatedWarnings } from '../present/meta.ts'
import { doc, measured, rangeOf } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { parseParameters } from '../query/query.ts'
import type { Answer, Route } from '../route.ts'
import { limitShape, listMeta, metaOf } from './shapes.ts'

const word = (description: string, expected: string) =>
  z.string().trim().min(3).max(20).optional().meta({ description, expected })
const date = (description: string) =>
  z
    .string()
    .trim()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional()
    .meta({ description, expected: 'a date YYYY-MM-DD' })
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
    .meta({
      description: 'Reports that were issued in this many last hours; default without dates: 48',
      expected: 'a whole number from 1 to 168',
    }),
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
const years = z.array(z.int().meta(rangeOf('years')))
const average = measured(number, 'fahrenheit', 71, 'Mean of high and low')
const total = (example: number) => measured(number, 'inches', example, 'Amount in inches; null if missing or a trace')
const amount = {
  trace: doc(z.boolean(), 'Whether a trace fell', false),
  month_to_date: measured(number, 'inches', 0.87, 'Sum of the month so far'),
  normal: measured(number, 'inches', 0.05, 'Normal of the date'),
  record: measured(number, 'inches', 1.9, 'Largest amount on record for the date'),
  record_years: doc(years, 'Years of the record', [1982]),
}
const reportSchema = z
  .object({
    station: doc(z.string(), 'AWIPS code', 'KDEN'),
    name: doc(z.string(), 'Name of the station in its report', 'DENVER CO'),
    date: member.date,
    issued_at: member.issued_at,
    office: member.office,
    preliminary: doc(z.boolean(), 'Whether the report was issued before the day was over', true),
    temperature: z
      .object({
        high: measured(number, 'fahrenheit', 84, 'Highest temperature of the day'),
        low: measured(number, 'fahrenheit', 58, 'Lowest temperature of the day'),
        average,
        normals: z
          .object({
            high: measured(number, 'fahrenheit', 87, 'Normal high of the date'),
            low: measured(number, 'fahrenheit', 59, 'Normal low of the date'),
            average,
          })
          .describe('Normals of the date'),
        departures: z
          .object({
            high: measured(number, 'departure', -3, 'High less its normal'),
            low: measured(number, 'departure', -1, 'Low less its normal'),
            average: measured(number, 'departure', -2, 'Mean less its normal'),
          })
          .describe('Differences from the normals'),
        records: z
          .object({
            high: measured(number, 'fahrenheit', 98, 'Highest temperature on record for the date'),
            high_years: doc(years, 'Years of the record', [2012]),
            low: measured(number, 'fahrenheit', 44, 'Lowest temperature on record for the date'),
            low_years: doc(years, 'Years of the record', [1974]),
          })
          .describe('Records of the date'),
      })
      .describe('°F'),
    precipitation: z
      .object({
        total: total(0.12),
        ...amount,
        year_to_date: measured(number, 'inches', 9.1, 'Sum of the year so far'),
      })
      .describe('in'),
    snow: z
      .object({
        total: total(0),
        ...amount,
        depth: measured(number, 'inches', 0, 'Snow on the ground'),
        season_to_date: measured(number, 'inches', 0, 'Sum of the snow season so far'),
      })
      .describe('in'),
  })
  .meta({ id: 'ClimateReport' })
const recordSchema = z
  .object({
    station: doc(z.string(), 'AWIPS code', 'KDEN'),
    event: doc(z.enum(recordEvents), 'Record that was exceeded or tied', 'HIGH'),
    value: measured(number, 'measure', 98, '°F or in'),
    previous: measured(number, 'measure', 97, 'Previous record, °F or in'),
    previous_year: measured(z.int().nullable(), 'year', 2012, 'Year of the previous record, the last of several'),
    previous_years: doc(years, 'Years of the previous record', [2012]),
    tied: doc(
      z.boolean().nullable(),
      'Whether the record was tied and not exceeded; null if the text does not say',
      false,
    ),
    issued_at: member.issued_at,
    office: member.office,
    date: member.date,
    text: doc(z.string(), 'Text of the report', 'A RECORD HIGH TEMPERATURE OF 98 WAS SET AT DENVER'),
  })
  .meta({ id: 'ClimateRecord' })

/** Returns the routes of daily climate reports and record event reports. */
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
          'Measurements of climate stations with normals and records: the last report for each station and date. Units are °F and inches, as issued.',
        query: reportsShape,
        answer: z.object({
          reports: z.array(reportSchema).describe('Daily climate reports'),
          meta: listMeta,
        }),
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
        description: 'One item for each record in a text; members that the text does not state are null.',
        query: recordsShape,
        answer: z.object({
          records: z.array(recordSchema).describe('Reports of records'),
          meta: listMeta,
        }),
      },
    },
  ]
}

function answer(
  name: string,
  result: ClimateSearchResult<object>,
  limit: number,
  { now, simulated }: { readonly now: Instant; readonly simulated: boolean },
): Answer {
  const cut: MetaWarning[] = result.more
    ? [
        {
          code: 'truncated',
          section: name,
          detail: `only the newest ${limit} are listed: raise limit, or request a shorter period`,
        },
      ]
    : []
  const warnings = [...result.warnings, ...cut, ...simulatedWarnings(simulated)]
  return {
    body: {
      [name]: result.items,
      meta: metaOf(now, 'National Weather Service climate reports', warnings),
    },
    headers: { 'Cache-Control': result.degraded ? 'no-store' : 'max-age=60' },
  }
}
