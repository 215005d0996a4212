import { z } from 'zod'
import { nearest } from '../../../ingest/domain/nearest.ts'
import { HOUR, isoSeconds } from '../../../ingest/domain/time.ts'
import { labelsOf } from '../../answer/values.ts'
import { leading, models } from '../../blend/field-table.ts'
import type { MetaWarning } from '../../contract.ts'
import { familyOf } from '../../dataset/dataset.ts'
import { openReader } from '../../dataset/dataset-read.ts'
import { findEach, type Spot, shownPlace } from '../../dataset/spot.ts'
import { factsOf } from '../../dataset/variable-facts.ts'
import { ToolError } from '../protocol/error.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { localTime, plainMeta, reply, shown } from '../words/reply.ts'
import { seriesPeriods } from '../words/series-words.ts'

export const compareLocations = tool({
  name: 'compare_locations',
  title: 'Compare locations',
  description:
    'The same forecast variables side by side for 2 to 10 US places: compare the wind in three towns tomorrow, which city is warmer. One place: get_forecast; stops of a trip: get_route_weather; many points or areas: query_dataset.',
  input: z.strictObject({
    locations: z.array(z.strictObject(shape.placed)).min(2).max(10).describe('Each a location, or lat with lon.'),
    variables: z
      .array(z.string().min(1).max(80))
      .min(1)
      .max(10)
      .describe('Such as temperature, wind_speed, precip_probability.'),
    hours: z.number().int().min(1).max(168).default(24).describe('Hours from the current one.'),
    dataset_id: z.string().min(1).max(80).optional().describe('Dataset, nbm where absent.'),
  }),
  output: z.object({
    variables: z.array(z.string()),
    hours: z.number(),
    comparisons: z.array(
      z.object({
        location: z.object({
          lat: z.number().nullable(),
          lon: z.number().nullable(),
          name: z.string(),
          label: z.string().optional(),
        }),
        valid_times: z.array(z.string()),
        data: z.record(z.string(), z.array(z.number().nullable())),
        units: z.record(z.string(), z.string()),
        status: z.enum(['ok', 'outside_coverage', 'not_found', 'ambiguous']),
        reason: z.string().optional(),
        candidates: z.array(z.string()).optional(),
      }),
    ),
    meta: shape.meta,
  }),
  async run(input, context) {
    const family = familyOf(context, input.dataset_id ?? leading)
    const comparable = family.storage === 'runs' || family.storage === 'blend'
    if (!comparable)
      throw new ToolError(
        'bad-request',
        `dataset_id must be a model or the blend, but ${family.id} is not a forecast.`,
        `use query_dataset for values of ${family.id}, or leave dataset_id out.`,
        { field: 'dataset_id', got: input.dataset_id, suggestions: [leading, 'blend', ...models.slice(1)] },
      )
    for (const name of input.variables) {
      if (family.variables.includes(name)) continue
      const suggestions = nearest(name, family.variables)
      throw new ToolError(
        'not-found',
        `${family.id} has no variable "${name}".${suggestions.length > 0 ? ` Nearest: ${suggestions.join(', ')}.` : ''}`,
        'describe_dataset lists the variables.',
        { field: 'variables', got: name, suggestions },
      )
    }
    const from = Math.floor(context.now / HOUR) * HOUR
    const to = from + input.hours * HOUR - 1
    const labels = labelsOf(input.variables, 'imperial')
    const reader = await openReader(context, { family, variables: input.variables, from, to, units: 'imperial' })
    const products = new Map<string, number>()
    const placesWithoutValues: string[] = []
    const results = await findEach(input.locations, 'locations')
    const comparisons = await Promise.all(
      results.map(async (result, i) => {
        const label = input.locations[i]?.label
        const spot = result.status === 'ok' ? result.spot : undefined
        const table = spot && (await reader.point(spot.location.lat, spot.location.lon, spot.resolved.domain))
        for (const { dataset, run } of table?.runs ?? [])
          products.set(dataset, Math.max(run, products.get(dataset) ?? run))
        const times = table?.times ?? []
        if (spot && times.length === 0) placesWithoutValues.push(spot.location.name)
        const place = shownPlace(result)
        return {
          spot,
          row: {
            location: { ...place, ...(label && { label }) },
            valid_times: times.map(isoSeconds),
            data: Object.fromEntries(
              input.variables.map((name) => [name, times.map((time) => table?.values.get(name)?.get(time) ?? null)]),
            ),
            units: labels,
            status: result.status,
            ...('failure' in result && { reason: result.failure.message, candidates: result.failure.candidates }),
          },
        }
      }),
    )
    const lines = placeLines(comparisons, { ...input, labels, familyId: family.id })
    lines.unshift(
      `Lowest to highest value of these hours by ${family.id}${family.id === 'blend' ? '' : ' alone; get_forecast and get_hourly_forecast blend it with other models and radar'}:`,
    )
    const warnings: MetaWarning[] =
      placesWithoutValues.length > 0
        ? [
            {
              code: 'source_missing',
              section: 'comparisons',
              detail: `${family.id} has no data for ${placesWithoutValues.join('; ')} from ${isoSeconds(from)} on`,
            },
          ]
        : []
    const freshness = [...products].map(([product_id, referenceTime]) => ({
      source: family.id,
      product_id,
      referenceTime,
    }))
    return reply({
      structured: { variables: input.variables, hours: input.hours, comparisons: comparisons.map(({ row }) => row) },
      lines,
      meta: plainMeta(
        context,
        family.members.map(({ id }) => id),
        { warnings, freshness, spots: comparisons.map(({ spot }) => spot) },
      ),
    })
  },
})

interface Compared {
  readonly spot: Spot | undefined
  readonly row: {
    readonly location: { readonly name: string; readonly label?: string }
    readonly data: Readonly<Record<string, readonly (number | null)[]>>
    readonly valid_times: readonly string[]
    readonly reason?: string
  }
}

interface ComparedHours {
  readonly variables: readonly string[]
  readonly hours: number
  readonly labels: Readonly<Record<string, string>>
  readonly familyId: string
}

/** Returns one line for each place: lowest and highest value, and the values by the shortest period that fits. */
export function placeLines(
  compared: readonly Compared[],
  { variables, hours, labels, familyId }: ComparedHours,
): string[] {
  const linesWith = (periodHours: number | undefined) =>
    compared.map(({ spot, row: { location, data, valid_times, reason } }) => {
      const name = location.label ? `${location.label} (${location.name})` : location.name
      if (!spot) return `${name}: not compared. ${reason}`
      const [first] = valid_times
      const last = valid_times.at(-1)
      if (!first || !last) return `${name}: ${familyId} has no data for these hours.`
      const values = variables.map((variable) => {
        const list = data[variable] ?? []
        const range = span(variable, list, labels[variable])
        if (periodHours === undefined || list.every((value) => value === null)) return range
        const { kind, window_hours } = factsOf(variable, [])
        // Amounts of longer intervals overlap from row to row, so they have no sum.
        const isAmount = kind === 'accumulation' && window_hours === 1
        const series = { times: valid_times, values: list, unit: labels[variable], isAmount }
        return `${range} (from ${seriesPeriods(series, spot.timezone, periodHours)})`
      })
      return `${name} (${localTime(first, spot.timezone)} to ${localTime(last, spot.timezone)}): ${values.join('; ')}`
    })
  const fitting = [6, 12, 24, 48]
    .filter((length) => length < hours)
    .map(linesWith)
    .find((list) => list.join('\n').length <= MAX_CHARACTERS)
  return fitting ?? linesWith(undefined)
}

/** Largest number of characters in the lines of places. */
const MAX_CHARACTERS = 1300

function span(name: string, values: readonly (number | null)[], label: string | undefined): string {
  const numbers = values.filter((value) => value !== null)
  if (numbers.length === 0) return `${name.replaceAll('_', ' ')} not available`
  return `${name.replaceAll('_', ' ')} ${Math.min(...numbers)} to ${shown(Math.max(...numbers), label)}`
}
