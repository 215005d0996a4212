import type * as maplibre from 'maplibre-gl'
import { el, find } from '../dom.ts'
import { type PageUnits, units } from '../state.ts'
import { layerSwitch, layers } from './layers.ts'
import { radarLayer } from './radar.ts'
import { stillBounds } from './still.ts'
import { isDark, style } from './style.ts'

export interface ShownMap {
  mark(lat: number, lon: number, timeZone: string): void
}

const PLACE_ZOOM = 6.2
const SMALL_WIDTH = 640

/** The library is a file of its own, which puts itself on the window. */
async function library(script: string): Promise<typeof maplibre> {
  await import(script)
  return (globalThis as unknown as { maplibregl: typeof maplibre }).maplibregl
}

export async function showMap({
  container,
  script,
  at,
  choose,
  settled,
}: {
  container: HTMLElement
  /** Where it begins; the whole country where absent. */
  at: { lat: number; lon: number } | undefined
  script: string
  choose: (lat: number, lon: number) => void
  settled: () => Promise<void>
}): Promise<ShownMap> {
  const { Map: MapLibre, Marker, NavigationControl, ScaleControl } = await library(script)
  const still = matchMedia('(prefers-reduced-motion: reduce)')
  const host = el('div', { class: 'live' })
  container.append(host)
  const map = new MapLibre({
    container: host,
    style: style(isDark()),
    ...(at ? { center: [at.lon, at.lat], zoom: PLACE_ZOOM } : { bounds: stillBounds() }),
    minZoom: 2,
    maxZoom: 11,
    maxBounds: [-200, 5, -40, 76],
    // It would draw within the layout that makes room for a forecast, before the forecast is painted.
    trackResize: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    cooperativeGestures: matchMedia('(pointer: coarse)').matches,
    attributionControl: { compact: true },
    fadeDuration: still.matches ? 0 : 200,
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
  host.classList.add('ready')
  let resizing = false
  new ResizeObserver(async () => {
    if (resizing) return
    resizing = true
    await settled()
    resizing = false
    map.resize().redraw()
  }).observe(host)
  // On a small map the credits are behind their button, as they are after the first move.
  if (container.clientWidth < SMALL_WIDTH) {
    const credits = find<HTMLDetailsElement>('.maplibregl-ctrl-attrib', host)
    credits.classList.remove('maplibregl-compact-show')
    credits.open = false
  }

  const notes: Record<string, string> = {}
  const noteLine = find('.map-note')
  const note = (layer: string, text: string) => {
    notes[layer] = text
    noteLine.textContent = Object.values(notes).filter(Boolean).join(' ')
  }
  const radar = radarLayer(map, (text) => note('radar', text))
  const others = layerSwitch(map, note)
  for (const input of document.querySelectorAll<HTMLInputElement>('.layers input')) {
    const apply = () => (input.name in layers ? others.set(input.name, input.checked) : radar.show(input.checked))
    input.addEventListener('change', apply)
    if (input.checked) apply()
  }
  map.on('click', ({ lngLat }) => choose(lngLat.lat, lngLat.wrap().lng))
  map.getCanvas().addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return
    const { lat, lng } = map.getCenter().wrap()
    choose(lat, lng)
  })
  map.on('mousemove', ({ point }) => {
    const found = map.queryRenderedFeatures(point, { layers: others.ids() })
    note('pointer', others.describe(found) ?? '')
    map.getCanvas().style.cursor = 'crosshair'
  })
  map.on('mouseout', () => note('pointer', ''))
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    for (const { id, type } of style(isDark()).layers) {
      const paint = style(isDark()).layers.find((one) => one.id === id && one.type === type)?.paint ?? {}
      for (const [name, value] of Object.entries(paint)) map.setPaintProperty(id, name as never, value)
    }
  })
  const marker = new Marker({ color: '#d9232b', scale: 0.8 })
  return {
    mark(lat, lon, timeZone) {
      marker.setLngLat([lon, lat]).addTo(map)
      marker.getElement().setAttribute('aria-hidden', 'true')
      marker.getElement().removeAttribute('tabindex')
      radar.player.setZone(timeZone)
      const target = { center: [lon, lat] as [number, number], zoom: Math.max(map.getZoom(), PLACE_ZOOM) }
      const near = map.getBounds().contains([lon, lat])
      if (near && map.getZoom() >= PLACE_ZOOM - 1) return
      // A flight to a place elsewhere draws and loads a country of tiles on the way.
      if (still.matches || !near) map.jumpTo(target)
      else map.easeTo({ ...target, duration: 700 })
    },
  }
}
