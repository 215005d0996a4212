import { z } from 'zod'
import { Fault } from '../../ingest/domain/fault.ts'
import type { Instant } from '../../ingest/domain/time.ts'
import type { MetaWarning } from '../contract.ts'
import { doc } from '../present/property.ts'
import * as member from '../present/shared-properties.ts'
import { PAIR } from '../query/box.ts'

export const SCHEMA_VERSION = '1.0.0'

export const listMeta = z
  .object({
    schema_version: member.schema_version,
    generated_at: member.generated_at,
    attribution: member.attribution.optional(),
    warnings: z
      .array(
        z.object({
          code: doc(z.string(), 'Stable code; new ones may be added', 'stale_source'),
          section: member.section,
          detail: doc(z.string().optional(), 'Explanation of the warning', 'hours 37 to 48 come from the 18Z run'),
          product_id: member.product_id.optional(),
        }),
      )
      .optional()
      .describe('Warnings about missing, late or assumed data'),
  })
  .describe('Metadata of the answer')

/** Returns the `meta` of a list. @param warnings omitted from the answer if empty */
export function metaOf(
  now: Instant,
  attribution?: string,
  warnings: readonly MetaWarning[] = [],
): z.infer<typeof listMeta> {
  return {
    schema_version: SCHEMA_VERSION,
    generated_at: new Date(now).toISOString(),
    ...(attribution && { attribution }),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
  }
}

const number = (value: unknown) =>
  typeof value === 'string' && /^[+-]?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value

export const limitShape = (fallback: number, max: number) =>
  z
    .preprocess(number, z.number().int().min(1).max(max))
    .default(fallback)
    .meta({ description: `Largest number of items, 1 to ${max}`, expected: `a whole number from 1 to ${max}` })

export const radiusShape = z
  .preprocess(number, z.number().min(0.1).max(2000))
  .optional()
  .meta({ description: 'Only sites within this many kilometres', expected: 'a number of kilometres from 0.1 to 2000' })

export const stateShape = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z]{2}$/)
  .optional()
  .meta({ description: 'Postal abbreviation of a state', expected: 'two letters such as CO' })

/** Returns the schema of `lat,lon;lat,lon;…` in a query, for its description: `parsePoints` parses it with more precise messages. */
export const points = (max: number) =>
  z
    .string()
    .max(8000)
    .meta({
      description: `lat,lon;lat,lon;… with at most ${max} points`,
      expected: 'lat,lon;lat,lon;…',
      pattern: `^${PAIR}(;${PAIR})*;?$`,
    })

/** Returns the schema of the points in a body: `[{ "lat", "lon" }, …]`. */
export const bodyPoints = (max: number) =>
  z
    .array(
      z.object({
        lat: z
          .number()
          .min(-90)
          .max(90)
          .meta({ description: 'Latitude, north is positive', 'x-unit': 'degrees', examples: [39.74] }),
        lon: z
          .number()
          .min(-180)
          .max(180)
          .meta({ description: 'Longitude, west is negative', 'x-unit': 'degrees', examples: [-104.99] }),
      }),
    )
    .min(1)
    .max(max)
    .meta({ description: `Points in degrees, at most ${max}` })

/** Returns query parameters as members of a body, with examples, which optional parameters do not have. */
export function bodyMembers<S extends Record<string, z.ZodType>>(
  shape: S,
  meta: { [K in keyof S]: Record<string, unknown> },
): S {
  return Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [name, schema.meta(meta[name] ?? {})]),
  ) as unknown as S
}

/** Rejects query parameters. @throws Fault Invalid */
export function noParameters(query: Readonly<Record<string, string>>): void {
  const [name] = Object.keys(query)
  if (name !== undefined)
    throw new Fault(
      'Invalid',
      `Unknown parameter \`${name.slice(0, 60)}\`: this address takes no parameters. Remove it and try again.`,
      { field: name },
    )
}
