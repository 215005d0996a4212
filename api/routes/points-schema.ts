import { z } from 'zod'
import { BLEND } from '../answer/values.ts'
import { doc } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { formatShape } from '../query/format.ts'
import { asOfShape, instantShape, weatherShape } from '../query/query.ts'
import { index as provenanceIndex, provenanceSchema } from '../sections/provenance-schema.ts'
import { bodyMembers, bodyPoints, listMeta } from './shapes.ts'

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
    description: 'Names of variables, separated by commas: the field names of hourly rows',
    pattern: '^ *[a-z][a-z0-9_]* *(, *[a-z][a-z0-9_]* *){0,19}$',
    expected: '1 to 20 names separated by commas, such as temperature,wind_speed',
  })
const datasetShape = z.string().trim().min(1).max(80).toLowerCase().default(BLEND).meta({
  description: 'A dataset of /v1/catalog by itself; default: the published hourly forecast',
  expected: 'an id of /v1/catalog such as nbm',
})
const timeShape = instantShape('Instant, which may be in the past if values are stored; default: now')
const startShape = instantShape(
  'First time of a period, which may be in the past: the published forecast then has analyses (URMA, else RTMA) and measured amounts, a dataset the runs that were served then; default: the current hour',
)
const endShape = instantShape('Last time of the period, at most 264 hours after start; default: 47 hours after start')
const runShape = instantShape('Reference time of a run that is still stored, with dataset_id; default: the newest run')
const hoursShape = z
  .preprocess(
    (value) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value),
    z.number().int().min(1).max(264),
  )
  .default(48)
  .meta({ description: 'Hours from the current one', expected: 'a whole number from 1 to 264' })

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
const includeShape = z.enum(['provenance']).optional().meta({
  description:
    'provenance: also the file, byte range and digest of each value of a run, with dataset_id and at most 10 points; JSON only',
  expected: 'provenance',
})
export const pointShape = { ...common, time: timeShape, ...period, include: includeShape }
export const seriesShape = { ...common, hours: hoursShape, ...period }

const commonExamples = {
  variables: { examples: ['temperature,wind_speed'] },
  dataset_id: { examples: ['nbm'] },
  run: { examples: ['2026-08-20T16:00:00Z'] },
  as_of: { examples: ['2026-08-20T18:04:00.000Z'] },
  units: { examples: ['imperial'] },
  format: { examples: ['json'] },
  start: { examples: ['2026-08-20T12:00:00Z'] },
  end: { examples: ['2026-08-21T12:00:00Z'] },
}
const pointExamples = {
  ...commonExamples,
  time: { examples: ['2026-08-20T18:00:00Z'] },
  include: { examples: ['provenance'] },
}
export const pointBody = z.strictObject({ points: bodyPoints(500), ...bodyMembers(pointShape, pointExamples) })
const seriesExamples = { ...commonExamples, hours: { 'x-unit': 'h', examples: [48] } }
export const seriesBody = z.strictObject({ points: bodyPoints(100), ...bodyMembers(seriesShape, seriesExamples) })

const labels = z.record(z.string(), z.string())
const status = z.enum(['ok', 'out_of_domain'])
const seriesMember = z
  .object({
    dataset_id: member.dataset_id,
    valid_times: doc(z.array(z.iso.datetime()), 'Valid times, ascending', ['2026-08-20T18:00:00Z']),
    data: z
      .record(z.string(), z.array(z.number().nullable()))
      .meta({ description: 'Values of each variable, one for each valid time', examples: [{ temperature: [71.2] }] }),
    sources: doc(
      z.array(z.string().nullable()).optional(),
      'For a period: the analysis and accumulation, or the run, of each time; null if nothing is stored',
      ['urma'],
    ),
  })
  .optional()
export const pointAnswer = z.object({
  results: z
    .array(
      z.object({
        index: member.index,
        status: doc(status, 'ok, or why the point has no value', 'ok'),
        retryable: member.retryable.optional(),
        series: seriesMember.describe('Values over time'),
        values: z
          .record(z.string(), z.number().nullable())
          .optional()
          .meta({ description: 'Value of each variable; null if there is none', examples: [{ temperature: 71.2 }] }),
        valid_time: member.valid_time.optional(),
        source: member.source.nullish(),
        provenance: provenanceSchema
          .pick({ cell: true, files: true, messages: true, samplings: true })
          .extend({
            values: z.record(z.string(), z.array(provenanceIndex.nullable())).meta({
              description: 'Indexes into messages by variable and valid time',
              examples: [{ temperature: [0, 1, null] }],
            }),
          })
          .optional()
          .describe('Where the values come from. Only with include=provenance'),
      }),
    )
    .describe('One for each point, in the order of the request'),
  units: doc(labels, 'System of units; in an answer the unit of each variable', { temperature: 'F' }),
  meta: listMeta,
})
export const seriesAnswer = z.object({
  results: z
    .array(
      z.object({
        index: member.index,
        status: doc(status, 'ok, or why the point has no value', 'ok'),
        retryable: member.retryable.optional(),
        series: seriesMember.describe('Values over time'),
      }),
    )
    .describe('One for each point, in the order of the request'),
  units: doc(labels, 'System of units; in an answer the unit of each variable', { temperature: 'F' }),
  meta: listMeta,
})
