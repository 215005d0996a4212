import { Fault } from '../../ingest/domain/fault.ts'
import { Problem } from '../problem.ts'
import { decimal, displayed, fourth, invalidValue, mismatchText } from './query.ts'

export interface Point {
  /** Degrees, rounded to 4 decimals. */
  readonly lat: number
  readonly lon: number
}

/** Characters of one point in a query: two numbers of 15 digits with signs, decimal points and blanks. */
const MAX_POINT_LENGTH = 64
/** Members that may be lists in a body; in a query they are separated by commas. */
const listMembers: ReadonlySet<string> = new Set(['include', 'variables'])

const POINTS_SYNTAX = 'lat,lon;lat,lon;… in degrees, such as 39.74,-104.99;40.01,-105.27'

/** Parses points of a query (`lat,lon;…`) or of a body (`[{ lat, lon }]`). @throws Fault Invalid; Problem payload-too-large */
export function parsePoints(raw: unknown, most: number): Point[] {
  if (typeof raw === 'string' && raw.length > most * MAX_POINT_LENGTH) {
    throw new Problem(
      'payload-too-large',
      `\`points\` must have at most ${most} points of up to ${MAX_POINT_LENGTH} characters, but has ${raw.length} characters. Send them in several requests.`,
      { members: { field: 'points' } },
    )
  }
  const list = typeof raw === 'string' ? raw.split(';').filter((part) => part.trim()) : raw
  if (raw === undefined || !Array.isArray(list) || list.length === 0) {
    const inBody = typeof raw === 'string' ? '' : ', or in a body [{"lat":39.74,"lon":-104.99}]'
    throw invalidValue('points', `${POINTS_SYNTAX}${inBody}`, 'absent or empty')
  }
  if (list.length > most) {
    throw new Problem(
      'payload-too-large',
      `\`points\` must have at most ${most} points, but has ${list.length}. Send them in several requests.`,
      { members: { field: 'points' } },
    )
  }
  return list.map((item, index) => {
    const [lat, lon] = typeof item === 'string' ? pairOfText(item) : pairOfObject(item)
    if (typeof lat !== 'number' || typeof lon !== 'number' || !(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) {
      const message = mismatchText(`points[${index}]`, 'latitude,longitude in degrees', displayed(item))
      throw new Fault('Invalid', message, { field: 'points' })
    }
    return { lat: fourth(lat), lon: fourth(lon) }
  })
}

/** Returns latitude and longitude of a point in a body: an object with `lat` and `lon` and no other member. */
function pairOfObject(item: unknown): readonly [unknown?, unknown?] {
  if (item === null || typeof item !== 'object' || Array.isArray(item)) return []
  const point = item as Partial<Point>
  return Object.keys(item).length === 2 ? [point.lat, point.lon] : []
}

function pairOfText(text: string): [number, number] {
  const parts = text.split(',', 3).map((part) => (decimal.test(part.trim()) ? Number(part) : Number.NaN))
  return parts.length === 2 ? (parts as [number, number]) : [Number.NaN, Number.NaN]
}

/** Returns the query parameters of a GET, or the members of the JSON object of a POST. @throws Fault Invalid */
export function membersOf(
  query: Readonly<Record<string, string>>,
  body: unknown,
  method: 'get' | 'post',
): Record<string, unknown> {
  if (method === 'get') return { ...query }
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw invalidValue('body', 'a JSON object such as {"points":[{"lat":39.74,"lon":-104.99}]}', displayed(body))
  }
  const [parameter] = Object.keys(query)
  if (parameter !== undefined)
    throw new Fault(
      'Invalid',
      `\`${parameter}\` must be in the body of a POST, not in its query. Move it and try again.`,
      {
        field: parameter,
      },
    )
  return Object.fromEntries(
    Object.entries(body as Record<string, unknown>).map(([name, value]) => [
      name,
      listMembers.has(name) && Array.isArray(value) && value.every((item) => typeof item === 'string')
        ? value.join(',')
        : value,
    ]),
  )
}
