import { z } from 'zod'
import { LEAD_HOURS, SOURCES } from '../../ingest/domain/verification/forecast.ts'
import { MIN_PAIRS, VARIABLES, VERIFICATION_DAYS } from '../../ingest/domain/verification/statistics.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { skillOf } from '../answer/skill.ts'
import type { Current } from '../live/served-runs.ts'
import { simulatedWarnings, warningsOf } from '../present/meta.ts'
import { doc, measured } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { boxShape } from '../query/box.ts'
import { parseParameters } from '../query/query.ts'
import type { Route } from '../route.ts'
import { listMeta, metaOf, stateShape } from './shapes.ts'

const wholeNumber = (value: unknown) => (typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value)

/** Query parameters of scores. */
export const skillShape = {
  variable: z
    .enum(VARIABLES)
    .default('temperature')
    .meta({ description: 'Variable that is scored', expected: `one of ${VARIABLES.join(', ')}` }),
  state: stateShape,
  office: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{3}$/)
    .optional()
    .meta({ description: 'Forecast office', expected: 'three letters such as BOU' }),
  station: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z0-9]{4}$/)
    .optional()
    .meta({ description: 'One station', expected: 'a code such as KDEN' }),
  bbox: boxShape,
  days: z
    .preprocess(wholeNumber, z.number().int().min(1).max(VERIFICATION_DAYS))
    .default(30)
    .meta({
      description: `Days before today (UTC), 1 to ${VERIFICATION_DAYS}`,
      expected: `a whole number from 1 to ${VERIFICATION_DAYS}`,
    }),
  lead: z
    .preprocess(wholeNumber, z.union([z.literal(0), ...LEAD_HOURS.map((lead) => z.literal(lead))]))
    .optional()
    .meta({ description: 'One lead in hours; 0 is the analysis', expected: `one of 0, ${LEAD_HOURS.join(', ')}` }),
  source: z
    .enum(SOURCES)
    .optional()
    .meta({
      description: 'One source; blend is the published forecast',
      expected: `one of ${SOURCES.join(', ')}`,
    }),
  units: z
    .enum(['imperial', 'metric'])
    .default('imperial')
    .meta({ description: 'Units', expected: 'imperial or metric' }),
}

const figure = z.object({
  estimate: measured(z.number(), 'measure', 1.37, 'Score over all pairs'),
  lower: measured(
    z.number().nullable(),
    'measure',
    1.31,
    'Lower end of the 95 % interval; null with fewer than five days',
  ),
  upper: measured(
    z.number().nullable(),
    'measure',
    1.44,
    'Upper end of the 95 % interval; null with fewer than five days',
  ),
})
const schema = z.object({
  variable: doc(z.enum(VARIABLES), 'Variable that is scored', 'temperature'),
  unit: member.unit.nullable(),
  scored_area: doc(z.string(), 'US, a state, a forecast office, a station, or the requested box', 'BOU'),
  first_day: doc(z.iso.date(), 'First day, UTC', '2026-07-21'),
  last_day: doc(z.iso.date(), 'Last day, UTC', '2026-08-19'),
  figures: z
    .array(
      z.object({
        source: doc(z.enum(SOURCES), 'Source of the values', 'nbm'),
        lead_hours: measured(
          z.int(),
          'hours',
          24,
          'Hours from issue to valid time; for high and low, from 06:00 local time to 06:00 of the day; 0: the analysis',
        ),
        pairs: measured(z.int(), 'count', 51230, 'Pairs of a forecast and a report'),
        days: measured(z.int(), 'count', 30, 'Days with a pair'),
        scores: z.record(z.string(), figure).describe('Scores by name'),
        reliability: z
          .array(
            z.object({
              from_percent: measured(z.number(), 'percent', 30, 'Lowest probability of the bin'),
              to_percent: measured(z.number(), 'percent', 40, 'Lowest probability of the next bin'),
              pairs: measured(z.int(), 'count', 1204, 'Pairs with a probability in the bin'),
              forecast_percent: measured(
                z.number().nullable(),
                'percent',
                34.6,
                'Mean forecast probability; null below 30 pairs',
              ),
              observed_percent: measured(
                z.number().nullable(),
                'percent',
                33.1,
                'Share of hours that were wet; null below 30 pairs',
              ),
            }),
          )
          .optional()
          .describe('Ten bins of the probability of 0.01 inch or more in an hour'),
      }),
    )
    .describe('Scores of each source and lead with at least 30 pairs'),
  figures_left_out: measured(z.int(), 'count', 1, 'Number of requested sources and leads with fewer than 30 pairs'),
  why_empty: doc(
    z.string().nullable(),
    'Why there are no scores; null if there are some',
    'No forecast has been stored yet.',
  ),
  meta: listMeta
    .extend({ warnings: z.array(z.looseObject({})).describe('Warnings about missing, late or assumed data') })
    .describe('Metadata of the answer'),
})

export interface SkillDeps {
  readonly database: Database
  readonly values: { readonly current: Pick<Current, 'simulated'> }
}

/** `GET /v1/skill`: scores of served forecasts against station reports. */
export function skillRoute({ database, values: { current } }: SkillDeps): Route {
  return {
    method: 'get',
    path: '/v1/skill',
    handle: async ({ query, now }) => {
      const values = parseParameters(skillShape, query)
      const skill = await skillOf(database, { ...values, now })
      const warnings = warningsOf(simulatedWarnings(current.simulated()), [])
      return {
        body: {
          variable: values.variable,
          unit: skill.unit,
          scored_area: skill.area,
          first_day: skill.firstDay,
          last_day: skill.lastDay,
          figures: skill.figures.map(({ source, leadHours, pairs, days, scores, reliability }) => ({
            source,
            lead_hours: leadHours,
            pairs,
            days,
            scores: Object.fromEntries(
              Object.entries(scores).map(([name, { value, low, high }]) => [
                name,
                { estimate: value, lower: low, upper: high },
              ]),
            ),
            ...(reliability && {
              reliability: reliability.map((bin) => ({
                from_percent: bin.from,
                to_percent: bin.to,
                pairs: bin.n,
                forecast_percent: bin.forecast === null ? null : rounded(bin.forecast),
                observed_percent: bin.observed === null ? null : rounded(bin.observed),
              })),
            }),
          })),
          figures_left_out: skill.leftOut,
          why_empty: skill.whyEmpty,
          meta: { ...metaOf(now, 'NWS METARs'), warnings },
        },
        headers: { 'Cache-Control': skill.whyEmpty === null ? 'max-age=600' : 'max-age=60' },
      }
    },
    contract: {
      tag: 'places',
      summary: 'Scores of forecasts against station reports',
      description: `Scores of the published forecast (blend) and of each input by lead, with 95 % intervals over days. Sources and leads with fewer than ${MIN_PAIRS} pairs are omitted and counted in figures_left_out; why_empty says why there are no scores. Use at most one of state, office, station and bbox; without one, the scores are for the 50 states and DC together.`,
      query: skillShape,
      answer: schema,
    },
  }
}

const rounded = (value: number) => Math.round(value * 1000) / 1000
