import { z } from 'zod'

/** PLACE of the specification: `location`, or `lat` with `lon`. `findSpot` checks that a call has one of the two. */
export const place = {
  location: z.string().min(1).max(200).optional().describe('City, ST; ZIP; lat,lon'),
  lat: z.number().min(-90).max(90).optional().describe('Latitude'),
  lon: z.number().min(-180).max(180).optional().describe('Longitude'),
}

/** A place of a list with the caller's own name for it. */
export const placed = {
  location: z.string().min(1).max(200).optional().describe('Place.'),
  lat: z.number().min(-90).max(90).optional().describe('Latitude'),
  lon: z.number().min(-180).max(180).optional().describe('Longitude'),
  label: z.string().min(1).max(80).optional().describe('Your name for it.'),
}

export const units = {
  units: z.enum(['imperial', 'metric', 'si']).default('imperial').describe('Units'),
}

export const detailLevel = z
  .enum(['concise', 'standard', 'detailed'])
  .default('standard')
  .describe('detailed: more columns (CAPE, UV, …).')

export const day = (description: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .describe(`${description}, local YYYY-MM-DD`)

/** `location` of every answer. */
export const location = z.strictObject({ lat: z.number(), lon: z.number(), name: z.string() })

const row = z.looseObject({})

/** `meta` of every answer, whose members have the forms of REST. */
export const meta = z.object({
  generated_at: z.string(),
  attribution: row,
  warnings: z.array(row),
  freshness: z.array(row),
})

/** SERIES of the specification, with the labels of its units. */
export const series = z.object({
  dataset_id: z.string(),
  valid_times: z.array(z.string()),
  data: z.record(z.string(), z.array(z.number().nullable())),
  units: z.record(z.string(), z.string()).optional(),
})

export const widget = z.object({
  spec: z.literal('hexcast/ui-spec'),
  entries: z.array(z.object({ component: z.string(), props: z.looseObject({}) })),
})

const number = z.number().nullable()
const open = z.looseObject({})

/** The sections of REST in a tool's answer. Only members that readers need are named; others are allowed. */
export const forecast = z.looseObject({
  timezone: z.string(),
  units: z.record(z.string(), z.string()),
  current: open.optional(),
  daily: z
    .array(
      z.looseObject({ date: z.string(), relative_day: z.number(), high: number.optional(), low: number.optional() }),
    )
    .optional(),
  hourly: z.array(z.looseObject({ time: z.string(), temperature: number.optional() })).optional(),
  hourly_sampling: z.object({ step_hours: z.number(), from_hour: z.number() }).optional(),
  alerts: z.array(z.looseObject({ id: z.string(), event: z.string() })).optional(),
  alerts_total: z.number().optional(),
  outlooks: z.array(open).optional(),
})

/** The member `forecast` of get_hourly_forecast. */
export const hourlyForecast = forecast.pick({ timezone: true, units: true, hourly: true, hourly_sampling: true })
