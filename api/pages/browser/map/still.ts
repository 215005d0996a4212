/** The picture that the server draws of the contiguous states: centre, zoom for tiles of 256 pixels, size. */
const STILL = { lat: 38.6, lon: -96, zoom: 4.27, width: 960, height: 600 }
const WORLD = 256 * 2 ** STILL.zoom
const mercator = (lat: number) => (0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * WORLD

/** West, south, east, north of the picture. */
export const stillBounds = (): [number, number, number, number] => {
  const [west, north] = pointAt(0, 0)
  const [east, south] = pointAt(1, 1)
  return [west, south, east, north]
}

/** Longitude and latitude at a share of the picture's width and height. */
export function pointAt(x: number, y: number): [lon: number, lat: number] {
  const lon = STILL.lon + (((x - 0.5) * STILL.width) / WORLD) * 360
  const at = mercator(STILL.lat) + (y - 0.5) * STILL.height
  return [lon, (Math.atan(Math.sinh(Math.PI * (1 - (2 * at) / WORLD))) * 180) / Math.PI]
}
