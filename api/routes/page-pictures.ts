import sharp from 'sharp'
import type { Instant } from '../../ingest/domain/time.ts'
import { populated } from '../../ingest/geo/populated.ts'
import { once } from '../../ingest/geo/table.ts'
import type { RadarFrames } from '../live/frames.ts'
import type { LinkedPlace } from '../pages/place-link.ts'
import { STILL_SIZE, type StillName, stillViews } from '../pages/still-view.ts'
import { palettes } from '../picture/colours.ts'
import type { MapPainter } from '../picture/map-painter.ts'
import type { MapLayer, MapTask, PaintedArea } from '../picture/map-task.ts'
import { boxOf } from '../picture/radar.ts'
import { viewOf } from '../picture/view.ts'
import { domainsOf, type QueryBox } from '../query/box.ts'
import type { AreaFeature } from './page-layers.ts'

const PRODUCT = 'mrms-reflectivity-surface'
/** Colours of alert areas by severity, as on the page. */
const colours: Readonly<Record<string, string>> = { Extreme: '#b3129c', Severe: '#d9232b', Moderate: '#e58a00' }
/** Colour of minor and unknown severities. */
const MINOR_COLOUR = '#4f7fb8'
/** Towns with more people than this are named. */
const namedTowns: Readonly<Record<StillName, number>> = { us: 600_000, alaska: 20_000, hawaii: 30_000 }
const PREVIEW = { width: 1200, height: 630, zoom: 7 } as const

export interface PictureDeps {
  readonly maps: MapPainter
  readonly radar: RadarFrames
}

const largeTowns = once(() =>
  populated()
    .filter(({ section, population }) => !section && population > 15_000)
    .map(({ name, lat, lon, population }) => ({ name, lat, lon, population })),
)

interface PageView {
  readonly lat: number
  readonly lon: number
  readonly zoom: number
  readonly width: number
  readonly height: number
}

/** Draws a map with the newest radar and the areas of alerts. */
async function draw(
  { maps, radar }: PictureDeps,
  view: PageView,
  alerts: readonly AreaFeature[],
  minPopulation: number,
  more: Pick<MapTask, 'caption' | 'heading' | 'mark'>,
  caller: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const { bbox } = viewOf(view.lat, view.lon, view.zoom, view.width, view.height)
  const box = bbox as unknown as QueryBox
  const palette = palettes[PRODUCT]
  if (!palette) throw new Error(`${PRODUCT} has no palette`)
  const frames = await Promise.all(domainsOf(box).map((domain) => radar.newest(PRODUCT, domain)))
  const size = { width: view.width, height: view.height }
  const parts = await Promise.all(
    frames
      .filter((frame) => frame !== undefined)
      .map(async (frame) => ({ part: await frame.pick([boxOf(frame.head.grid, box, size, 0)]), steps: 0 })),
  )
  const areas = alerts.flatMap(({ geometry, properties }): PaintedArea[] =>
    geometry.coordinates.map((rings) => ({
      rings: rings.map((ring) => Float64Array.from(ring.flat())),
      colour: colours[String(properties['severity'])] ?? MINOR_COLOUR,
      opacity: 0.25,
    })),
  )
  const layers: MapLayer[] = [
    { kind: 'areas', areas },
    ...(parts.length > 0 ? [{ kind: 'frames' as const, parts, palette, opacity: 0.8 }] : []),
  ]
  const towns = largeTowns().filter(({ population }) => population > minPopulation)
  const picture = await maps.paint({ ...view, layers, names: [], towns, ...more }, caller, signal)
  return picture.png
}

/** Draws the picture that the page shows until the map has loaded, or if it cannot load. */
export async function stillPicture(
  deps: PictureDeps,
  name: StillName,
  alerts: readonly AreaFeature[],
  caption: string,
  signal: AbortSignal,
): Promise<Buffer> {
  const view = { ...stillViews[name], ...STILL_SIZE }
  const png = await draw(deps, view, alerts, namedTowns[name], { caption }, 'page', signal)
  return sharp(png).webp({ quality: 78, effort: 3 }).toBuffer()
}

/** Draws the picture that other sites show next to a link. */
export function previewPicture(
  deps: PictureDeps,
  place: LinkedPlace | undefined,
  alerts: readonly AreaFeature[],
  heading: { title: string; line: string },
  caption: string,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const view = place ? { ...PREVIEW, lat: place.lat, lon: place.lon } : { ...stillViews.us, ...PREVIEW, zoom: 4.5 }
  const minPopulation = place ? 0 : namedTowns.us
  return draw(deps, view, alerts, minPopulation, { caption, heading, ...(place && { mark: place }) }, 'preview', signal)
}

/** Caches one value and refreshes it after `keepMs`. During a refresh, requests get the previous value. */
export function refreshed<A extends { readonly now: Instant }, T>(
  keepMs: number,
  make: (request: A) => Promise<T>,
): (request: A) => Promise<T> {
  let at = 0
  let value: Promise<T> | undefined
  let isRefreshing = false
  return (request) => {
    const { now } = request
    if (value && (now - at < keepMs || isRefreshing)) return value
    isRefreshing = true
    const next = make(request)
    const previous = value
    value ??= next
    next.then(
      () => {
        at = now
        value = next
        isRefreshing = false
      },
      () => {
        value = previous
        isRefreshing = false
      },
    )
    return value
  }
}
