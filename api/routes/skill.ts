import { z } from 'zod'
import { LEAD_HOURS, SOURCES } from '../../ingest/domain/verification/forecast.ts'
import { NOWCAST_LEADS, NOWCAST_SOURCES, NOWCAST_THRESHOLDS } from '../../ingest/domain/verification/nowcast.ts'
import { MIN_PAIRS, VARIABLES, VERIFICATION_DAYS } from '../../ingest/domain/verification/statistics.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { MAX_DAILY, nowcastSkill } from '../answer/nowcast-skill.ts'
import { skillOf } from '../answer/skill.ts'
import { nowcastBody, stationBody } from '../answer/skill-body.ts'
import type { Current } from '../live/served-runs.ts'
import { simulatedWarnings, warningsOf } from '../present/meta.ts'
import { doc, measured } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { Problem } from '../problem.ts'
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

const DOMAINS = ['conus', 'alaska', 'hawaii'] as const
const nowcastVariable = 'nowcast'
const routeVariables = [...VARIABLES, nowcastVariable] as const

/** Query parameters of the route: those of scores at stations, and those of nowcasts. */
export const skillRouteShape = {
  ...skillShape,
  variable: z
    .enum(routeVariables)
    .default('temperature')
    .meta({
      description: 'Variable that is scored; nowcast compares nowcasts with the radar that followed',
      expected: `one of ${routeVariables.join(', ')}`,
    }),
  domain: z
    .enum(DOMAINS)
    .optional()
    .meta({
      description: 'One domain: of radar for a nowcast, otherwise of the states in it',
      expected: `one of ${DOMAINS.join(', ')}`,
    }),
  lead_minutes: z
    .preprocess(wholeNumber, z.literal([...NOWCAST_LEADS]).optional())
    .meta({ description: 'One lead of a nowcast in minutes', expected: `one of ${NOWCAST_LEADS.join(', ')}` }),
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
const reliabilityOf = (quantity: 'count' | 'pixels', observed: string) =>
  z.array(
    z.object({
      from_percent: measured(z.number(), 'percent', 30, 'Lowest probability of the bin'),
      to_percent: measured(z.number(), 'percent', 40, 'Lowest probability of the next bin'),
      pairs: measured(z.int(), quantity, 1204, 'Pairs with a probability in the bin'),
      forecast_percent: measured(
        z.number().nullable(),
        'percent',
        34.6,
        'Mean forecast probability; null below 30 pairs',
      ),
      observed_percent: measured(z.number().nullable(), 'percent', 33.1, observed),
    }),
  )

const nowcastFigure = z.object({
  domain: doc(z.enum(DOMAINS), 'Domain of radar', 'conus'),
  source: doc(
    z.enum(NOWCAST_SOURCES),
    'nowcast is the served nowcast, persistence the radar frame it began with, unmoved, model the rate of HRRR by the newest run that was served when the nowcast was: at full hours and at points within the states, so with other frames and pixels; Hawaii has none',
    'nowcast',
  ),
  lead_minutes: measured(z.int(), 'minutes', 30, 'Minutes from the radar frame it began with to the valid time'),
  threshold_mm_h: measured(
    z.number(),
    'intensity',
    NOWCAST_THRESHOLDS[0],
    'Rate from which a pixel counts as an event',
  ),
  frames: measured(z.int(), 'count', 4320, 'Radar frames that were compared'),
  pixels: measured(z.int(), 'pixels', 4_100_000_000, 'Compared pixels of these frames; for the model, points'),
  days: measured(z.int(), 'count', 30, 'Days with a frame'),
  scores: z
    .record(z.string(), figure)
    .describe(
      'Scores by name: csi is hits among hits, misses and false alarms; pod is the share of observed events that were forecast; far is the share of forecast events that were not observed; frequency_bias is the number of forecast events divided by that of observed events. A score without events is absent',
    ),
  reliability: reliabilityOf('pixels', 'Share of points that were wet; null below 30 pairs')
    .optional()
    .describe('Ten bins of the served probability of 0.1 mm/h or more, with the nowcast at this threshold'),
})

const nowcastDay = nowcastFigure
  .pick({ domain: true, source: true, lead_minutes: true, threshold_mm_h: true, frames: true })
  .extend({
    day: doc(z.iso.date(), 'Day, UTC', '2026-08-19'),
    scores: z
      .record(z.string(), measured(z.number(), 'measure', 0.52, 'Score of the day'))
      .describe('Scores by name, as in nowcast_figures'),
  })

const schema = z.object({
  variable: doc(z.enum(routeVariables), 'Variable that is scored', 'temperature'),
  unit: member.unit.nullable(),
  scored_area: doc(z.string(), 'US, a domain, a state, a forecast office, a station, or the requested box', 'BOU'),
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
        reliability: reliabilityOf('count', 'Share of hours that were wet; null below 30 pairs')
          .optional()
          .describe('Ten bins of the probability of 0.01 inch or more in an hour'),
      }),
    )
    .describe('Scores of each source and lead with at least 30 pairs'),
  nowcast_figures: z
    .array(nowcastFigure)
    .optional()
    .describe(
      'With variable=nowcast: scores of each domain, lead, threshold and source with at least 30 frames, of the model 18',
    ),
  nowcast_days: z
    .array(nowcastDay)
    .optional()
    .describe(
      `With variable=nowcast, lead_minutes and at most ${MAX_DAILY} days: the same scores by day (UTC), without intervals, of days with at least 30 frames, of the model 18`,
    ),
  figures_left_out: measured(
    z.int(),
    'count',
    1,
    'Number of requested sources and leads with fewer than 30 pairs, or frames of a nowcast, or 18 frames of the model',
  ),
  why_empty: doc(
    z.string().nullable(),
    'Why there are no scores; null if there are some',
    'No forecast has been stored yet.',
  ),
  meta: listMeta
    .extend({
      warnings: doc(z.array(z.looseObject({})), 'Warnings about missing, late or assumed data', [
        { code: 'simulated_data', message: 'SIMULATED DATA: this is not real weather.' },
      ]),
    })
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
      const values = parseParameters(skillRouteShape, query)
      const warnings = warningsOf(simulatedWarnings(current.simulated()), [])
      const meta = (source: string) => ({ ...metaOf(now, source), warnings })
      const cacheFor = (seconds: number) => ({ 'Cache-Control': `max-age=${seconds}` })
      const { variable, domain, lead_minutes, ...rest } = values
      if (variable === nowcastVariable) {
        refuse(variable, { ...rest, days: undefined, units: undefined })
        const skill = await nowcastSkill(database, { days: rest.days, domain, lead: lead_minutes, now })
        // Scores of nowcasts change every ten minutes.
        return {
          body: { ...nowcastBody(domain ?? 'US', skill, lead_minutes !== undefined), meta: meta('NOAA MRMS') },
          headers: cacheFor(skill.whyEmpty === null ? 300 : 60),
        }
      }
      refuse(variable, { lead_minutes })
      const skill = await skillOf(database, { ...rest, domain, variable, now })
      return {
        body: { ...stationBody(variable, skill), meta: meta('NWS METARs') },
        headers: cacheFor(skill.whyEmpty === null ? 600 : 60),
      }
    },
    contract: {
      tag: 'places',
      summary: 'Scores of forecasts against station reports and radar',
      description: `Scores of the published forecast (blend) and of each input by lead, with 95 % intervals over days. Sources and leads with fewer than ${MIN_PAIRS} pairs are omitted and counted in figures_left_out; why_empty says why there are no scores. Use at most one of state, office, station, bbox and domain; without one, the scores are for the 50 states and DC together. With variable=nowcast, nowcast_figures has the scores of the served nowcasts against the radar frames that followed, beside the last frame unmoved and the model, by domain, lead_minutes and threshold; today so far is included, and lead_minutes adds the scores of each day.`,
      query: skillRouteShape,
      answer: schema,
    },
  }
}

/** @throws Problem bad-request if a parameter does not fit the variable */
function refuse(variable: string, parameters: Readonly<Record<string, unknown>>): void {
  const [name] = Object.entries(parameters).flatMap(([key, value]) => (value === undefined ? [] : [key]))
  if (name === undefined) return
  const remedy =
    variable === nowcastVariable
      ? 'A nowcast has days, domain and lead_minutes. Leave it out'
      : 'Leave it out or use variable=nowcast'
  throw new Problem('bad-request', `${name}: scores of ${variable} do not have this parameter. ${remedy}.`)
}
