import { z } from 'zod'

/** PLACE of the specification: `location`, or `lat` with `lon`. That it is one of them is checked where the place is found. */
export const place = {
  location: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Place: "Denver, CO", a US ZIP code, or "39.74,-104.99". Provide location OR lat+lon, not both.'),
  lat: z.number().min(-90).max(90).optional().describe('Latitude in degrees, with lon.'),
  lon: z.number().min(-180).max(180).optional().describe('Longitude in degrees, with lat.'),
}

export const units = {
  units: z
    .enum(['imperial', 'metric', 'si'])
    .default('imperial')
    .describe('imperial: °F, mph, inches; metric: °C, km/h, mm; si: K, m/s, mm. For all values asked and answered.'),
}

export const day = (what: string) =>
  z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .describe(`${what}, YYYY-MM-DD, local to the place.`)

/** `location` of every answer. */
export const location = z.strictObject({ lat: z.number(), lon: z.number(), name: z.string() })

const warning = z.object({
  code: z.string(),
  section: z.string(),
  detail: z.string().optional(),
  product_id: z.string().optional(),
  fields: z.array(z.string()).optional(),
})

export const meta = z.object({
  generated_at: z.string(),
  attribution: z.object({ sources: z.array(z.string()), notice: z.string() }),
  warnings: z.array(warning),
  freshness: z.array(
    z.object({
      source: z.string(),
      product_id: z.string(),
      reference_time: z.string().nullable(),
      age_seconds: z.number().nullable(),
    }),
  ),
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
const text = z.string().nullable()
const open = z.looseObject({})

/** The sections of REST as tools give them back: named where a reader needs names, open for what may be added. */
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

export const out = { number, text, open }
