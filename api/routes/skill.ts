import { z } from 'zod'
import { LEAD_HOURS, SOURCES } from '../../ingest/domain/verification/forecast.ts'
import { MIN_PAIRS, VARIABLES, VERIFICATION_DAYS } from '../../ingest/domain/verification/statistics.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { skillOf } from '../answer/skill.ts'
import type { Current } from '../live/served-runs.ts'
import { simulatedWarnings, warningsOf } from '../present/meta.ts'
import { boxShape } from '../query/box.ts'
import { parseParameters } from '../query/query.ts'
import type { Route } from '../route.ts'
import { listMeta, metaOf, stateShape } from './shapes.ts'

const wholeNumber = (value: unknown) => (typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value)

/** Parameters of scores. */
export const skillShape = {
  variable: z
    .enum(VARIABLES)
    .default('temperature')
    .meta({ description: 'What is scored', wanted: `one of ${VARIABLES.join(', ')}` }),
  state: stateShape,
  office: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{3}$/)
    .optional()
    .meta({ description: 'Forecast office', wanted: 'three letters such as BOU' }),
  station: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z0-9]{4}$/)
    .optional()
    .meta({ description: 'One station', wanted: 'a code such as KDEN' }),
  bbox: boxShape,
  days: z
    .preprocess(wholeNumber, z.number().int().min(1).max(VERIFICATION_DAYS))
    .default(30)
    .meta({
      description: `Days before today (UTC), 1 to ${VERIFICATION_DAYS}`,
      wanted: `a whole number from 1 to ${VERIFICATION_DAYS}`,
    }),
  lead: z
    .preprocess(wholeNumber, z.union([z.literal(0), ...LEAD_HOURS.map((lead) => z.literal(lead))]))
    .optional()
    .meta({ description: 'One lead in hours; 0 is the analysis', wanted: `one of 0, ${LEAD_HOURS.join(', ')}` }),
  source: z
    .enum(SOURCES)
    .optional()
    .meta({
      description: 'One source; blend is the answer as it was served',
      wanted: `one of ${SOURCES.join(', ')}`,
    }),
  units: z
    .enum(['imperial', 'metric'])
    .default('imperial')
    .meta({ description: 'Units', wanted: 'imperial or metric' }),
}

const figure = z.object({ estimate: z.number(), lower: z.number().nullable(), upper: z.number().nullable() })
const schema = z.object({
  variable: z.enum(VARIABLES),
  unit: z.string().nullable(),
  scored_area: z.string(),
  first_day: z.iso.date(),
  last_day: z.iso.date(),
  figures: z.array(
    z.object({
      source: z.enum(SOURCES),
      lead_hours: z.int(),
      pairs: z.int(),
      days: z.int(),
      scores: z.record(z.string(), figure),
      reliability: z
        .array(
          z.object({
            from_percent: z.number(),
            to_percent: z.number(),
            pairs: z.int(),
            forecast_percent: z.number().nullable(),
            observed_percent: z.number().nullable(),
          }),
        )
        .optional(),
    }),
  ),
  figures_left_out: z.int(),
  why_empty: z.string().nullable(),
  meta: listMeta.extend({ warnings: z.array(z.looseObject({})) }),
})

export interface SkillDeps {
  readonly database: Database
  readonly values: { readonly current: Pick<Current, 'simulated'> }
}

/** Scores of what was served against the reports that came. */
export function skillRoute({ database, values }: SkillDeps): Route {
  return {
    method: 'get',
    path: '/v1/skill',
    handle: async ({ query, now }) => {
      const asked = parseParameters(skillShape, query)
      const skill = await skillOf(database, { ...asked, now })
      const simulated = values.current.simulated()
      const warnings = warningsOf(simulatedWarnings(simulated), [])
      return {
        body: {
          variable: asked.variable,
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
      description: `Of the answer as it was served (blend) and of each input, by lead, with 95 % intervals by days. What has fewer than ${MIN_PAIRS} pairs is left out and counted in figures_left_out; why_empty says why there is none. At most one of state, office, station, bbox; without one the 50 states and DC together.`,
      query: skillShape,
      answer: schema,
    },
  }
}

const rounded = (value: number) => Math.round(value * 1000) / 1000
