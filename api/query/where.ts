import { z } from 'zod'
import { areaCodes } from '../../ingest/domain/alert/ugc.ts'
import { Problem } from '../problem.ts'
import type { RouteRequest } from '../route.ts'
import { boxShape } from './box.ts'
import { selectorShape } from './query.ts'

/** Parameters that name a place or an area; a request uses one of them. */
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
      description: 'State, or two letters of marine zones: CO, GM',
      wanted: `two letters of a state, a territory or marine zones out of ${areaCodes.join(', ')}`,
    }),
  zone: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{2}[CZ]\d{3}$/)
    .optional()
    .meta({ description: 'Zone or county: COZ040, COC031', wanted: 'a code such as COZ040' }),
  office: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^[A-Z]{3,4}$/)
    .transform((code) => (code.length === 4 ? code.slice(1) : code))
    .optional()
    .meta({ description: 'Forecast office: BOU or KBOU', wanted: 'three or four letters such as BOU' }),
}

type AreaParameters = z.output<z.ZodObject<typeof whereShape>>

/** The area parameter that is used; undefined for none, which means everywhere. @throws Problem for two at once */
export function wayOf(values: AreaParameters & { id?: string }, query: RouteRequest['query']): string | undefined {
  const pointed = ['lat', 'lon', 'location', 'zip'].some((name) => query[name] !== undefined)
  const ways = [
    pointed && 'a point',
    ...(['bbox', 'area', 'zone', 'office', 'id'] as const).map((way) => values[way] !== undefined && way),
  ]
  const given = ways.filter((way) => way !== false)
  if (given.length > 1) {
    throw new Problem(
      'bad-request',
      `wanted one of a point, bbox, area, zone, office or id; got ${given.join(' and ')}.`,
    )
  }
  return given[0]
}
