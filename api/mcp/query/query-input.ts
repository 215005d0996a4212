import { z } from 'zod'
import * as shape from '../protocol/input.ts'

/** The arguments of query_dataset. */
export const input = z.strictObject({
  ...shape.place,
  dataset_id: z.string().min(1).max(80).describe('As list_datasets names it.'),
  variables: z
    .array(z.string().min(1).max(80))
    .min(1)
    .max(20)
    .meta({ uniqueItems: true })
    .describe('As describe_dataset names them.'),
  points: z.array(z.strictObject(shape.placed)).min(1).max(50).optional().describe('1 to 50 places instead of one.'),
  bbox: z.array(z.number()).length(4).optional().describe('west, south, east, north: 500 cells at most.'),
  areas: z
    .array(z.string().min(2).max(60))
    .min(1)
    .max(10)
    .optional()
    .describe('States (OK), counties (Tulsa County, OK), zones (OKZ060).'),
  polygon: z
    .array(z.array(z.number()).length(2))
    .min(3)
    .max(200)
    .optional()
    .describe('[lon, lat] corners; with aggregate.'),
  resolution: z.number().int().min(3).max(7).optional().describe('H3, the finest that fits.'),
  stations: z.array(z.string().min(3).max(5)).min(1).max(20).optional().describe('Station ids (kind station).'),
  start: z.string().min(1).max(40).optional().describe('First time, ISO with zone.'),
  end: z.string().min(1).max(40).optional().describe('Last time, inclusive; not with hours.'),
  hours: z.number().int().min(1).max(264).optional().describe('Length, 24 by default.'),
  run: z.string().min(1).max(40).default('latest').describe('latest, or one of describe_dataset.'),
  aggregate: z
    .strictObject({
      over: z
        .enum(['time', 'day', 'space', 'area', 'all'])
        .optional()
        .describe('One row a point (time), point and day (day), time (space), area, or in all.'),
      functions: z
        .array(z.string())
        .min(1)
        .max(6)
        .meta({ uniqueItems: true })
        .describe('min max argmin argmax mean sum median stddev count p1…p99'),
    })
    .optional()
    .describe('Statistics.'),
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
    .describe('All must hold.'),
  ...shape.units,
  format: z.enum(['json', 'csv', 'arrow', 'parquet', 'covjson']).default('json').describe('All but json: a resource.'),
  limit: z.number().int().min(1).max(5000).default(500).describe('Rows a page.'),
  cursor: z.string().min(1).max(500).optional().describe('next_cursor of the page before.'),
  list_points: z.boolean().default(false).describe('Also points of areas.'),
  provenance: z.boolean().default(false).describe('Also where values came from.'),
})
export type QueryInput = z.output<typeof input>
