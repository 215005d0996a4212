import { z } from 'zod'
import { ignoreFault } from '../../../ingest/domain/fault.ts'
import { DAY, floorTo, HOUR, isoSeconds } from '../../../ingest/domain/time.ts'
import { skillOf } from '../../answer/skill.ts'
import { quantityOf } from '../../answer/values.ts'
import { leading } from '../../blend/field-table.ts'
import { findSpot } from '../../dataset/spot.ts'
import { units } from '../../present/units.ts'
import type { ToolContext } from '../protocol/context.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { instantAt, isTime } from '../protocol/local-time.ts'
import { tool } from '../protocol/tool.ts'
import { isMeasurable } from '../query/amount-chance.ts'
import { ENSEMBLE, type EnsembleChance, ensembleChance } from '../query/ensemble-chance.ts'
import { type StoredChance, storedChance } from '../query/stored-chance.ts'
import { type ChanceRequest, chanceVariables } from '../query/window-chance.ts'
import { dateTime, plainMeta, reply, shown } from '../words/reply.ts'

const MAX_AHEAD_MS = 11 * DAY
const AMOUNTS: ReadonlySet<string> = new Set(['precip_amount', 'snow_amount', 'ice_amount'])
const time = z.string().min(1).max(40).optional()

export const chanceOf = tool({
  name: 'chance_of',
  title: 'Chance of a threshold',
  description:
    'The chance that a quantity crosses a threshold in a window: "more than 1 inch of snow by Saturday noon", "gusts above 40 mph this evening". With bounds and method, beside REFS. All percentiles: get_forecast_distribution. 11 days at most.',
  input: z.strictObject({
    ...shape.place,
    ...shape.units,
    variable: z.enum(chanceVariables).describe('Quantity.'),
    comparison: z.enum(['above', 'below']).default('above').describe('Side.'),
    threshold: z.number().optional().describe('In units; none for thunderstorm.'),
    start: time.describe('Date-time, local without zone; now.'),
    end: time.describe('24 h later.'),
    how: z.enum(['any_hour', 'total']).optional().describe('total for amounts.'),
  }),
  output: z.object({
    location: shape.location,
    units: z.string(),
    variable: z.string(),
    comparison: z.string(),
    threshold: z.number().nullable(),
    start: z.string(),
    end: z.string(),
    how: z.string(),
    chance: z.number().nullable().describe('percent; null: not known, or known only as a range'),
    range: z
      .array(z.number())
      .length(2)
      .nullable()
      .describe(
        'percent: hours that coincide, independent hours; or the chances of two limits of REFS around the threshold',
      ),
    basis: z.string(),
    reliability: z
      .object({ bin: z.string(), forecasts: z.number(), observed_share: z.number() })
      .nullable()
      .describe('of forecasts with such a chance in the last 30 days'),
    ensemble: z
      .object({
        dataset_id: z.string(),
        chance: z.number().nullable(),
        range: z.array(z.number()).length(2),
        start: z.string(),
        end: z.string(),
        members: z.array(z.number()).length(2).nullable().describe('least and greatest number over the hours'),
        basis: z.string(),
      })
      .nullable()
      .describe('the same chance counted by REFS in its own window, not calibrated'),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const { start, end } = windowOf(input, context.now, spot.timezone)
    const { variable, comparison } = input
    const isAmount = AMOUNTS.has(variable)
    const how = input.how ?? (isAmount ? 'total' : 'any_hour')
    requireThreshold(input.threshold, variable, how)
    const threshold = variable === 'thunderstorm' ? null : (input.threshold ?? null)
    const request: ChanceRequest = {
      variable,
      comparison,
      threshold: threshold ?? 0,
      start,
      end,
      how,
      units: input.units,
      timezone: spot.timezone,
    }
    const [stored, refs] = await Promise.all([
      storedChance(context, spot, request),
      ensembleChance(context, spot, request),
    ])
    const counted = typeof refs === 'string' ? undefined : refs
    const { chance, range, basis } = answerOf(stored, counted)
    const reliability = stored.chance === null || chance === null ? null : await reliabilityOf(context, request, chance)
    const { label } = units[input.units].conversions[quantityOf(variable)]
    const subject = subjectWords(request, threshold === null ? '' : shown(threshold, label))
    const span = `from ${dateTime(start, spot.timezone)} to ${dateTime(end, spot.timezone)}`
    const bounds = range && range[0] !== range[1] ? ` (between ${range[0]}% and ${range[1]}%)` : ''
    const event = `The chance of ${subject} at ${spot.location.name} ${span} is`
    const first =
      chance === null
        ? `${event} ${range ? bounds.slice(2, -1) : `not known: ${basis}`}`
        : `${event} ${chance}%${bounds}.`
    return reply({
      structured: {
        location: spot.location,
        units: input.units,
        variable,
        comparison,
        threshold,
        start: isoSeconds(start),
        end: isoSeconds(end),
        how,
        ...{ chance, range, basis, reliability },
        ensemble: counted ? memberOf(counted) : null,
      },
      lines: [
        first,
        ...(range === null ? [] : [basis]),
        ...(counted && stored.chance !== null ? [`Second opinion: ${counted.words}`] : []),
        ...(typeof refs === 'string' ? [refs] : []),
        ...(reliability
          ? [
              `Of ${reliability.forecasts} forecasts of ${reliability.bin} in the last 30 days ${reliability.observed_share}% came true.`,
            ]
          : []),
      ],
      meta: plainMeta(context, counted?.run === undefined ? [leading] : [leading, ENSEMBLE], {
        spots: [spot],
        freshness: [
          { id: leading, run: stored.run },
          { id: ENSEMBLE, run: counted?.run },
        ].flatMap(({ id, run }) => (run === undefined ? [] : [{ source: id, product_id: id, referenceTime: run }])),
      }),
    })
  },
})

const percents = (range: readonly number[]) => range.map((bound) => Math.round(bound * 100))

/** Returns the chance of NBM, and where it has none that of REFS, in percent. */
function answerOf(stored: StoredChance, counted: EnsembleChance | undefined) {
  const chosen = stored.chance === null && counted ? counted : stored
  return {
    chance: chosen.chance === null ? null : Math.round(chosen.chance * 100),
    range: chosen.range && percents(chosen.range),
    basis: chosen === counted ? `${counted.words} NBM has no answer: ${stored.basis}` : stored.basis,
  }
}

/** Returns the member `ensemble`, in percent. */
const memberOf = ({ chance, range, start, end, members, words }: EnsembleChance) => ({
  dataset_id: ENSEMBLE,
  chance: chance === null ? null : Math.round(chance * 100),
  range: percents(range),
  start: isoSeconds(start),
  end: isoSeconds(end),
  members,
  basis: words,
})

/** @throws ToolError bad-request if the times cannot be read, or lie outside the next 11 days */
function windowOf(input: { readonly start?: string; readonly end?: string }, now: number, timezone: string) {
  for (const name of ['start', 'end'] as const) {
    const text = input[name]
    if (text === undefined || isTime(text)) continue
    const message = `${name} must be an ISO date-time such as 2026-08-20T15:00, but was "${text}".`
    throw new ToolError('bad-request', message, `correct ${name} and call again.`, { field: name, got: text })
  }
  const begin = floorTo(now, HOUR)
  const start = Math.max(begin, input.start === undefined ? begin : instantAt(input.start, timezone))
  const end = input.end === undefined ? start + DAY : instantAt(input.end, timezone)
  if (end <= start || end > now + MAX_AHEAD_MS)
    throw new ToolError(
      'bad-request',
      `The window must end after it begins and after now, and within 11 days (${isoSeconds(now + MAX_AHEAD_MS)}), but is ${isoSeconds(start)} to ${isoSeconds(end)}.`,
      'correct start or end and call again; get_past_weather answers for the past.',
      { field: 'end', got: input.end },
    )
  return { start, end }
}

/** @throws ToolError bad-request if the threshold is missing, or the total of a quantity without a total is requested */
function requireThreshold(threshold: number | undefined, variable: string, how: string): void {
  if (threshold === undefined && variable !== 'thunderstorm')
    throw new ToolError(
      'bad-request',
      `threshold is required for ${variable}, but the call has none.`,
      'add threshold in the units of the call.',
      {
        field: 'threshold',
      },
    )
  if (how === 'total' && !AMOUNTS.has(variable))
    throw new ToolError(
      'bad-request',
      `how must be any_hour for ${variable}, which has no total, but was "total".`,
      'leave how out.',
      {
        field: 'how',
        got: how,
      },
    )
}

/** Returns whether verification has measured such a chance: that of measurable precipitation in one hour. */
export const isVerified = (request: ChanceRequest): boolean =>
  isMeasurable(request) && request.comparison === 'above' && request.end - request.start === HOUR

const nouns: Readonly<Record<ChanceRequest['variable'], string>> = {
  precip_amount: 'precipitation',
  snow_amount: 'snow',
  ice_amount: 'ice',
  wind_speed: 'wind',
  wind_gust: 'gusts',
  temperature: 'a temperature',
  feels_like: 'a feels-like temperature',
  visibility: 'a visibility',
  cloud_ceiling: 'a ceiling',
  thunderstorm: 'a thunderstorm',
}

/** Returns the event of a chance in words: `less than 1 in of snow in all`. */
export function subjectWords(
  { variable, comparison, how }: Pick<ChanceRequest, 'variable' | 'comparison' | 'how'>,
  threshold: string,
): string {
  const isAbove = comparison === 'above'
  if (variable === 'thunderstorm') return isAbove ? 'a thunderstorm' : 'no thunderstorm'
  if (!AMOUNTS.has(variable)) return `${nouns[variable]} ${comparison} ${threshold} in at least one hour`
  const side = `${nouns[variable]} ${isAbove ? 'more than' : 'less than'} ${threshold}`
  if (how === 'total') return `${side} in all`
  // The chance of an amount below the threshold is that no hour has more.
  return `${side} in ${isAbove ? 'at least one' : 'every'} hour`
}

/** Returns how often forecasts with such a chance of measurable precipitation in one hour came true; null for any other chance, because it is not verified. */
async function reliabilityOf(context: ToolContext, request: ChanceRequest, chance: number) {
  if (!isVerified(request)) return null
  const hours = (request.start - context.now) / HOUR
  const skill = await skillOf(context.deps.database, {
    variable: 'precip_probability',
    days: 30,
    source: 'blend',
    units: 'si',
    now: context.now,
  }).catch(ignoreFault)
  const figure = skill?.figures
    .filter(({ reliability }) => reliability)
    .sort((a, b) => Math.abs(a.leadHours - hours) - Math.abs(b.leadHours - hours))[0]
  const bin = figure?.reliability?.find(({ from, to }) => chance >= from && (chance < to || to >= 100))
  if (!bin || bin.observed === null) return null
  return { bin: `${bin.from} to ${bin.to}%`, forecasts: bin.n, observed_share: Math.round(bin.observed) }
}
