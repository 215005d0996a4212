/** Pictures that are shown until the interactive map has loaded: centre, and zoom for tiles of 256 pixels. All have the same size. */
export const stillViews = {
  us: { name: 'the contiguous United States', lat: 38.6, lon: -96, zoom: 4.27 },
  alaska: { name: 'Alaska', lat: 63.2, lon: -154, zoom: 4.1 },
  hawaii: { name: 'Hawaii', lat: 20.6, lon: -157.4, zoom: 7.2 },
} as const
export const STILL_SIZE = { width: 960, height: 600 } as const

export type StillName = keyof typeof stillViews

/** The name of the picture that shows a point. */
export function stillOf(lat: number, lon: number): StillName {
  // The Aleutians reach beyond 180°.
  if (lat > 50 && (lon < -129 || lon > 0)) return 'alaska'
  return lat < 30 && lon < -140 ? 'hawaii' : 'us'
}

const mercator = (lat: number) => 0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)

/** Longitude and latitude at a share of a picture's width and height. */
export function pointAt(name: StillName, x: number, y: number): [lon: number, lat: number] {
  const view = stillViews[name]
  const world = 256 * 2 ** view.zoom
  const lon = view.lon + (((x - 0.5) * STILL_SIZE.width) / world) * 360
  const at = mercator(view.lat) + ((y - 0.5) * STILL_SIZE.height) / world
  return [lon < -180 ? lon + 360 : lon, (Math.atan(Math.sinh(Math.PI * (1 - 2 * at))) * 180) / Math.PI]
}

/** The position of a point in a picture, as shares of its width and height. */
export function shareOf(name: StillName, lat: number, lon: number): [x: number, y: number] {
  const view = stillViews[name]
  const world = 256 * 2 ** view.zoom
  const east = ((((lon - view.lon + 180) % 360) + 360) % 360) - 180
  return [
    0.5 + ((east / 360) * world) / STILL_SIZE.width,
    0.5 + ((mercator(lat) - mercator(view.lat)) * world) / STILL_SIZE.height,
  ]
}
