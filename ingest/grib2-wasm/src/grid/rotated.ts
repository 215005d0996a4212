import { RADIANS, wrap } from './earth.ts'
import type { Lattice } from './plane.ts'

/** Position of the grid's south pole on the earth, and the rotation about its axis, degrees. */
export interface Pole {
  readonly lat: number
  readonly lon: number
  readonly angle: number
}

/** Returns latitude and longitude in the rotated frame (template 3.1, whose south pole is moved to `pole`). */
export function toRotated(lat: number, lon: number, pole: Pole): [lat: number, lon: number] {
  const tilt = (pole.lat + 90) * RADIANS
  const phi = lat * RADIANS
  const lambda = (lon - pole.lon) * RADIANS
  const x = Math.cos(phi) * Math.cos(lambda)
  const y = Math.cos(phi) * Math.sin(lambda)
  const z = Math.sin(phi)
  const x2 = Math.cos(tilt) * x + Math.sin(tilt) * z
  const z2 = -Math.sin(tilt) * x + Math.cos(tilt) * z
  return [Math.asin(Math.max(-1, Math.min(1, z2))) / RADIANS, wrap(Math.atan2(y, x2) / RADIANS - pole.angle)]
}

export function fromRotated(lat: number, lon: number, pole: Pole): [lat: number, lon: number] {
  const tilt = (pole.lat + 90) * RADIANS
  const phi = lat * RADIANS
  const lambda = (lon + pole.angle) * RADIANS
  const x = Math.cos(phi) * Math.cos(lambda)
  const y = Math.cos(phi) * Math.sin(lambda)
  const z = Math.sin(phi)
  const x2 = Math.cos(tilt) * x - Math.sin(tilt) * z
  const z2 = Math.sin(tilt) * x + Math.cos(tilt) * z
  return [Math.asin(Math.max(-1, Math.min(1, z2))) / RADIANS, wrap(Math.atan2(y, x2) / RADIANS + pole.lon)]
}

/** A regular grid in the rotated frame, in coordinates of the earth. */
export function rotated(inner: Lattice, pole: Pole): Lattice {
  const toLatLon = (i: number, j: number): [number, number] => {
    const [lat, lon] = inner.toLatLon(i, j)
    return fromRotated(lat, lon, pole)
  }
  return {
    toLatLon,
    toIndex(lat, lon) {
      const [rotatedLat, rotatedLon] = toRotated(lat, lon, pole)
      return inner.toIndex(rotatedLat, rotatedLon)
    },
    windRotation(i, j) {
      // The angle between true north and the rotated frame's north, from the spherical triangle of the two poles and the
      // point: sin a cos φ = sin(tilt) sin(λ'), with λ' counted in the rotated frame.
      const [rotatedLat, rotatedLon] = inner.toLatLon(i, j)
      const [lat] = fromRotated(rotatedLat, rotatedLon, pole)
      const tilt = (pole.lat + 90) * RADIANS
      const lambda = (rotatedLon + pole.angle) * RADIANS
      const phi = rotatedLat * RADIANS
      const sine = Math.sin(tilt) * Math.sin(lambda)
      const cosine = Math.cos(tilt) * Math.cos(phi) - Math.sin(tilt) * Math.sin(phi) * Math.cos(lambda)
      return Math.atan2(sine, cosine) * (Math.cos(lat * RADIANS) < 1e-12 ? 0 : 1)
    },
  }
}
