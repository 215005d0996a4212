import { Fault } from '../../../ingest/domain/fault.ts'
import type { Position } from '../../../ingest/domain/shape/ring.ts'
import { type Outline, outlineAcross, outlineOf } from '../../../ingest/geo/outline.ts'
import { displayed, invalidValue } from '../../query/query.ts'

const MAX_POINTS = 50
const MAX_CORNERS = 200
const MAX_RADIUS_KM = 500
const CIRCLE_CORNERS = 36
const KM_PER_DEGREE = 111.195
/** Largest sum of the degrees of latitude that the edges of a polygon span. An outline around all states spans 100. */
const MAX_SPAN = 720
/** A circle must lie between these parallels, because near a pole it is not a ring around its centre. */
const MAX_LATITUDE = 85
const kilometresPer: Readonly<Record<string, number>> = { km: 1, m: 0.001, mi: 1.609344 }
export const withinUnits = Object.keys(kilometresPer)

/** Parses `POINT(lon lat)` or `MULTIPOINT((lon lat),(lon lat))`. @throws Fault Invalid */
export function parsePoints(text: string): Position[] {
  const [, kind = '', body = ''] = /^\s*(POINT|MULTIPOINT)\s*\((.*)\)\s*$/i.exec(text) ?? []
  const parts = kind.toUpperCase() === 'POINT' ? [body] : body.replaceAll(/[()]/g, ' ').split(',')
  const points = parts.map(positionOf)
  if (kind === '' || points.some((point) => point === undefined))
    throw malformed('points such as POINT(-104.99 39.74), or MULTIPOINT((-104.99 39.74),(-105.1 40))', text)
  if (points.length > MAX_POINTS)
    throw invalidValue('coords', `at most ${MAX_POINTS} points`, `${points.length} points`)
  return points as Position[]
}

/**
 * Parses the outline of `POLYGON((lon lat, …))` or `MULTIPOLYGON(((lon lat, …)))` with holes. One that spans more than half of the
 * globe crosses the antimeridian.
 * @throws Fault Invalid
 */
export function parsePolygon(text: string): Outline {
  const [, body] = /^\s*(?:MULTI)?POLYGON\s*\((.*)\)\s*$/i.exec(text) ?? []
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
    throw malformed('a closed polygon such as POLYGON((-105 39,-104 39,-104 40,-105 39))', text)
  const corners = rings.reduce((sum, ring) => sum + ring.length, 0)
  if (corners > MAX_CORNERS)
    throw invalidValue('coords', `a polygon of at most ${MAX_CORNERS} corners`, `a polygon of ${corners} corners`)
  if (spanOf(rings as Position[][]) > MAX_SPAN)
    throw new Fault(
      'Invalid',
      `The edges of \`coords\` must span at most ${MAX_SPAN} degrees of latitude together, but span more. Send a simpler outline.`,
      { field: 'coords' },
    )
  const outline = outlineOf(rings as Position[][])
  if (outline.east - outline.west <= 180) return outline
  const across = outlineAcross(rings as Position[][])
  if (across.east - across.west > 180)
    throw new Fault('Invalid', '`coords` must span at most 180 degrees of longitude, but spans more. Send its parts.', {
      field: 'coords',
    })
  return across
}

/** Returns the outline of a circle of `within` kilometres, miles or metres around a point. @throws Fault Invalid */
export function circleOf(text: string, within: number, unit: string): Outline {
  const [centre, more] = parsePoints(text)
  if (!centre || more) throw malformed('one POINT(-104.99 39.74)', text)
  const km = within * (kilometresPer[unit] ?? Number.NaN)
  if (km > MAX_RADIUS_KM) throw invalidValue('within', `at most ${MAX_RADIUS_KM} km`, `${Math.round(km)} km`)
  const [lon, lat] = centre
  const north = km / KM_PER_DEGREE
  const east = north / Math.cos((lat * Math.PI) / 180)
  if (Math.abs(lat) + north > MAX_LATITUDE)
    throw invalidValue(
      'coords',
      `the centre of a circle within ${MAX_LATITUDE} degrees of latitude`,
      `${lon} ${lat} with ${Math.round(km)} km`,
    )
  const ring = Array.from({ length: CIRCLE_CORNERS }, (_, i): Position => {
    const angle = (i * 2 * Math.PI) / CIRCLE_CORNERS
    return [lon + east * Math.cos(angle), lat + north * Math.sin(angle)]
  })
  if (lon + east > 180) return outlineAcross([ring])
  return lon - east < -180 ? outlineAcross([ring.map(([x, y]) => [x + 360, y])]) : outlineOf([ring])
}

const spanOf = (rings: readonly Position[][]): number =>
  rings
    .flatMap((ring) => ring.map(([, lat], i) => Math.abs(lat - (ring.at(i - 1)?.[1] ?? lat))))
    .reduce((sum, degrees) => sum + degrees, 0)

const number = /^[+-]?(?:\d{1,3}(?:\.\d{0,12})?|\.\d{1,12})$/

function positionOf(text: string): Position | undefined {
  const [x, y, ...more] = text.trim().split(/ +/)
  if (x === undefined || y === undefined || more.length > 0 || !number.test(x) || !number.test(y)) return undefined
  const [lon, lat] = [Number(x), Number(y)]
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90 ? [lon, lat] : undefined
}

const malformed = (expected: string, text: string) =>
  invalidValue('coords', `${expected}, longitude first`, displayed(text))
