import { z } from 'zod'
import { DAY, dateText } from '../../ingest/domain/time.ts'
import { type Figure, figuresOf, SCORES_WITH_UNIT } from '../../ingest/domain/verification/figures.ts'
import { LEAD_HOURS, SOURCES } from '../../ingest/domain/verification/forecast.ts'
import {
  MIN_PAIRS,
  VARIABLES,
  VERIFICATION_DAYS,
  type VerifiedVariable,
} from '../../ingest/domain/verification/statistics.ts'
import type { Database } from '../../ingest/ports/database.ts'
import { type AreaKind, isVerifiedArea, sumsByDay, verifiedStationsInBox } from '../../sql/queries/verification.ts'
import type { Current } from '../live/served-runs.ts'
import { simulatedWarning, warningsOf } from '../present/meta.ts'
import { units } from '../present/units.ts'
import { Problem } from '../problem.ts'
import { parseBox } from '../query/box.ts'
import { parseParameters } from '../query/query.ts'
import type { Route } from '../route.ts'
import { boxShape, listMeta, metaOf, stateShape } from './shapes.ts'

/** A box is summed from its stations: so many days of stations at most. */
const MAX_STATION_DAYS = 6000

const wholeNumber = (value: unknown) => (typeof value === 'string' && /^\d{1,3}$/.test(value) ? Number(value) : value)

const shape = {
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
      scores: z.record(z.string(), figure).nullable(),
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
  meta: listMeta.extend({ warnings: z.array(z.looseObject({})) }),
})

interface SkillDeps {
  readonly database: Database
  readonly values: { readonly current: Pick<Current, 'simulated'> }
}

/** Scores of what was served against the reports that came. */
export function skillRoute({ database, values }: SkillDeps): Route {
  return {
    method: 'get',
    path: '/v1/skill',
    handle: async ({ query, now }) => {
      const asked = parseParameters(shape, query)
      const { variable } = asked
      const { kind, areas, label } = await areaOf(database, asked)
      const today = Math.floor(now / DAY)
      const [from, to] = [dateText(today - asked.days), dateText(today - 1)]
      const rows = areas.length === 0 ? [] : await sumsByDay(database, { kind, areas, variable, from, to })
      const { scale, unit } = unitOf(variable, asked.units)
      const figures = figuresOf(
        variable,
        rows.map(({ sums }) => sums),
        ({ source, leadHours }) => (asked.source ?? source) === source && (asked.lead ?? leadHours) === leadHours,
      ).map(({ source, leadHours, n, days, scores, reliability }) => ({
        source,
        lead_hours: leadHours,
        pairs: n,
        days,
        scores: scores && scaled(scores, scale),
        ...(reliability && {
          reliability: reliability.map((bin) => ({
            from_percent: bin.from,
            to_percent: bin.to,
            pairs: bin.n,
            forecast_percent: bin.forecast === null ? null : rounded(bin.forecast),
            observed_percent: bin.observed === null ? null : rounded(bin.observed),
          })),
        }),
      }))
      const simulated = values.current.simulated()
      const warnings = warningsOf(simulated ? [simulatedWarning] : [], [])
      return {
        body: {
          variable,
          unit,
          scored_area: label,
          first_day: from,
          last_day: to,
          figures,
          meta: { ...metaOf(now, 'NWS METARs'), warnings },
        },
        headers: { 'Cache-Control': 'max-age=600' },
      }
    },
    contract: {
      tag: 'places',
      summary: 'Scores of forecasts against station reports',
      description: `Of the answer as it was served (blend) and of each input, by lead, with 95 % intervals by days. Fewer than ${MIN_PAIRS} pairs have no score. At most one of state, office, station, bbox; without one the 50 states together.`,
      query: shape,
      answer: schema,
    },
  }
}

async function areaOf(
  database: Database,
  asked: z.output<z.ZodObject<typeof shape>>,
): Promise<{ kind: AreaKind; areas: readonly string[]; label: string }> {
  const given = (['state', 'office', 'station', 'bbox'] as const).filter((name) => asked[name] !== undefined)
  const [name] = given
  if (given.length > 1)
    throw new Problem('bad-request', `Wanted at most one of state, office, station, bbox; got ${given.join(' and ')}.`)
  if (name === undefined) return { kind: 'all', areas: ['US'], label: 'US' }
  const text = asked[name]!
  if (name === 'bbox') {
    const areas = await verifiedStationsInBox(database, parseBox(text))
    if (areas.length * asked.days > MAX_STATION_DAYS)
      throw new Problem(
        'bad-request',
        `bbox: ${areas.length} stations over ${asked.days} days are ${areas.length * asked.days} days of stations; at most ${MAX_STATION_DAYS}. Ask for a smaller box or fewer days, or by state.`,
      )
    return { kind: 'station', areas, label: text }
  }
  if (!(await isVerifiedArea(database, name, text)))
    throw new Problem('not-found', `${name}: no station of "${text}" has been compared with forecasts.`)
  return { kind: name, areas: [text], label: text }
}

/** Errors are stored in °C and m/s. */
function unitOf(variable: VerifiedVariable, system: 'imperial' | 'metric'): { scale: number; unit: string | null } {
  if (['temperature', 'dew_point', 'high', 'low'].includes(variable)) {
    const { scale, label } = units[system].of.temperature_spread
    return { scale, unit: label }
  }
  if (!variable.startsWith('wind')) return { scale: 1, unit: null }
  const { scale, label } = units[system].of.wind_speed
  return { scale, unit: label }
}

function scaled(scores: Readonly<Record<string, Figure>>, scale: number): Record<string, z.output<typeof figure>> {
  const shown = (name: string, value: number) => rounded(SCORES_WITH_UNIT.has(name) ? value * scale : value)
  return Object.fromEntries(
    Object.entries(scores).map(([name, { value, low, high }]) => [
      name,
      {
        estimate: shown(name, value),
        lower: low === null ? null : shown(name, low),
        upper: high === null ? null : shown(name, high),
      },
    ]),
  )
}

const rounded = (value: number) => Math.round(value * 1000) / 1000
