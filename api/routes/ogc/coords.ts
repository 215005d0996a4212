import { Fault } from '../../../ingest/domain/fault.ts'
import type { Position } from '../../../ingest/domain/shape/ring.ts'
import { type Outline, outlineOf } from '../../../ingest/geo/outline.ts'

const MAX_POINTS = 50
const MAX_CORNERS = 200
const MAX_RADIUS_KM = 500
const CIRCLE_CORNERS = 36
const KM_PER_DEGREE = 111.195
/** Degrees of latitude that the edges of a polygon span together; an outline around all states spans 100. */
const MAX_SPAN = 720
/** A circle must lie between these parallels: near a pole it is no ring around its centre. */
const MAX_LATITUDE = 85
const kilometresPer: Readonly<Record<string, number>> = { km: 1, m: 0.001, mi: 1.609344 }
export const withinUnits = Object.keys(kilometresPer)

/** The positions of `POINT(lon lat)` or `MULTIPOINT((lon lat),(lon lat))`. @throws Fault Invalid */
export function parsePoints(text: string): Position[] {
  const [, kind = '', body = ''] = /^\s*(POINT|MULTIPOINT)\s*\((.*)\)\s*$/i.exec(text) ?? []
  const parts = kind.toUpperCase() === 'POINT' ? [body] : body.replaceAll(/[()]/g, ' ').split(',')
  const points = parts.map(positionOf)
  if (kind === '' || points.some((point) => point === undefined))
    throw malformed('POINT(-104.99 39.74), or MULTIPOINT((-104.99 39.74),(-105.1 40))', text)
  if (points.length > MAX_POINTS)
    throw new Fault('Invalid', `coords: wanted at most ${MAX_POINTS} points; got ${points.length}.`, {
      field: 'coords',
    })
  return points as Position[]
}

/** The outline of `POLYGON((lon lat, …))`, holes included. @throws Fault Invalid */
export function parsePolygon(text: string): Outline {
  const [, body] = /^\s*POLYGON\s*\((.*)\)\s*$/i.exec(text) ?? []
  const rings = body
    ?.split(')')
    .map((ring) =>
      ring
        .replaceAll(/[(\s]+/g, ' ')
        .replace(/^[ ,]+/, '')
        .trim(),
    )
    .filter(Boolean)
    .map((ring) => ring.split(',').map(positionOf))
  if (!rings?.length || rings.some((ring) => ring.length < 4 || ring.some((point) => point === undefined)))
    throw malformed('POLYGON((-105 39,-104 39,-104 40,-105 39)), its last corner the first', text)
  const corners = rings.reduce((sum, ring) => sum + ring.length, 0)
  if (corners > MAX_CORNERS)
    throw new Fault('Invalid', `coords: wanted at most ${MAX_CORNERS} corners; got ${corners}.`, { field: 'coords' })
  if (spanOf(rings as Position[][]) > MAX_SPAN)
    throw new Fault(
      'Invalid',
      `coords: wanted edges that span at most ${MAX_SPAN} degrees of latitude together; got more. Ask for a simpler outline.`,
      { field: 'coords' },
    )
  const outline = outlineOf(rings as Position[][])
  if (outline.east - outline.west > 180)
    throw new Fault('Invalid', 'coords: a polygon across the antimeridian is not supported: ask for its two sides.', {
      field: 'coords',
    })
  return outline
}

/** The outline of a circle of `within` kilometres, miles or metres around a point. @throws Fault Invalid */
export function circleOf(text: string, within: number, unit: string): Outline {
  const [centre, more] = parsePoints(text)
  if (!centre || more) throw malformed('one POINT(-104.99 39.74)', text)
  const km = within * kilometresPer[unit]!
  if (km > MAX_RADIUS_KM)
    throw new Fault('Invalid', `within: wanted at most ${MAX_RADIUS_KM} km; got ${Math.round(km)} km.`, {
      field: 'within',
    })
  const [lon, lat] = centre
  const north = km / KM_PER_DEGREE
  const east = north / Math.cos((lat * Math.PI) / 180)
  if (Math.abs(lat) + north > MAX_LATITUDE || Math.abs(lon) + east > 180)
    throw new Fault(
      'Invalid',
      `coords: wanted a circle within ${MAX_LATITUDE} degrees of latitude that does not cross the antimeridian; got ${Math.round(km)} km around ${lon} ${lat}.`,
      { field: 'coords' },
    )
  const ring = Array.from({ length: CIRCLE_CORNERS }, (_, i): Position => {
    const angle = (i * 2 * Math.PI) / CIRCLE_CORNERS
    return [lon + east * Math.cos(angle), lat + north * Math.sin(angle)]
  })
  return outlineOf([ring])
}

const spanOf = (rings: readonly Position[][]): number =>
  rings.reduce((sum, ring) => sum + ring.reduce((own, [, lat], i) => own + Math.abs(lat - ring.at(i - 1)![1]), 0), 0)

const number = /^[+-]?(?:\d{1,3}(?:\.\d{0,12})?|\.\d{1,12})$/

function positionOf(text: string): Position | undefined {
  const [x, y, ...rest] = text.trim().split(/ +/)
  if (x === undefined || y === undefined || rest.length > 0 || !number.test(x) || !number.test(y)) return undefined
  const [lon, lat] = [Number(x), Number(y)]
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90 ? [lon, lat] : undefined
}

const malformed = (wanted: string, text: string) =>
  new Fault('Invalid', `coords: wanted ${wanted}, longitude first; got "${text.slice(0, 90)}".`, { field: 'coords' })
