import type * as maplibre from 'maplibre-gl'
import { el, find } from '../dom.ts'
import { type PageUnits, units } from '../state.ts'
import { layerSwitch, layers } from './layers.ts'
import type { Player } from './player.ts'
import { radarLayer } from './radar.ts'
import { stillBounds } from './still.ts'
import { isDark, style } from './style.ts'

export interface ShownMap {
  mark(lat: number, lon: number, timeZone: string): void
}

const PLACE_ZOOM = 6.2
const SMALL_WIDTH = 640

/** Loads the map library, a separate file that adds itself to the window. */
async function library(script: string): Promise<typeof maplibre> {
  await import(script)
  return (globalThis as unknown as { maplibregl: typeof maplibre }).maplibregl
}

export interface MapOptions {
  readonly container: HTMLElement
  /** The place at the centre; the map begins with the whole country if it is absent. */
  readonly at: { lat: number; lon: number } | undefined
  readonly script: string
  readonly choose: (lat: number, lon: number) => void
  readonly settled: () => Promise<void>
}

/** Creates the map with its controls. @throws Error if the browser has no WebGL */
async function createMap(
  { Map: MapLibre, NavigationControl, ScaleControl }: typeof maplibre,
  host: HTMLElement,
  at: MapOptions['at'],
  reducedMotion: boolean,
): Promise<maplibre.Map> {
  const map = new MapLibre({
    container: host,
    style: style(isDark()),
    ...(at ? { center: [at.lon, at.lat], zoom: PLACE_ZOOM } : { bounds: stillBounds() }),
    minZoom: 2,
    maxZoom: 11,
    maxBounds: [-200, 5, -40, 76],
    // The library would draw within the layout that makes room for a forecast, before the forecast is painted.
    trackResize: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    cooperativeGestures: matchMedia('(pointer: coarse)').matches,
    attributionControl: { compact: true },
    fadeDuration: reducedMotion ? 0 : 200,
    locale: { 'Map.Title': 'Map: arrow keys move it, plus and minus zoom, Enter chooses the centre' },
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  map.addControl(new NavigationControl({ showCompass: false }), 'top-right')
  const scale = new ScaleControl({ unit: units() })
  map.addControl(scale)
  for (const input of document.querySelectorAll<HTMLInputElement>('input[name=units]'))
    input.addEventListener('change', () => scale.setUnit(input.value as PageUnits))
  await new Promise<void>((resolve, reject) => {
    map.once('load', () => resolve())
    map.once('webglcontextlost', () => reject(new Error('no WebGL')))
  })
  return map
}

/** Fits the map to its element after each change of size, once the page has settled. */
function resizeWhenSettled(map: maplibre.Map, host: HTMLElement, settled: () => Promise<void>): void {
  let resizing = false
  new ResizeObserver(async () => {
    if (resizing) return
    resizing = true
    await settled()
    resizing = false
    map.resize().redraw()
  }).observe(host)
}

/** Adds the radar and the layers that the visitor switches on. @returns the player of the radar */
function addLayers(map: maplibre.Map): Player {
  const notes: Record<string, string> = {}
  const noteLine = find('.map-note')
  const note = (layer: string, text: string) => {
    notes[layer] = text
    noteLine.textContent = Object.values(notes).filter(Boolean).join(' ')
  }
  const radar = radarLayer(map, (text) => note('radar', text))
  const otherLayers = layerSwitch(map, note)
  for (const input of document.querySelectorAll<HTMLInputElement>('.layers input')) {
    const apply = () => (input.name in layers ? otherLayers.set(input.name, input.checked) : radar.show(input.checked))
    input.addEventListener('change', apply)
    if (input.checked) apply()
  }
  map.on('mousemove', ({ point }) => {
    const features = map.queryRenderedFeatures(point, { layers: otherLayers.ids() })
    note('pointer', otherLayers.describe(features) ?? '')
    map.getCanvas().style.cursor = 'crosshair'
  })
  map.on('mouseout', () => note('pointer', ''))
  return radar.player
}

/** Recolours the base map when the visitor changes between a light and a dark page. */
function followColourScheme(map: maplibre.Map): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    for (const layer of style(isDark()).layers)
      for (const [name, value] of Object.entries(layer.paint ?? {}))
        map.setPaintProperty(layer.id, name as never, value)
  })
}

/** Shows the interactive map. @throws Error if it cannot be loaded or drawn */
export async function showMap({ container, script, at, choose, settled }: MapOptions): Promise<ShownMap> {
  const maplibregl = await library(script)
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
  const host = el('div', { class: 'live' })
  container.append(host)
  const map = await createMap(maplibregl, host, at, reducedMotion.matches)
  host.classList.add('ready')
  resizeWhenSettled(map, host, settled)
  // On a small map the credits are hidden behind their button, as they are after the first move.
  if (container.clientWidth < SMALL_WIDTH) {
    const credits = find<HTMLDetailsElement>('.maplibregl-ctrl-attrib', host)
    credits.classList.remove('maplibregl-compact-show')
    credits.open = false
  }
  const player = addLayers(map)
  map.on('click', ({ lngLat }) => choose(lngLat.lat, lngLat.wrap().lng))
  map.getCanvas().addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    const { lat, lng } = map.getCenter().wrap()
    choose(lat, lng)
  })
  followColourScheme(map)
  const marker = new maplibregl.Marker({ color: '#d9232b', scale: 0.8 })
  return {
    mark(lat, lon, timeZone) {
      marker.setLngLat([lon, lat]).addTo(map)
      marker.getElement().setAttribute('aria-hidden', 'true')
      marker.getElement().removeAttribute('tabindex')
      player.setZone(timeZone)
      const target = { center: [lon, lat] as [number, number], zoom: Math.max(map.getZoom(), PLACE_ZOOM) }
      const isVisible = map.getBounds().contains([lon, lat])
      if (isVisible && map.getZoom() >= PLACE_ZOOM - 1) return
      // An animated move to a distant place would load and draw the tiles of the whole country on the way.
      if (reducedMotion.matches || !isVisible) map.jumpTo(target)
      else map.easeTo({ ...target, duration: 700 })
    },
  }
}
