import { Fault } from '../ingest/domain/fault.ts'
import { Problem } from './problem.ts'
import { fourth } from './query.ts'

export interface Point {
  /** Degrees, rounded to 4 decimals. */
  readonly lat: number
  readonly lon: number
}

const WANTED = 'lat,lon;lat,lon;… in degrees, such as 39.74,-104.99;40.01,-105.27'

/** Points of a query (`lat,lon;…`) or of a body (`[{ lat, lon }]`). @throws Fault Invalid; Problem payload-too-large */
export function parsePoints(raw: unknown, most: number): Point[] {
  const list = typeof raw === 'string' ? raw.split(';').filter((part) => part.trim()) : raw
  if (raw === undefined || !Array.isArray(list) || list.length === 0) {
    throw new Fault(
      'Invalid',
      `points: wanted ${typeof raw === 'string' ? WANTED : `${WANTED}, or in a body [{"lat":39.74,"lon":-104.99}]`}; got none.`,
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
    const [lat, lon] =
      typeof item === 'string' ? pair(item) : [(item as Point | null)?.lat, (item as Point | null)?.lon]
    if (typeof lat !== 'number' || typeof lon !== 'number' || !(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) {
      throw new Fault(
        'Invalid',
        `points[${index}]: wanted latitude,longitude in degrees; got ${JSON.stringify(item).slice(0, 60)}.`,
        { field: 'points' },
      )
    }
    return { lat: fourth(lat), lon: fourth(lon) }
  })
}

function pair(text: string): [number, number] {
  const parts = text.split(',').map((part) => (/^\s*[+-]?(\d+\.?\d*|\.\d+)\s*$/.test(part) ? Number(part) : Number.NaN))
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
      Array.isArray(value) && name !== 'points' ? value.join(',') : value,
    ]),
  )
}
