/** A map projection: degrees to metres on its plane and back. */
export interface Projection {
  toPlane(lat: number, lon: number): [x: number, y: number]
  toEarth(x: number, y: number): [lat: number, lon: number]
  /** Angle in radians from grid to true wind at a longitude (and latitude); see `Grid.windRotation`. */
  rotation(lat: number, lon: number): number
}

/** Points that are evenly spaced on the plane of a projection, from the first point on. */
export interface Lattice {
  toLatLon(i: number, j: number): [lat: number, lon: number]
  toIndex(lat: number, lon: number): [i: number, j: number]
  windRotation(i: number, j: number): number
}

/**
 * The lattice of a projected grid. `dx`, `dy` are metres between neighbours and carry the sign of the scan: negative
 * where i runs west or j runs south.
 */
export function latticeOn(plane: Projection, lat1: number, lon1: number, dx: number, dy: number): Lattice {
  const [x1, y1] = plane.toPlane(lat1, lon1)
  const toLatLon = (i: number, j: number) => plane.toEarth(x1 + i * dx, y1 + j * dy)
  return {
    toLatLon,
    toIndex(lat, lon) {
      const [x, y] = plane.toPlane(lat, lon)
      return [(x - x1) / dx, (y - y1) / dy]
    },
    windRotation(i, j) {
      const [lat, lon] = toLatLon(i, j)
      return plane.rotation(lat, lon)
    },
  }
}
