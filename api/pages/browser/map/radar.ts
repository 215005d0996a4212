import type { CanvasSource, Map as MapLibre } from 'maplibre-gl'
import { read } from '../api.ts'
import { framesOf, newestScan, type RadarFrame, type RadarTimes } from './frames.ts'
import { drawLegend, type Player, player } from './player.ts'

const PRODUCT = 'mrms-reflectivity-surface'
const REFRESH_MS = 2 * 60_000
const AT_ONCE = 4
/** Widths are odd multiples of it, so none is a power of two: MapLibre draws a square canvas of such a size black. */
const WIDTH_STEP = 32
const MAX_WIDTH = 31 * WIDTH_STEP
/** Radars reach no further. */
const REACH = { west: -180, south: 14, east: -60, north: 72 }

type RadarBox = readonly [west: number, south: number, east: number, north: number]
type Picture = ImageBitmap | 'missing' | 'loading'

/** The part of the map that is shown, widened to a grid so that small moves and other visitors share pictures. */
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

/** The radar on the map: pictures of the shown region, the newest at once, the others when they are played or chosen. */
export function radarLayer(map: MapLibre, note: (text: string) => void): { show(on: boolean): void; player: Player } {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')!
  const pictures = new Map<string, Picture>()
  let waiting: RadarFrame[] = []
  let loading = 0
  let region: RadarBox | undefined
  let generation = new AbortController()
  let on = false

  const controls = player({
    onFrame: (frame) => {
      if (!on) return
      want(frame, true)
      draw()
    },
    isReady: (frame) => {
      const picture = pictures.get(frame.key)
      return picture !== undefined && picture !== 'loading'
    },
    onPlay: () => {
      for (const frame of controls.frames) want(frame)
    },
  })

  const width = () => {
    const share = (region![2] - region![0]) / (map.getBounds().getEast() - map.getBounds().getWest())
    const wanted = map.getCanvas().clientWidth * share * Math.min(devicePixelRatio, 1.5)
    return Math.min(MAX_WIDTH, Math.max(3, 2 * Math.round(wanted / (2 * WIDTH_STEP)) + 1) * WIDTH_STEP)
  }
  function want(frame: RadarFrame, first = false): void {
    if (!region || pictures.has(frame.key)) return
    pictures.set(frame.key, 'loading')
    if (first) waiting.unshift(frame)
    else waiting.push(frame)
    load()
  }
  function load(): void {
    while (loading < AT_ONCE && waiting.length > 0) {
      const frame = waiting.shift()!
      const { signal } = generation
      const query = new URLSearchParams({
        bbox: region!.map((degrees) => degrees.toFixed(4)).join(),
        width: String(width()),
        time: new Date(frame.at).toISOString(),
      })
      loading++
      fetch(`/page/radar/${PRODUCT}.png?${query}`, { signal })
        .then(async (response) => {
          if (response.status !== 200) return 'missing' as const
          return createImageBitmap(await response.blob())
        })
        .catch(() => 'missing' as const)
        .then((picture) => {
          loading--
          if (!signal.aborted) {
            pictures.set(frame.key, picture)
            if (controls.frame?.key === frame.key) draw()
          }
          load()
        })
    }
  }
  const source = () => map.getSource<CanvasSource>('radar')
  function draw(): void {
    const frame = controls.frame
    const picture = frame && pictures.get(frame.key)
    // Until the picture is there, the one before stays.
    if (!region || !picture || picture === 'loading') return
    if (picture === 'missing') context.clearRect(0, 0, canvas.width, canvas.height)
    else {
      canvas.width = picture.width
      canvas.height = picture.height
      context.drawImage(picture, 0, 0)
    }
    const [west, south, east, north] = region
    const corners: [[number, number], [number, number], [number, number], [number, number]] = [
      [west, north],
      [east, north],
      [east, south],
      [west, south],
    ]
    if (!source()) {
      map.addSource('radar', { type: 'canvas', canvas, animate: false, coordinates: corners })
      map.addLayer(
        {
          id: 'radar',
          type: 'raster',
          source: 'radar',
          paint: { 'raster-opacity': 0.85, 'raster-fade-duration': 0, 'raster-resampling': 'nearest' },
        },
        'county-lines',
      )
    }
    source()!.setCoordinates(corners)
    // A canvas source reads its canvas while it plays.
    source()!.play()
    map.once('render', () => source()?.pause())
    map.triggerRepaint()
    map.getContainer().dataset['radar'] = frame.key
    const newest = controls.frames[newestScan(controls.frames)]
    // An empty map would read as an all-clear.
    note(
      picture !== 'missing'
        ? ''
        : frame.key === newest?.key
          ? 'No radar picture is available just now.'
          : 'No radar picture of this time is available.',
    )
  }
  function moved(): void {
    const next = regionOf(map)
    if (!on || next?.join() === region?.join()) return
    region = next
    generation.abort()
    generation = new AbortController()
    waiting = []
    for (const picture of pictures.values()) if (typeof picture === 'object') picture.close()
    pictures.clear()
    if (controls.frame) want(controls.frame, true)
    if (controls.playing) for (const frame of controls.frames) want(frame)
  }
  async function refresh(): Promise<void> {
    const listed = await read<RadarTimes>(`/page/radar/${PRODUCT}`).catch(() => undefined)
    if (!on) return
    if (!listed) return note('Radar could not be read just now.')
    const frames = framesOf(listed)
    controls.hide(frames.length === 0)
    if (frames.length === 0) return note('No radar picture is available just now.')
    const keys = new Set(frames.map(({ key }) => key))
    for (const [key, picture] of pictures)
      if (!keys.has(key)) {
        if (typeof picture === 'object') picture.close()
        pictures.delete(key)
      }
    waiting = waiting.filter(({ key }) => keys.has(key))
    drawLegend(listed)
    controls.setFrames(frames)
    if (controls.playing) for (const frame of frames) want(frame)
  }
  map.on('moveend', moved)
  setInterval(() => on && !document.hidden && refresh(), REFRESH_MS)
  return {
    player: controls,
    show(wanted) {
      if (wanted === on) return
      on = wanted
      note('')
      if (on) {
        moved()
        void refresh()
      } else {
        controls.hide(true)
        region = undefined
        generation.abort()
        generation = new AbortController()
        waiting = []
        pictures.clear()
        if (map.getLayer('radar')) map.removeLayer('radar')
        if (source()) map.removeSource('radar')
      }
    },
  }
}
