import type { Instant } from '../time.ts'

/** A storm: an object of NOAA/CIMSS ProbSevere or a cell of a single radar. */
export interface StormObject {
  readonly id: string
  /** Outline as rings of `[lon, lat]`, as in GeoJSON. */
  readonly outline: readonly (readonly (readonly [number, number])[])[]
  /** Position of the centre, degrees. */
  readonly lat: number
  readonly lon: number
  /** Velocity in m/s towards east and north. */
  readonly east: number
  readonly north: number
  /** Set for a cell that only one scan has. Its motion is unknown, and `east` and `north` are 0. */
  readonly motionUnknown?: boolean
  /** Time of the scan, if it differs from that of the list. */
  readonly validTime?: Instant
  /** Probability in the next hour, percent; undefined if the file has none. */
  readonly severe?: number
  readonly hail?: number
  readonly wind?: number
  readonly tornado?: number
  /** Attributes of the file, with their units as published. */
  readonly details: Readonly<Record<string, string>>
}

export interface StormList {
  readonly validTime: Instant
  readonly storms: readonly StormObject[]
  /** Features that could not be read, with the reasons. */
  readonly rejected: readonly string[]
  /** Radars without a recent scan, around which storms are unknown. */
  readonly missing?: readonly string[]
}

/** Returns the position of an object on the sphere after some time at a steady velocity, m/s towards east and north. */
export function movedPlace(
  lat: number,
  lon: number,
  east: number,
  north: number,
  seconds: number,
): { lat: number; lon: number } {
  const radius = 6_371_000
  const distance = (Math.hypot(east, north) * seconds) / radius
  const bearing = Math.atan2(east, north)
  const phi = (lat * Math.PI) / 180
  const up = Math.asin(Math.sin(phi) * Math.cos(distance) + Math.cos(phi) * Math.sin(distance) * Math.cos(bearing))
  const across = Math.atan2(
    Math.sin(bearing) * Math.sin(distance) * Math.cos(phi),
    Math.cos(distance) - Math.sin(phi) * Math.sin(up),
  )
  const turned = lon + (across * 180) / Math.PI
  return { lat: (up * 180) / Math.PI, lon: ((((turned + 180) % 360) + 360) % 360) - 180 }
}

/** Returns the direction of motion, degrees from north through east; undefined without motion. */
export function headingOf(east: number, north: number): number | undefined {
  if (Math.hypot(east, north) < 0.1) return undefined
  return ((Math.atan2(east, north) * 180) / Math.PI + 360) % 360
}
