import { z } from 'zod'
import type { DomainId } from '../../../ingest/domain/domain.ts'
import { LEAD_HOURS } from '../../../ingest/domain/verification/forecast.ts'
import { MIN_PAIRS, VARIABLES, VERIFICATION_DAYS } from '../../../ingest/domain/verification/statistics.ts'
import { stations } from '../../../ingest/geo/site.ts'
import { domainOfState, stateByCode } from '../../../ingest/geo/state.ts'
import { officeById, zonesAt } from '../../../ingest/geo/zone.ts'
import { type SkillArea, type SkillFigure, skillOf } from '../../answer/skill.ts'
import { findSpot } from '../../dataset/spot.ts'
import { MRMS_ATTRIBUTION } from '../../present/meta.ts'
import { mainScores, scoreText, scoreWords, sourceNames, variableNames } from '../../present/skill-words.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { nowcastAnswer } from '../query/nowcast-skill.ts'
import { plainMeta, reply } from '../words/reply.ts'

/** Lead hours in the text of a call without lead_hours. */
const TEXT_LEADS: ReadonlySet<number> = new Set([0, 6, 24, 72, 168])
/** The lead hour whose reliability is given in a call without lead_hours. */
const RELIABILITY_LEAD = 24

export const getForecastSkill = tool({
  name: 'get_forecast_skill',
  title: 'Get forecast skill',
  description:
    'How accurate past forecasts were ("do 70 % chances of rain verify"): scores of the blend, NBM, HRRR, RRFS, GFS against station reports by lead, of nowcasts against radar. A place means the area of its office. A coming one: get_forecast_distribution.',
  input: z.strictObject({
    variable: z
      .enum([...VARIABLES, 'nowcast'])
      .default('temperature')
      .describe('What was forecast.'),
    location: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('Place, state CO, office BOU or station KDEN; default the US.'),
    days: z.number().int().min(1).max(VERIFICATION_DAYS).default(30).describe('Days before today.'),
    lead_hours: z
      .literal([0, ...LEAD_HOURS])
      .optional()
      .describe('One lead, all scores.'),
    ...shape.units,
  }),
  output: z.object({
    unit: z.string().nullable(),
    area: z.string(),
    figures: z.array(
      z.looseObject({
        source: z.string(),
        lead_hours: z.number(),
        pairs: z.number(),
        days: z.number(),
        scores: z.record(
          z.string(),
          z.object({ estimate: z.number(), lower: z.number().nullable(), upper: z.number().nullable() }),
        ),
      }),
    ),
    nowcast_figures: z.array(z.looseObject({})).optional(),
    why_empty: z.string().nullable(),
    meta: shape.meta,
  }),
  async run({ variable, location, lead_hours: lead, days, units }, context) {
    if (variable === 'nowcast') {
      if (lead !== undefined)
        throw new ToolError(
          'bad-request',
          'lead_hours: a nowcast ends after 90 minutes.',
          'leave out lead_hours; the answer has leads of 10, 30, 60 and 90 minutes.',
        )
      const request = { domain: domainOf(location), days, now: context.now }
      const answer = await nowcastAnswer(context.deps.database, request)
      return reply({ ...answer, meta: plainMeta(context, ['Hexcast', MRMS_ATTRIBUTION]) })
    }
    const { area, label } = areaOf(location)
    const request = { ...area, variable, days, units, lead, now: context.now }
    const skill = await skillOf(context.deps.database, request)
    const names = lead === undefined ? mainScores[variable] : undefined
    const figures = skill.figures.map((figure) => {
      const { leadHours, pairs, reliability } = figure
      const showsBins = figure.source === 'blend' && leadHours === (lead ?? RELIABILITY_LEAD)
      return {
        ...{ source: figure.source, lead_hours: leadHours, pairs, days: figure.days },
        scores: Object.fromEntries(
          Object.entries(figure.scores)
            .filter(([name]) => names?.includes(name) ?? true)
            .map(([name, { value, low, high }]) => [name, { estimate: value, lower: low, upper: high }]),
        ),
        ...(showsBins && reliability && { reliability: reliability.map(binOf) }),
      }
    })
    const where = `${label ?? skill.area}, ${skill.firstDay} to ${skill.lastDay} (UTC)`
    const head = `${variableNames[variable]} forecasts compared with METARs, ${where}.`
    const omission =
      skill.leftOut > 0 && skill.figures.length > 0
        ? [`${skill.leftOut} combinations of source and lead with fewer than ${MIN_PAIRS} pairs are left out.`]
        : []
    const lines =
      skill.whyEmpty === null
        ? [
            head,
            ...wordsOf(mainScores[variable][0], skill.figures, skill.unit, lead),
            ...omission,
            ...caution(skill.figures),
          ]
        : [
            head,
            `No score can be given: ${skill.whyEmpty} This says nothing about whether the forecasts are good or bad.`,
          ]
    return reply({
      structured: {
        ...{ variable, unit: skill.unit, area: skill.area, first_day: skill.firstDay, last_day: skill.lastDay },
        ...{ figures, figures_left_out: skill.leftOut, why_empty: skill.whyEmpty },
      },
      lines,
      meta: plainMeta(context, ['Hexcast', 'metar']),
    })
  },
})

/** Returns the area of a code in capitals, or the area of the forecast office of a place, which has enough stations for scores. @throws ToolError no-data */
function areaOf(text: string | undefined): { area: SkillArea; label?: string } {
  if (text === undefined) return { area: {} }
  const code = text.trim()
  if (stateByCode.has(code)) return { area: { state: code } }
  if (/^[A-Z]{3}$/.test(code) && officeById(code)) return { area: { office: code } }
  if (/^[A-Z][A-Z0-9]{3}$/.test(code) && stations().some(({ id }) => id === code)) return { area: { station: code } }
  const { location } = findSpot({ location: text })
  const { office } = zonesAt(location.lat, location.lon)
  if (!office)
    throw new ToolError(
      'no-data',
      `${location.name} is not in the area of a forecast office.`,
      'call again with a state such as CO or a station such as KDEN as location.',
    )
  return { area: { office }, label: `area of the forecast office ${office} around ${location.name}` }
}

/** The domain of radar of a place or a state; undefined for all. @throws QueryError of the place */
function domainOf(text: string | undefined): DomainId | undefined {
  if (text === undefined) return undefined
  const code = text.trim()
  if (stateByCode.has(code)) return domainOfState(code)
  const { resolved } = findSpot({ location: text })
  return resolved.domain
}

function binOf({ from, to, n, forecast, observed }: NonNullable<SkillFigure['reliability']>[number]) {
  const tenth = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10)
  return {
    from_percent: from,
    to_percent: to,
    pairs: n,
    forecast_percent: tenth(forecast),
    observed_percent: tenth(observed),
  }
}

/** Returns one line for each lead: the served answer first, then its inputs. */
function wordsOf(
  name: string,
  figures: readonly SkillFigure[],
  unit: string | null,
  lead: number | undefined,
): string[] {
  const leads = [...new Set(figures.map(({ leadHours }) => leadHours))].sort((a, b) => a - b)
  const preferred = leads.filter((hours) => lead !== undefined || TEXT_LEADS.has(hours))
  const chosen = preferred.length > 0 ? preferred : leads.slice(0, 5)
  const { title = name, meaning = '' } = scoreWords[name] ?? {}
  const lines = chosen.map((hours) => {
    const parts = figures
      .filter(({ leadHours }) => leadHours === hours)
      .map(({ source, scores, pairs, days }) => {
        const figure = scores[name]
        const sourceName = sourceNames[source]
        if (!figure) return `${sourceName} not defined (no such event in ${pairs} pairs)`
        const { value, low, high } = figure
        const range =
          low === null || high === null
            ? 'no interval'
            : `${scoreText(name, low, unit)} to ${scoreText(name, high, unit)}`
        return `${sourceName} ${scoreText(name, value, unit)} (${range}; ${pairs.toLocaleString('en')} pairs, ${days} days)`
      })
    return `${hours === 0 ? 'Analysis' : `${hours} h ahead`}: ${parts.join('; ')}.`
  })
  return [`${title}: ${meaning}. The 95 % interval is in brackets.`, ...lines]
}

function caution(figures: readonly SkillFigure[]): string[] {
  const hasNoInterval = figures.some(({ scores }) => Object.values(scores).some(({ low }) => low === null))
  return [
    ...(new Set(figures.map(({ source }) => source)).size > 1
      ? ['If two intervals overlap widely, neither source is shown to be better.']
      : []),
    ...(hasNoInterval ? ['A score of fewer than five days has no interval: it describes only these days.'] : []),
  ]
}
