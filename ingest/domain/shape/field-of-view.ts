/**
 * Half the side and half the diagonal of a lightning mapper's field of view, degrees of scan angle. They were measured from flashes of five
 * satellites.
 */
const SIDE = 7.6
const CORNER = 8.2
/** Radii of the geostationary orbit, the equator and the poles, km. */
const ORBIT = 42164.16
const EQUATOR = 6378.137
const POLE = 6356.7523
const RADIAN = Math.PI / 180

/** Returns the scan angles of a place for a satellite over the equator, degrees east and north of nadir; undefined behind the limb. */
export function scanAngles(subpoint: number, lat: number, lon: number): { x: number; y: number } | undefined {
  const squash = (POLE / EQUATOR) ** 2
  const geocentric = Math.atan(squash * Math.tan(lat * RADIAN))
  const radius = POLE / Math.sqrt(1 - (1 - squash) * Math.cos(geocentric) ** 2)
  const away = (lon - subpoint) * RADIAN
  const sx = ORBIT - radius * Math.cos(geocentric) * Math.cos(away)
  const sy = radius * Math.cos(geocentric) * Math.sin(away)
  const sz = radius * Math.sin(geocentric)
  if (ORBIT * (ORBIT - sx) < sy * sy + (sz * sz) / squash) return undefined
  return { x: Math.asin(sy / Math.hypot(sx, sy, sz)) / RADIAN, y: Math.atan(sz / sx) / RADIAN }
}

/** Returns whether a lightning mapper over `subpoint` sees a place. */
export function mapperSees(subpoint: number, lat: number, lon: number): boolean {
  const angles = scanAngles(subpoint, lat, lon)
  if (!angles) return false
  const { x, y } = angles
  return Math.abs(x) <= SIDE && Math.abs(y) <= SIDE && Math.hypot(x, y) <= CORNER
}

/** Returns the great-circle distance, km. */
export function kilometresBetween(lat1: number, lon1: number, lat2: number, lon2: number): number {
  const half = Math.sin(((lat2 - lat1) * RADIAN) / 2) ** 2
  const across = Math.sin(((lon2 - lon1) * RADIAN) / 2) ** 2
  return 2 * 6371 * Math.asin(Math.min(1, Math.sqrt(half + Math.cos(lat1 * RADIAN) * Math.cos(lat2 * RADIAN) * across)))
}
