import { z } from 'zod'
import type { MetaWarning } from '../../contract.ts'
import { findSpot, type Spot } from '../../dataset/spot.ts'
import { noOutlooks } from '../../sections/outlooks.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { pointAt } from '../protocol/point.ts'
import { tool } from '../protocol/tool.ts'
import { forecastAt } from '../query/forecast.ts'
import { absence } from '../words/absence.ts'
import { counted, joinMeta, localTime, reply } from '../words/reply.ts'

const ranks = ['TSTM', 'MRGL', 'SLGT', 'ENH', 'MDT', 'HIGH']
/** The labels of the categories. For days 4 to 8 the risk is a probability, which has the label of a category. */
const labels = ['', 'Marginal', 'Slight', 'Enhanced', 'Moderate', 'High']

export const getSevereOutlook = tool({
  name: 'get_severe_outlook',
  title: 'Get severe weather outlook',
  description:
    'Risk of severe thunderstorms, tornadoes, hail and damaging wind at a place for days 1 to 8 by the SPC: "is there a tornado risk tomorrow". Warnings now: get_alerts; storms on radar: get_storm_tracks; fire: get_fire_weather. Lower 48 only; an empty list: no area covers the place; null: not known.',
  input: z.strictObject({
    ...shape.place,
    days: z.number().int().min(1).max(8).default(3).describe('Days ahead, today is 1.'),
  }),
  output: z.object({
    location: shape.location,
    outlooks: z
      .array(
        z.looseObject({
          product_id: z.string(),
          type: z.string(),
          day: z.number(),
          risk_label: z.string(),
          valid: z.string(),
          expires: z.string(),
          cig: z.number().nullable(),
        }),
      )
      .nullable()
      .describe('null: not known'),
    max_risk: z.object({ day: z.number(), risk_label: z.string() }).nullable(),
    active_mcds: z.number().int().nullable().describe('null: not known'),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const { weather, meta } = await forecastAt(context, spot, { include: ['outlooks'], days: 1, hours: 1 })
    const outside = spot.resolved.domain !== 'conus'
    if (!weather.outlooks && !outside) {
      const why = meta.warnings.find(({ section }) => section === 'outlooks')?.detail ?? 'no SPC outlook is available'
      throw new ToolError(
        'no-data',
        `SPC outlooks: ${why}.`,
        'say that the risk is not known, and try again in a few minutes; get_alerts may still answer for now.',
      )
    }
    const requested = (weather.outlooks ?? []).filter(({ day }) => day <= input.days)
    const outlooks = outside ? [] : requested.map((outlook) => ({ ...outlook, cig: outlook.intensity_group ?? null }))
    const byRisk = outlooks.toSorted(highestFirst)
    const top = byRisk.find((outlook) => rank(outlook) >= 0)
    const mcds = await discussionsAt(context, spot)
    const doubt = meta.warnings.find(({ section, code }) => section === 'outlooks' && code !== 'no_coverage')
    const where = {
      place: spot.location.name,
      days: input.days,
      asOf: `as of ${localTime(context.now, spot.timezone)}`,
    }
    const lines = outside
      ? [`SPC outlooks cover the lower 48 states only: the risk at ${spot.location.name} is not known from them.`]
      : outlooks.length === 0
        ? [absence('severe_outlook', where, doubt && (doubt.detail ?? 'the outlooks could not be read'))]
        : [
            `Severe weather outlook for ${spot.location.name}, highest risk first:`,
            ...byRisk.map(
              ({ day, type, risk_label, probability, significant, expires }) =>
                `Day ${day} ${type}: ${risk_label}${probability !== undefined && !risk_label.includes('%') ? ` (${Math.round(probability * 100)}%)` : ''}${significant ? ', significant storms possible' : ''}, until ${localTime(expires, spot.timezone)}`,
            ),
            ...(input.days < 8 ? [`Days ${input.days + 1} to 8 were not requested.`] : []),
          ]
    if (mcds.count === null) lines.push(absence('mesoscale_discussions', {}, mcds.doubt))
    else if (mcds.count > 0)
      lines.push(
        `${counted(mcds.count, 'mesoscale discussion is', 'mesoscale discussions are')} in effect: see get_forecast_discussion with type mcd.`,
      )
    return reply({
      structured: {
        location: spot.location,
        outlooks: outlooks.length > 0 || (!outside && doubt === undefined) ? outlooks : null,
        max_risk: top ? { day: top.day, risk_label: top.risk_label } : null,
        active_mcds: mcds.count,
      },
      lines,
      meta: joinMeta([meta], [...(outside ? [noOutlooks] : []), ...mcds.warnings]),
    })
  },
})

type Ranked = {
  readonly day: number
  readonly risk?: string
  readonly risk_label: string
  readonly probability?: number
}

/** Returns the rank of a category, the lowest first; -1 for the probability of a single hazard. */
const rank = ({ risk, risk_label }: Ranked): number => Math.max(ranks.indexOf(risk ?? ''), labels.indexOf(risk_label))

/**
 * Sorts the highest category first, then the earlier day. The hazards of days 1 to 3 have no category and are sorted by their
 * probability.
 */
export function highestFirst(a: Ranked, b: Ranked): number {
  const likelier = rank(a) < 0 ? (b.probability ?? 0) - (a.probability ?? 0) : 0
  return rank(b) - rank(a) || likelier || a.day - b.day
}

/** Returns the count of mesoscale discussions in effect at the place; null with the reason if it is not known. */
async function discussionsAt(
  context: ToolContext,
  spot: Spot,
): Promise<{ count: number | null; doubt: string; warnings: MetaWarning[] }> {
  const texts = await context.deps.values.suppliers.texts?.(pointAt(context, spot))
  const base = { section: 'active_mcds', product_id: 'nws-texts', fields: ['active_mcds'] }
  const doubts = (texts?.doubts ?? []).filter(({ kind }) => kind === 'mcd')
  const warnings = doubts.map(({ code, detail }): MetaWarning => ({ ...base, code, detail }))
  const doubt = doubts[0]?.detail ?? 'the list of mesoscale discussions has not been read'
  if (texts?.mcds && (texts.mcds.length > 0 || doubts.length === 0))
    return { count: texts.mcds.length, doubt, warnings }
  const detail = 'mesoscale discussions are not known now'
  return { count: null, doubt, warnings: [...warnings, { ...base, code: 'source_missing', detail }] }
}
