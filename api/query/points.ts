import { Fault } from '../../ingest/domain/fault.ts'
import { Problem } from '../problem.ts'
import { decimal, displayed, fourth } from './query.ts'

export interface Point {
  /** Degrees, rounded to 4 decimals. */
  readonly lat: number
  readonly lon: number
}

/** Characters of one point of a query: two numbers of 15 digits, their signs, points and blanks. */
const MAX_POINT_LENGTH = 64
/** Members of a body that may be lists; in a query they are written with commas. */
const listMembers: ReadonlySet<string> = new Set(['include', 'variables'])

const POINTS_SYNTAX = 'lat,lon;lat,lon;… in degrees, such as 39.74,-104.99;40.01,-105.27'

/** Points of a query (`lat,lon;…`) or of a body (`[{ lat, lon }]`). @throws Fault Invalid; Problem payload-too-large */
export function parsePoints(raw: unknown, most: number): Point[] {
  if (typeof raw === 'string' && raw.length > most * MAX_POINT_LENGTH) {
    throw new Problem(
      'payload-too-large',
      `points: wanted at most ${most} of up to ${MAX_POINT_LENGTH} characters, got ${raw.length} characters.`,
      { members: { field: 'points' } },
    )
  }
  const list = typeof raw === 'string' ? raw.split(';').filter((part) => part.trim()) : raw
  if (raw === undefined || !Array.isArray(list) || list.length === 0) {
    throw new Fault(
      'Invalid',
      `points: wanted ${typeof raw === 'string' ? POINTS_SYNTAX : `${POINTS_SYNTAX}, or in a body [{"lat":39.74,"lon":-104.99}]`}; got none.`,
      { field: 'points' },
    )
  }
  if (list.length > most) {
    throw new Problem(
      'payload-too-large',
      `points: wanted at most ${most}, got ${list.length}. Send them in several requests.`,
      { members: { field: 'points' } },
    )
  }
  return list.map((item, index) => {
    const [lat, lon] = typeof item === 'string' ? pair(item) : members(item)
    if (typeof lat !== 'number' || typeof lon !== 'number' || !(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) {
      throw new Fault('Invalid', `points[${index}]: wanted latitude,longitude in degrees; got ${displayed(item)}.`, {
        field: 'points',
      })
    }
    return { lat: fourth(lat), lon: fourth(lon) }
  })
}

/** A point of a body: an object of `lat` and `lon` and nothing else. */
function members(item: unknown): readonly [unknown?, unknown?] {
  if (item === null || typeof item !== 'object' || Array.isArray(item)) return []
  const point = item as Partial<Point>
  return Object.keys(item).length === 2 ? [point.lat, point.lon] : []
}

function pair(text: string): [number, number] {
  const parts = text.split(',', 3).map((part) => (decimal.test(part.trim()) ? Number(part) : Number.NaN))
  return parts.length === 2 ? (parts as [number, number]) : [Number.NaN, Number.NaN]
}

/** Query parameters, or the members of a JSON object as a POST sends it. @throws Fault Invalid */
export function membersOf(
  query: Readonly<Record<string, string>>,
  body: unknown,
  method: 'get' | 'post',
): Record<string, unknown> {
  if (method === 'get') return { ...query }
  if (body === null || typeof body !== 'object' || Array.isArray(body)) {
    throw new Fault('Invalid', 'body: wanted a JSON object such as {"points":[{"lat":39.74,"lon":-104.99}]}.', {
      field: 'body',
    })
  }
  const twice = Object.keys(query)[0]
  if (twice !== undefined)
    throw new Fault('Invalid', `${twice}: wanted in the body of a POST, not in its query.`, { field: twice })
  return Object.fromEntries(
    Object.entries(body as Record<string, unknown>).map(([name, value]) => [
      name,
      listMembers.has(name) && Array.isArray(value) && value.every((one) => typeof one === 'string')
        ? value.join(',')
        : value,
    ]),
  )
}
