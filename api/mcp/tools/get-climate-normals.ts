import { z } from 'zod'
import { isFault } from '../../../ingest/domain/fault.ts'
import type { ClimateAtPoint, MetaWarning } from '../../contract.ts'
import { findSpot } from '../../dataset/spot.ts'
import { type ClimateNormals, climateNormals } from '../../present/climate.ts'
import { noNormals, normalsFreshness } from '../../sections/climate.ts'
import * as shape from '../protocol/input.ts'
import { tool } from '../protocol/tool.ts'
import { dayNumber } from '../query/past-days.ts'
import { dayName, phrase, plainMeta, reply, valueWords } from '../words/reply.ts'
import { localDate } from './get-sun-moon.ts'

const number = z.number().nullable()
const LABELS = { imperial: ['F', 'in'], metric: ['C', 'mm'], si: ['K', 'mm'] } as const

export const getClimateNormals = tool({
  name: 'get_climate_normals',
  title: 'Get climate normals',
  description:
    'What is usual for the time of year at a US place: normal high, low, mean and precipitation 1991-2020 of each date: "what is normal in March", "how cold does it usually get". Records: get_climate_records; past days: get_past_weather.',
  input: z.strictObject({
    ...shape.place,
    ...shape.units,
    date: shape.day('First date, today where absent').optional(),
    days: z.number().int().min(1).max(31).default(7).describe('Number of dates.'),
  }),
  output: z.object({
    location: shape.location,
    units: z.string(),
    climate: z
      .object({
        station: z.looseObject({ station_id: z.string(), name: z.string(), distance_km: z.number() }),
        meta: z.looseObject({
          normals_period: z.string(),
          source: z.string(),
          unit: z.string(),
          approximate: z.boolean(),
        }),
        days: z.array(
          z.looseObject({ date: z.string(), normal_high: number, normal_low: number, normal_precip: number }),
        ),
      })
      .nullable(),
    meta: shape.meta,
  }),
  async run(input, context) {
    const spot = findSpot(input)
    const from = dayNumber(input.date ?? localDate(context.now, spot.timezone), 'date')
    const { nearest, warnings } = await normalsAt(context.deps.live.climate, spot.location)
    const climate = nearest ? climateNormals(nearest, from, input.days, input.units) : null
    const meta = plainMeta(context, ['normals'], { warnings, freshness: [normalsFreshness], spots: [spot] })
    const lines = climate
      ? textOf(climate, spot.location.name, input.units)
      : [
          `No climate normals for ${spot.location.name}: ${warnings[0]?.detail ?? 'the installation stores no normals'}.`,
        ]
    return reply({ structured: { location: spot.location, units: input.units, climate }, lines, meta })
  },
})

async function normalsAt(
  source: { at(lat: number, lon: number): Promise<ClimateAtPoint> },
  { lat, lon }: { readonly lat: number; readonly lon: number },
): Promise<ClimateAtPoint & { warnings: MetaWarning[] }> {
  try {
    const climate = await source.at(lat, lon)
    return { ...climate, warnings: climate.nearest ? [] : [noNormals] }
  } catch (error) {
    if (!isFault(error)) throw error
    const code = error.kind === 'Missing' ? 'source_missing' : 'source_failed'
    const detail = error.kind === 'Missing' ? error.message : 'the normals could not be read; try again later'
    return { warnings: [{ code, section: 'climate', product_id: 'normals', detail }] }
  }
}

function textOf({ station, meta, days }: ClimateNormals, name: string, system: keyof typeof LABELS): string[] {
  const [degrees, inches] = LABELS[system]
  const far = meta.approximate ? ', more than 50 km away, so approximate' : ''
  const last = days.at(-1)
  return [
    `Usual values for ${name} (normals ${meta.normals_period}, station ${station.name}, ${station.distance_km} km${far}):`,
    ...days.slice(0, 10).map((day) => {
      const sentence = phrase(
        valueWords('high', day.normal_high, degrees),
        valueWords('low', day.normal_low, degrees),
        valueWords('precipitation', day.normal_precip, inches),
      )
      return `${dayName(day.date)}: ${sentence || 'no values'}`
    }),
    ...(days.length > 10 && last ? [`The data goes to ${last.date}.`] : []),
    ...(meta.missing_days > 0 ? [`${meta.missing_days} of ${days.length} days lack the high or the low.`] : []),
  ]
}
