import { z } from 'zod'
import { nearest } from '../../ingest/domain/nearest.ts'
import { labelsOf } from '../values.ts'
import { familyOf } from './dataset.ts'
import { readPoint } from './dataset-read.ts'
import { ToolError } from './error.ts'
import { findSpot } from './forecast.ts'
import * as shape from './input.ts'
import { localTime, plainMeta, reply, shown } from './reply.ts'
import { tool } from './tool.ts'

const HOUR = 3_600_000
const iso = (at: number) => `${new Date(at).toISOString().slice(0, 19)}Z`

export const compareLocations = tool({
  name: 'compare_locations',
  title: 'Compare locations',
  description:
    'The same forecast variables side by side for 2 to 10 US places, in one call: compare the wind in three towns tomorrow, which city is warmer, where it rains less. Values are those of the National Blend of Models unless another dataset is named; 24 hours by default, 168 at most; imperial units. For one place use get_forecast or get_hourly_forecast; for stops of a trip at their times get_route_weather; for many points, filters or statistics query_dataset. Covers the 50 US states and DC.',
  input: z.strictObject({
    locations: z
      .array(
        z.strictObject({
          location: z.string().min(1).max(200).optional().describe('Place.'),
          lat: z.number().min(-90).max(90).optional().describe('Latitude.'),
          lon: z.number().min(-180).max(180).optional().describe('Longitude.'),
          label: z.string().min(1).max(80).optional().describe('Your name for it.'),
        }),
      )
      .min(2)
      .max(10)
      .describe('2 to 10 places, each a location, or lat with lon.'),
    variables: z
      .array(z.string().min(1).max(80))
      .min(1)
      .max(10)
      .describe('Variables such as temperature, wind_speed, precip_probability.'),
    hours: z.number().int().min(1).max(168).default(24).describe('Hours from the current one.'),
    dataset_id: z.string().min(1).max(80).optional().describe('Dataset, nbm where absent.'),
  }),
  output: z.object({
    variables: z.array(z.string()),
    hours: z.number(),
    comparisons: z.array(
      z.object({
        location: z.object({ lat: z.number(), lon: z.number(), name: z.string(), label: z.string().optional() }),
        valid_times: z.array(z.string()),
        data: z.record(z.string(), z.array(z.number().nullable())),
        units: z.record(z.string(), z.string()),
        status: z.enum(['ok', 'outside_coverage']),
      }),
    ),
    meta: shape.meta,
  }),
  async run(input, context) {
    const family = familyOf(context, input.dataset_id ?? 'nbm')
    for (const name of input.variables) {
      if (family.queryable && family.variables.includes(name)) continue
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
    let run: number | undefined
    const comparisons = await Promise.all(
      input.locations.map(async (one, i) => {
        try {
          const spot = findSpot(one, `locations.${i}`)
          const location = { ...spot.location, ...(one.label && { label: one.label }) }
          const table = await readPoint(context, spot.location.lat, spot.location.lon, spot.resolved.domain, {
            family,
            variables: input.variables,
            from,
            to,
            units: 'imperial',
          })
          run ??= table?.run
          const times = table?.times ?? []
          const data = Object.fromEntries(
            input.variables.map((name) => [name, times.map((time) => table?.values.get(name)?.get(time) ?? null)]),
          )
          return {
            location,
            valid_times: times.map(iso),
            data,
            units: labels,
            status: 'ok' as const,
            timezone: spot.timezone,
          }
        } catch (error) {
          if (!(error instanceof ToolError) || error.code !== 'outside-coverage') throw error
          const name = one.location ?? `${one.lat}, ${one.lon}`
          return {
            location: { lat: one.lat ?? 0, lon: one.lon ?? 0, name, ...(one.label && { label: one.label }) },
            valid_times: [],
            data: Object.fromEntries(input.variables.map((variable) => [variable, []])),
            units: labels,
            status: 'outside_coverage' as const,
            timezone: 'UTC',
          }
        }
      }),
    )
    const lines = comparisons.flatMap(({ location, data, status, valid_times, timezone }) => {
      if (status !== 'ok') return [`${location.name}: outside the coverage (50 US states and DC).`]
      const when =
        valid_times.length > 0
          ? ` (${localTime(valid_times[0], timezone)} to ${localTime(valid_times[valid_times.length - 1], timezone)})`
          : ''
      return [
        `${location.name}${when}: ${input.variables.map((name) => span(name, data[name], labels[name])).join('; ')}`,
      ]
    })
    const freshness = run === undefined ? [] : [{ source: family.id, product_id: family.id, referenceTime: run }]
    const stripped = comparisons.map(({ timezone: _, ...rest }) => rest)
    return reply({
      structured: { variables: input.variables, hours: input.hours, comparisons: stripped },
      lines,
      meta: plainMeta(
        context,
        family.members.map(({ id }) => id),
        { freshness },
      ),
    })
  },
})

function span(name: string, values: readonly (number | null)[], label: string | undefined): string {
  const numbers = values.filter((value) => value !== null)
  if (numbers.length === 0) return `${name.replaceAll('_', ' ')} not held`
  return `${name.replaceAll('_', ' ')} ${Math.min(...numbers)} to ${shown(Math.max(...numbers), label)}`
}
