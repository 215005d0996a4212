import { z } from 'zod'
import { HOUR, isoSeconds } from '../../../ingest/domain/time.ts'
import { labelsOf } from '../../answer/values.ts'
import { leading } from '../../blend/field-table.ts'
import type { MetaWarning } from '../../contract.ts'
import { familyOf } from '../../dataset/dataset.ts'
import { openReader, type PointTable } from '../../dataset/dataset-read.ts'
import { findSpot } from '../../dataset/spot.ts'
import { factsOf } from '../../dataset/variable-facts.ts'
import type { ToolContext } from '../protocol/context.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { distributionWords } from '../words/distribution-words.ts'
import { dateTime, plainMeta, reply, shown } from '../words/reply.ts'

const names = ['precip', 'snow', 'ice', 'temperature', 'wind', 'severe', 'aviation', 'confidence'] as const
/** For each aspect the published names of its variables, each with the variables of NBM that provide it, in order of preference. */
const aspects: Readonly<
  Record<(typeof names)[number], readonly (readonly [published: string, ...sources: string[]])[]>
> = {
  precip: [
    ['precip_probability', 'precip_probability', 'precip_probability_6h'],
    ['precip_amount', 'precip_amount', 'precip_amount_6h'],
    ['precip_amount_p10'],
    ['precip_amount_p50'],
    ['precip_amount_p90'],
  ],
  snow: [
    ['snow_amount_p10', 'snow_amount_24h_p10'],
    ['snow_amount_p50', 'snow_amount_24h_p50'],
    ['snow_amount_p90', 'snow_amount_24h_p90'],
    ['snow_prob_gt_1in'],
    ['snow_prob_gt_2in'],
    ['snow_prob_gt_4in'],
    ['snow_level'],
  ],
  ice: [['precip_type_freezing_rain_prob'], ['ice_amount', 'ice_amount', 'ice_amount_6h']],
  temperature: [['temperature'], ['temperature_stddev'], ['dew_point'], ['dew_point_stddev']],
  wind: [
    ['wind_speed'],
    ['wind_speed_p10'],
    ['wind_speed_p50'],
    ['wind_speed_p90'],
    ['wind_gust'],
    ['wind_gust_p10'],
    ['wind_gust_p50'],
    ['wind_gust_p90'],
  ],
  severe: [['severe_prob'], ['hail_prob'], ['tornado_prob'], ['damaging_wind_prob']],
  aviation: [
    ['visibility_prob_below_1mi'],
    ['visibility_prob_below_3mi'],
    ['visibility_prob_below_5mi'],
    ['ceiling_prob_below_500ft'],
    ['ceiling_prob_below_1000ft'],
    ['ceiling_prob_below_3000ft'],
  ],
  confidence: [['temperature_stddev'], ['dew_point_stddev'], ['wind_speed_stddev'], ['wind_gust_stddev']],
}

/** Family of the ensemble, whose probabilities are a second series, and the number of members that they count. */
const ENSEMBLE = 'refs'
const MEMBERS = 'ensemble_members'
/** For each aspect the variables of the ensemble. */
const ensembleAspects: Partial<Record<(typeof names)[number], Aspect>> = {
  precip: [
    ['ensemble_precip_probability'],
    ['ensemble_precip_prob_gt_010in'],
    ['ensemble_precip_prob_gt_025in'],
    ['ensemble_precip_prob_gt_050in'],
    ['ensemble_precip_prob_gt_100in'],
    ['ensemble_precip_prob_gt_200in'],
    ['ensemble_precip_prob_gt_300in'],
    ['ensemble_precip_prob_gt_500in'],
  ],
  snow: [
    ['ensemble_snow_nearby_prob_gt_1in'],
    ['ensemble_snow_nearby_prob_gt_3in'],
    ['ensemble_snow_nearby_prob_gt_6in'],
    ['ensemble_snow_nearby_prob_gt_12in'],
    ['ensemble_snow_nearby_prob_gt_18in'],
  ],
  aviation: [
    ['ensemble_visibility_prob_below_1mi'],
    ['ensemble_visibility_prob_below_3mi'],
    ['ensemble_visibility_prob_below_5mi'],
    ['ensemble_ceiling_prob_below_500ft'],
    ['ensemble_ceiling_prob_below_1000ft'],
    ['ensemble_ceiling_prob_below_3000ft'],
  ],
}

export const getForecastDistribution = tool({
  name: 'get_forecast_distribution',
  title: 'Get forecast distribution',
  description:
    'How likely, how much and how sure: probabilities, percentiles and spread of NBM and REFS for one aspect. "How sure is the snow forecast", "what is the worst case for wind". Low spread means settled. Best forecast: get_forecast; many points: query_dataset.',
  input: z.strictObject({
    ...shape.place,
    aspect: z.enum(names).describe('Subject.'),
    hours: z.number().int().min(1).max(264).optional().describe('Hours from the current one.'),
  }),
  output: z.object({
    location: shape.location,
    aspect: z.string(),
    hours: z.number(),
    series: z.array(
      shape.series.extend({
        window_hours: z.record(z.string(), z.number()).optional().describe('hours that end at each valid time'),
      }),
    ),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const hours = input.hours ?? (input.aspect === 'severe' || input.aspect === 'aviation' ? 48 : 72)
    const from = Math.floor(context.now / HOUR) * HOUR
    const to = from + hours * HOUR
    const own = await readAspect(context, spot, leading, aspects[input.aspect], { from, to })
    const ensemble = await readAspect(context, spot, ENSEMBLE, ensembleAspects[input.aspect] ?? [], { from, to })
    const series = [own, ensemble].flatMap(({ id, groups }) =>
      groups.map(({ times, data, units, windows }) => ({
        dataset_id: id,
        valid_times: times.map((time) => isoSeconds(time)),
        data,
        units,
        ...(Object.keys(windows).length > 0 && { window_hours: windows }),
      })),
    )
    const warnings: MetaWarning[] =
      series.length === 0
        ? [
            {
              code: 'source_missing',
              section: input.aspect,
              detail: `no ${input.aspect} probabilities are available for this place now`,
            },
          ]
        : []
    const shownNames = new Set(series.flatMap(({ data }) => Object.keys(data)))
    const absent = aspects[input.aspect]
      .map(([published]) => published)
      .filter((name) => !shownNames.has(name) && !shownNames.has(`${name}_6h`))
    if (series.length > 0 && absent.length > 0)
      warnings.push({
        code: 'fields_missing',
        section: input.aspect,
        detail: `not stored: ${absent.map(distributionWords).join('; ')}`,
      })
    const at = (time: number) => dateTime(time, spot.timezone)
    const lines = [
      `${input.aspect} at ${spot.location.name}, next ${hours} h, lowest to highest value:`,
      ...[own, ensemble].flatMap(({ groups }) =>
        groups.flatMap(({ times, data, units, windows }) =>
          Object.entries(data).map(([name, values]) =>
            rangeWords(name, values, { times, unit: units[name], window: windows[name], at, to }),
          ),
        ),
      ),
      ...(series.length === 0
        ? [
            `No probabilities are available for this place now.${input.aspect === 'severe' ? ' get_severe_outlook gives the risk of severe storms.' : ''}`,
          ]
        : []),
    ]
    const freshness = [own, ensemble].flatMap(({ id, run }) =>
      run === undefined ? [] : [{ source: id, product_id: id, referenceTime: run }],
    )
    const sources = ensemble.groups.length > 0 ? [leading, ENSEMBLE] : [leading]
    return reply({
      structured: { location: spot.location, aspect: input.aspect, hours, series },
      lines,
      meta: plainMeta(context, sources, { warnings, freshness, spots: [spot] }),
    })
  },
})

type Aspect = (typeof aspects)[(typeof names)[number]]

interface ReadAspect {
  readonly id: string
  readonly groups: readonly AxisGroup[]
  readonly run: number | undefined
}

/** Reads the variables of an aspect from one family. A family that is not served has no groups. */
async function readAspect(
  context: ToolContext,
  { location, resolved }: ReturnType<typeof findSpot>,
  id: string,
  aspect: Aspect,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<ReadAspect> {
  const family = familyOf(context, id)
  const variables = [...aspect.flatMap(sourcesOf), MEMBERS].filter((name) => family.variables.includes(name))
  if (aspect.length === 0 || variables.length === 0) return { id, groups: [], run: undefined }
  const reader = await openReader(context, { family, variables, from, to, units: 'imperial' })
  const table = await reader.point(location.lat, location.lon, resolved.domain)
  const groups = groupsByAxis(aspect, table)
  const counts = table?.values.get(MEMBERS)
  if (counts)
    for (const { times, data, units } of groups) {
      data[MEMBERS] = times.map((time) => counts.get(time) ?? null)
      units[MEMBERS] = labelsOf([MEMBERS], 'imperial')[MEMBERS] ?? ''
    }
  return { id, groups, run: groups.length > 0 ? table?.run : undefined }
}

const sourcesOf = ([published, ...sources]: Aspect[number]): string[] => (sources.length > 0 ? sources : [published])

interface AxisGroup {
  readonly times: readonly number[]
  readonly data: Record<string, (number | null)[]>
  readonly units: Record<string, string>
  /** Hours that end at each time, by variable. */
  readonly windows: Record<string, number>
}

/** Returns the variables that have values, grouped by their valid times, because a series has one list of valid times. */
function groupsByAxis(aspect: Aspect, table: PointTable | undefined): AxisGroup[] {
  const groups = new Map<string, AxisGroup>()
  for (const variable of aspect) {
    const [published] = variable
    for (const source of sourcesOf(variable)) {
      const values = table?.values.get(source)
      if (!values || ![...values.values()].some((value) => value !== null)) continue
      const times = [...values.keys()].sort((a, b) => a - b)
      const key = times.join()
      const group = groups.get(key) ?? { times, data: {}, units: {}, windows: {} }
      const name = source === published || /_6h$/.test(source) ? source : published
      group.data[name] = times.map((time) => values.get(time) ?? null)
      group.units[name] = labelsOf([source], 'imperial')[source] ?? ''
      const window = factsOf(source, []).window_hours
      if (window !== null) group.windows[name] = window
      groups.set(key, group)
    }
  }
  return [...groups.values()]
}

/** The longest step between values of NBM, milliseconds. */
const LONGEST_STEP = 6 * HOUR

interface ValueSpan {
  readonly times: readonly number[]
  readonly unit: string | undefined
  /** Hours that end at each time. */
  readonly window: number | undefined
  readonly at: (time: number) => string
  /** End of the requested hours. */
  readonly to: number
}

/**
 * Returns words for the lowest and the highest value, the time of the highest, the hours that each value covers, and the last time with a value.
 * Empty if every value is null.
 */
export function rangeWords(
  name: string,
  values: readonly (number | null)[],
  { times, unit, window, at, to }: ValueSpan,
): string {
  const known = times.flatMap((time, i) => {
    const value = values[i] ?? null
    return value === null ? [] : [{ value, time }]
  })
  const last = known.at(-1)?.time
  if (last === undefined) return ''
  const lowest = Math.min(...known.map(({ value }) => value))
  const highest = known.reduce((best, sample) => (sample.value > best.value ? sample : best))
  const words = distributionWords(name)
  const counted = window === undefined ? '' : ` in ${window} h`
  const reach = to - last > LONGEST_STEP ? `; known only to ${at(last)}` : ''
  const [first] = known
  if (first && lowest === highest.value) {
    const every = window === undefined ? 'throughout' : `in each ${window} h to ${at(first.time)} through ${at(last)}`
    const single = `${window === undefined ? 'at' : `in the ${window} h to`} ${at(last)}`
    return `${words}: ${shown(lowest, unit)} ${known.length === 1 ? single : every}${reach}`
  }
  const when = `${window === undefined ? 'at' : `in the ${window} h to`} ${at(highest.time)}`
  return `${words}${counted}: ${lowest} to ${shown(highest.value, unit)}, highest ${when}${reach}`
}
