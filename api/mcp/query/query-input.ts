import { z } from 'zod'
import * as shape from '../tools/input.ts'

/** What a query may ask. */
export const input = z.strictObject({
  ...shape.place,
  dataset_id: z.string().min(1).max(80).describe('Dataset, as list_datasets names it.'),
  variables: z
    .array(z.string().min(1).max(80))
    .min(1)
    .max(20)
    .meta({ uniqueItems: true })
    .describe('Variables, as describe_dataset names them.'),
  points: z.array(z.strictObject(shape.placed)).min(1).max(50).optional().describe('1 to 50 places instead of one.'),
  bbox: z.array(z.number()).length(4).optional().describe('west, south, east, north: the cells inside, 500 at most.'),
  resolution: z.number().int().min(3).max(7).optional().describe('H3 resolution of cells; the finest that fits.'),
  stations: z.array(z.string().min(3).max(5)).min(1).max(20).optional().describe('Station ids (kind station).'),
  start: z.string().min(1).max(40).optional().describe('First time: ISO date-time with zone, or a UTC date.'),
  end: z.string().min(1).max(40).optional().describe('Last time, inclusive; not together with hours.'),
  hours: z.number().int().min(1).max(264).optional().describe('Length, 24 by default.'),
  run: z.string().min(1).max(40).default('latest').describe('latest, or a reference time of describe_dataset.'),
  aggregate: z
    .strictObject({
      over: z
        .enum(['time', 'day', 'space', 'all'])
        .optional()
        .describe(
          'time (where absent): one row a point; day: one row a point and local day; space: one row a time; all: one row.',
        ),
      functions: z
        .array(z.string())
        .min(1)
        .max(6)
        .meta({ uniqueItems: true })
        .describe('min, max, mean, sum, median, stddev, count, p1 to p99.'),
    })
    .optional()
    .describe('Aggregates instead of single values.'),
  filters: z
    .array(
      z.strictObject({
        variable: z.string().min(1).max(80).describe('Variable.'),
        op: z.enum(['lt', 'le', 'eq', 'ne', 'ge', 'gt']).describe('Comparison.'),
        value: z.number().describe('In the units asked for.'),
      }),
    )
    .min(1)
    .max(5)
    .optional()
    .describe('Only rows where all are true, before aggregation.'),
  ...shape.units,
  format: z
    .enum(['json', 'csv', 'arrow', 'parquet'])
    .default('json')
    .describe('csv, arrow and parquet: as an embedded resource.'),
  limit: z.number().int().min(1).max(5000).default(500).describe('Rows a page.'),
  cursor: z.string().min(1).max(500).optional().describe('next_cursor of the page before; same arguments.'),
  provenance: z.boolean().default(false).describe('Also the file bytes that values came from.'),
})
export type Input = z.output<typeof input>
