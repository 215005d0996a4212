import type { CanvasSource, Map as MapLibre } from 'maplibre-gl'
import { read } from '../api.ts'
import { framesOf, newestScan, type RadarFrame, type RadarTimes } from './frames.ts'
import { drawLegend, type Player, player } from './player.ts'

const PRODUCT = 'mrms-reflectivity-surface'
const REFRESH_MS = 2 * 60_000
const CONCURRENT_READS = 4
/** Widths are odd multiples of this step, so that none is a power of two: MapLibre draws a square canvas of such a size black. */
const WIDTH_STEP = 32
const MAX_WIDTH = 31 * WIDTH_STEP
/** Radars do not reach beyond this box. */
const REACH = { west: -180, south: 14, east: -60, north: 72 }

type RadarBox = readonly [west: number, south: number, east: number, north: number]
type Picture = ImageBitmap | 'missing' | 'loading'

/** The visible part of the map, extended to a grid so that small moves and other visitors share pictures; undefined if no radar reaches it. */
function regionOf(map: MapLibre): RadarBox | undefined {
  const bounds = map.getBounds()
  const cells = 2 ** (Math.floor(map.getZoom()) + 2)
  const column = (lon: number) => ((lon + 180) / 360) * cells
  const row = (lat: number) => (0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * cells
  const lonOf = (x: number) => (x / cells) * 360 - 180
  const latOf = (y: number) => (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / cells))) * 180) / Math.PI
  const clamped = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))
  const west = lonOf(Math.floor(column(clamped(bounds.getWest(), REACH.west, REACH.east))))
  const east = lonOf(Math.ceil(column(clamped(bounds.getEast(), REACH.west, REACH.east))))
  const north = latOf(Math.floor(row(clamped(bounds.getNorth(), REACH.south, REACH.north))))
  const south = latOf(Math.ceil(row(clamped(bounds.getSouth(), REACH.south, REACH.north))))
  return east > west && north > south ? [west, south, east, north] : undefined
}

/** Loads the pictures of frames for one region, a few at a time. */
class PictureLoader {
  readonly #pictures = new Map<string, Picture>()
  readonly #queryOf: (frame: RadarFrame) => URLSearchParams
  readonly #onLoad: (frame: RadarFrame) => void
  #waiting: RadarFrame[] = []
  #loading = 0
  #aborter = new AbortController()

  constructor(queryOf: (frame: RadarFrame) => URLSearchParams, onLoad: (frame: RadarFrame) => void) {
    this.#queryOf = queryOf
    this.#onLoad = onLoad
  }

  get({ key }: RadarFrame): Picture | undefined {
    return this.#pictures.get(key)
  }

  /** Requests a picture unless it has been requested already. @param first whether it goes before the waiting pictures */
  request(frame: RadarFrame, first = false): void {
    if (this.#pictures.has(frame.key)) return
    this.#pictures.set(frame.key, 'loading')
    if (first) this.#waiting.unshift(frame)
    else this.#waiting.push(frame)
    this.#loadNext()
  }

  /** Drops all pictures, for a new region. */
  clear(): void {
    this.#aborter.abort()
    this.#aborter = new AbortController()
    this.#waiting = []
    for (const key of [...this.#pictures.keys()]) this.#drop(key)
  }

  /** Drops the pictures of frames that are no longer listed. */
  keepOnly(frames: readonly RadarFrame[]): void {
    const keys = new Set(frames.map(({ key }) => key))
    for (const key of [...this.#pictures.keys()]) if (!keys.has(key)) this.#drop(key)
    this.#waiting = this.#waiting.filter(({ key }) => keys.has(key))
  }

  #drop(key: string): void {
    const picture = this.#pictures.get(key)
    if (typeof picture === 'object') picture.close()
    this.#pictures.delete(key)
  }

  #loadNext(): void {
    while (this.#loading < CONCURRENT_READS) {
      const frame = this.#waiting.shift()
      if (!frame) return
      const { signal } = this.#aborter
      this.#loading++
      fetch(`/page/radar/${PRODUCT}.png?${this.#queryOf(frame)}`, { signal })
        .then(async (response) =>
          response.status === 200 ? createImageBitmap(await response.blob()) : ('missing' as const),
        )
        .catch(() => 'missing' as const)
        .then((picture) => {
          this.#loading--
          if (!signal.aborted) {
            this.#pictures.set(frame.key, picture)
            this.#onLoad(frame)
          }
          this.#loadNext()
        })
    }
  }
}

/** Draws pictures on the map, on a canvas below the county lines. */
class RadarCanvas {
  readonly #map: MapLibre
  readonly #canvas = document.createElement('canvas')

  constructor(map: MapLibre) {
    this.#map = map
  }

  draw(picture: ImageBitmap | 'missing', [west, south, east, north]: RadarBox): void {
    const context = this.#canvas.getContext('2d')
    if (picture === 'missing') context?.clearRect(0, 0, this.#canvas.width, this.#canvas.height)
    else {
      this.#canvas.width = picture.width
      this.#canvas.height = picture.height
      context?.drawImage(picture, 0, 0)
    }
    const corners: [[number, number], [number, number], [number, number], [number, number]] = [
      [west, north],
      [east, north],
      [east, south],
      [west, south],
    ]
    if (!this.#source()) this.#add(corners)
    this.#source()?.setCoordinates(corners)
    // A canvas source reads its canvas only while it plays.
    this.#source()?.play()
    this.#map.once('render', () => this.#source()?.pause())
    this.#map.triggerRepaint()
  }

  remove(): void {
    if (this.#map.getLayer('radar')) this.#map.removeLayer('radar')
    if (this.#source()) this.#map.removeSource('radar')
  }

  #source(): CanvasSource | undefined {
    return this.#map.getSource<CanvasSource>('radar')
  }

  #add(coordinates: [[number, number], [number, number], [number, number], [number, number]]): void {
    this.#map.addSource('radar', { type: 'canvas', canvas: this.#canvas, animate: false, coordinates })
    this.#map.addLayer(
      {
        id: 'radar',
        type: 'raster',
        source: 'radar',
        paint: { 'raster-opacity': 0.85, 'raster-fade-duration': 0, 'raster-resampling': 'nearest' },
      },
      'county-lines',
    )
  }
}

/** Width of a picture of a region in pixels, for the size at which the map shows it. */
function widthOf(map: MapLibre, [west, , east]: RadarBox): number {
  const bounds = map.getBounds()
  const share = (east - west) / (bounds.getEast() - bounds.getWest())
  const pixels = map.getCanvas().clientWidth * share * Math.min(devicePixelRatio, 1.5)
  return Math.min(MAX_WIDTH, Math.max(3, 2 * Math.round(pixels / (2 * WIDTH_STEP)) + 1) * WIDTH_STEP)
}

/** The radar on the map: the newest picture of the visible region is loaded at once, the others when they are played or chosen. */
export function radarLayer(map: MapLibre, note: (text: string) => void): { show(on: boolean): void; player: Player } {
  const canvas = new RadarCanvas(map)
  let region: RadarBox | undefined
  let isOn = false

  const pictures = new PictureLoader(
    (frame) =>
      new URLSearchParams({
        bbox: region?.map((degrees) => degrees.toFixed(4)).join() ?? '',
        width: String(region ? widthOf(map, region) : MAX_WIDTH),
        time: new Date(frame.at).toISOString(),
      }),
    (frame) => {
      if (controls.frame?.key === frame.key) draw()
    },
  )
  const request = (frame: RadarFrame, first = false) => {
    if (region) pictures.request(frame, first)
  }
  const requestAll = () => {
    for (const frame of controls.frames) request(frame)
  }
  const controls = player({
    onFrame: (frame) => {
      if (!isOn) return
      request(frame, true)
      draw()
    },
    isReady: (frame) => {
      const picture = pictures.get(frame)
      return picture !== undefined && picture !== 'loading'
    },
    onPlay: requestAll,
  })
  function draw(): void {
    const { frame, frames } = controls
    const picture = frame && pictures.get(frame)
    // The previous picture stays until the new one has loaded.
    if (!region || !picture || picture === 'loading') return
    canvas.draw(picture, region)
    map.getContainer().dataset['radar'] = frame.key
    const newest = frames[newestScan(frames)]
    // An empty map without a note would look like an all-clear.
    note(
      picture !== 'missing'
        ? ''
        : frame.key === newest?.key
          ? 'No radar picture is available just now.'
          : 'No radar picture of this time is available.',
    )
  }
  function onMove(): void {
    const next = regionOf(map)
    if (!isOn || next?.join() === region?.join()) return
    region = next
    pictures.clear()
    if (controls.frame) request(controls.frame, true)
    if (controls.playing) requestAll()
  }
  async function refresh(): Promise<void> {
    const times = await read<RadarTimes>(`/page/radar/${PRODUCT}`).catch(() => undefined)
    if (!isOn) return
    if (!times) return note('Radar could not be read just now.')
    const frames = framesOf(times)
    controls.hide(frames.length === 0)
    if (frames.length === 0) return note('No radar picture is available just now.')
    pictures.keepOnly(frames)
    drawLegend(times)
    controls.setFrames(frames)
    if (controls.playing) requestAll()
  }
  map.on('moveend', onMove)
  setInterval(() => isOn && !document.hidden && refresh(), REFRESH_MS)
  return {
    player: controls,
    show(on) {
      if (on === isOn) return
      isOn = on
      note('')
      if (isOn) {
        onMove()
        void refresh()
      } else {
        controls.hide(true)
        region = undefined
        pictures.clear()
        canvas.remove()
      }
    },
  }
}
