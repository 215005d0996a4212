import { z } from 'zod'
import { units } from '../present/units.ts'
import { labelsOf, valuesAt } from '../values.ts'
import { ToolError } from './error.ts'
import { findSpot } from './forecast.ts'
import * as shape from './input.ts'
import { localTime, plainMeta, reply, shown } from './reply.ts'
import { tool } from './tool.ts'

const variables = [
  'temperature',
  'dew_point',
  'wind_speed',
  'wind_gust',
  'wind_direction',
  'visibility',
  'cloud_cover',
  'cloud_ceiling',
  'surface_pressure',
]

export const getCurrentConditions = tool({
  name: 'get_current_conditions',
  title: 'Get current conditions',
  description:
    'What the weather is now at the exact point by the RTMA analysis (every 15 minutes, Alaska and Hawaii hourly), beside the nearest METAR station where one is held: temperature, dew point, wind, gust, visibility, cloud, ceiling, pressure. To compare analysis and instruments; for now and the days ahead in one call use get_forecast; for the hours ahead get_hourly_forecast. Imperial units. 50 US states and DC.',
  input: z.strictObject({ ...shape.place }),
  output: z.object({
    location: shape.location,
    analysis: shape.series.nullable(),
    nearest_station: z.looseObject({}).nullable(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const { lat, lon } = spot.location
    const { values } = context.parts
    const ids = ['rtma-ru', 'rtma'].filter((id) => values.current.served(id, spot.resolved.domain))
    const newest = ids
      .map((id) => ({ id, run: values.current.served(id, spot.resolved.domain)!.run }))
      .sort((a, b) => b.run - a.run)[0]
    const ask = newest && { datasetId: newest.id, variables, units: units.imperial, now: newest.run }
    const found = ask && (await valuesAt(values, lat, lon, ask, 1).catch(() => undefined))
    const metar = {
      code: 'not_held' as const,
      section: 'nearest_station',
      detail: 'no METAR source is held by this installation',
    }
    if (!found || found.times.length === 0)
      throw new ToolError(
        'no-data',
        `No RTMA analysis is held for ${spot.location.name}, and no METAR source is held.`,
        'get_forecast gives the forecast for this hour.',
      )
    const names = variables.filter((name) => found.data[name]?.[0] !== null && found.data[name]?.[0] !== undefined)
    const labels = labelsOf(names, 'imperial')
    const analysis = {
      dataset_id: newest.id,
      valid_times: [`${new Date(found.times[0]).toISOString().slice(0, 19)}Z`],
      data: Object.fromEntries(names.map((name) => [name, [found.data[name][0]]])),
      units: labels,
    }
    const lines = [
      `${spot.location.name} at ${localTime(found.times[0], spot.timezone)} by the ${newest.id} analysis:`,
      names.map((name) => `${name.replaceAll('_', ' ')} ${shown(found.data[name][0], labels[name])}`).join(', '),
    ]
    const meta = plainMeta(context, [newest.id], {
      spots: [spot],
      warnings: [metar],
      freshness: [{ source: 'rtma', product_id: newest.id, referenceTime: found.run ?? newest.run }],
    })
    return reply({ structured: { location: spot.location, analysis, nearest_station: null }, lines, meta })
  },
})
