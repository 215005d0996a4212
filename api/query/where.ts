import { z } from 'zod'
import { areaCodes } from '../../ingest/domain/alert/ugc.ts'
import { Problem } from '../problem.ts'
import type { RouteRequest } from '../route.ts'
import { boxShape } from './box.ts'
import { selectorShape } from './query.ts'

/** Parameters that name a place or an area; a request uses at most one of them. */
export const whereShape = {
  ...selectorShape,
  bbox: boxShape,
  area: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}$/)
    .optional()
    .meta({
      description: 'State, or the two letters of marine zones: CO, GM',
      expected: `two letters of a state, a territory or marine zones out of ${areaCodes.join(', ')}`,
    }),
  zone: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}[CZ]\d{3}$/)
    .optional()
    .meta({ description: 'Zone or county: COZ040, COC031', expected: 'a code such as COZ040' }),
  office: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{3,4}$/)
    .transform((code) => (code.length === 4 ? code.slice(1) : code))
    .optional()
    .meta({ description: 'Forecast office: BOU or KBOU', expected: 'three or four letters such as BOU' }),
}

type AreaParameters = z.output<z.ZodObject<typeof whereShape>>

/** Returns which parameter names the area; undefined if none does, which means everywhere. @throws Problem for two at once */
export function wayOf(values: AreaParameters & { id?: string }, query: RouteRequest['query']): string | undefined {
  const hasPoint = ['lat', 'lon', 'location', 'zip'].some((name) => query[name] !== undefined)
  const ways = [
    hasPoint && 'a point',
    ...(['bbox', 'area', 'zone', 'office', 'id'] as const).map((way) => values[way] !== undefined && way),
  ]
  const used = ways.filter((way) => way !== false)
  if (used.length > 1) {
    throw new Problem(
      'bad-request',
      `The area must be at most one of a point, \`bbox\`, \`area\`, \`zone\`, \`office\` or \`id\`, but was ${used.join(' and ')}. Keep one of them.`,
    )
  }
  return used[0]
}
