import type * as maplibre from 'maplibre-gl'
import { el, find } from '../dom.ts'
import { layerSwitch, layers } from './layers.ts'
import { radarLayer } from './radar.ts'
import { stillBounds } from './still.ts'
import { isDark, style } from './style.ts'

export interface ShownMap {
  mark(lat: number, lon: number, timeZone: string): void
}

const PLACE_ZOOM = 6.2

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
}: {
  container: HTMLElement
  /** Where it begins; the whole country where absent. */
  at: { lat: number; lon: number } | undefined
  script: string
  choose: (lat: number, lon: number) => void
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
  map.addControl(new ScaleControl({ unit: 'imperial' }))
  await new Promise<void>((resolve, reject) => {
    map.once('load', () => resolve())
    map.once('webglcontextlost', () => reject(new Error('no WebGL')))
  })
  host.classList.add('ready')

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
      const inside = map.getBounds().contains([lon, lat]) && map.getZoom() >= PLACE_ZOOM - 1
      if (inside) return
      if (still.matches) map.jumpTo(target)
      else map.easeTo({ ...target, duration: 700 })
    },
  }
}
