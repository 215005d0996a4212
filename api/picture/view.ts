import type { Box } from '../../ingest/domain/shape/ring.ts'

/** A picture in Web Mercator around a centre. */
export interface View {
  readonly width: number
  readonly height: number
  readonly zoom: number
  readonly lat: number
  readonly lon: number
  /** west, south, east, north */
  readonly bbox: readonly [number, number, number, number]
  x(lon: number): number
  y(lat: number): number
}

const TILE_PX = 256

/** A longitude that is equal to `lon` modulo 360 and within 180° of `centre`. */
export const around = (lon: number, centre: number) => ((((lon - centre + 180) % 360) + 360) % 360) - 180 + centre

export function viewOf(lat: number, lon: number, zoom: number, width: number, height: number): View {
  const world = TILE_PX * 2 ** zoom
  const px = (degrees: number) => ((degrees + 180) / 360) * world
  const py = (degrees: number) => ((1 - Math.asinh(Math.tan((degrees * Math.PI) / 180)) / Math.PI) / 2) * world
  const left = px(lon) - width / 2
  const top = py(lat) - height / 2
  const latAt = (y: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / world))) * 180) / Math.PI
  const lonAt = (x: number) => (x / world) * 360 - 180
  return {
    width,
    height,
    zoom,
    lat,
    lon,
    bbox: [lonAt(left), latAt(top + height), lonAt(left + width), latAt(top)],
    // The Aleutians lie on both sides of 180°, so the copy of a meridian nearest to the centre is used.
    x: (degrees) => px(around(degrees, lon)) - left,
    y: (degrees) => py(degrees) - top,
  }
}

/** The extent of a picture as a box between -180° and 180°, whose west is greater than its east if it crosses 180°. */
export function boxOf({ bbox: [west, south, east, north] }: View): Box {
  if (east - west >= 360) return [-180, south, 180, north]
  if (west < -180) return [west + 360, south, east, north]
  return [west, south, east > 180 ? east - 360 : east, north]
}

export type Line = readonly (readonly [number, number])[]

/** A part of the picture: left, top, right, bottom in pixels. */
export type PixelBox = readonly [number, number, number, number]
