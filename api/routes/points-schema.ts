import { z } from 'zod'
import { BLEND } from '../answer/values.ts'
import { formatShape } from '../query/format.ts'
import { asOfShape, instantShape, weatherShape } from '../query/query.ts'
import { listMeta } from './shapes.ts'

const variablesShape = z
  .string()
  .trim()
  .min(1)
  .max(1500)
  .transform((text, context) => {
    const names = [
      ...new Set(
        text
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean),
      ),
    ]
    if (names.length >= 1 && names.length <= 20) return names
    context.addIssue({ code: 'custom', message: `${names.length} names` })
    return z.NEVER
  })
  .meta({
    description: 'Names of variables, separated by commas: the field names of Hourly',
    pattern: '^ *[a-z][a-z0-9_]* *(, *[a-z][a-z0-9_]* *){0,19}$',
    wanted: '1 to 20 names separated by commas, such as temperature,wind_speed',
  })
const datasetShape = z.string().trim().min(1).max(80).toLowerCase().default(BLEND).meta({
  description: 'A dataset of /v1/catalog as it is; absent: the published hourly forecast',
  wanted: 'an id of /v1/catalog such as nbm',
})
const timeShape = instantShape('Instant, also one in the past of which values are stored; absent: now')
const startShape = instantShape(
  'First time of a period, also in the past: of the published forecast the hours before now are analyses (URMA, else RTMA) and measured amounts, of a dataset the runs that were served then; absent: the current hour',
)
const endShape = instantShape('Last time of the period, at most 264 hours after start; absent: 47 hours after start')
const runShape = instantShape('Reference time of a run that is still stored, with dataset_id; absent: the newest')
const hoursShape = z
  .preprocess(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    z.number().int().min(1).max(264),
  )
  .default(48)
  .meta({ description: 'Hours from the current one', wanted: 'a whole number from 1 to 264' })

export const formats = ['json', 'csv', 'parquet', 'arrow', 'covjson'] as const
const common = {
  variables: variablesShape,
  dataset_id: datasetShape,
  run: runShape,
  as_of: asOfShape,
  units: weatherShape.units,
  format: formatShape([...formats]),
}
const period = { start: startShape, end: endShape }
export const pointShape = { ...common, time: timeShape, ...period }
export const seriesShape = { ...common, hours: hoursShape, ...period }

const labels = z.record(z.string(), z.string())
const status = z.enum(['ok', 'out_of_domain'])
const seriesMember = z
  .object({
    dataset_id: z.string(),
    valid_times: z.array(z.iso.datetime()),
    data: z.record(z.string(), z.array(z.number().nullable())),
    sources: z.array(z.string().nullable()).optional(),
  })
  .optional()
export const pointAnswer = z.object({
  results: z.array(
    z.object({
      index: z.int(),
      status,
      retryable: z.boolean().optional(),
      series: seriesMember,
      values: z.record(z.string(), z.number().nullable()).optional(),
      valid_time: z.iso.datetime().optional(),
      source: z.string().nullable().optional(),
    }),
  ),
  units: labels,
  meta: listMeta,
})
export const seriesAnswer = z.object({
  results: z.array(
    z.object({
      index: z.int(),
      status,
      retryable: z.boolean().optional(),
      series: seriesMember,
    }),
  ),
  units: labels,
  meta: listMeta,
})
