import type { FeatureCollection } from 'geojson'
import type { GeoJSONSource, MapGeoJSONFeature, Map as MapLibre } from 'maplibre-gl'
import { read } from '../api.ts'
import { severityColours } from './style.ts'

const REFRESH_MS = 2 * 60_000
const MAX_STATIONS = '300'
const unitInputs = 'input[name=units]'
const isMetric = () => document.querySelector<HTMLInputElement>(`${unitInputs}:checked`)?.value === 'metric'

/** A layer of the map that can be switched on: how it is read, drawn, and described under the pointer. */
interface PageLayer {
  /** True if the layer depends on the region, so that it is read again after a move. */
  readonly regional?: boolean
  /** @throws Error if the data cannot be read */
  read(map: MapLibre): Promise<FeatureCollection>
  add(map: MapLibre, source: string): void
  describe(properties: Readonly<Record<string, unknown>>): string
  /** The note for an empty result. */
  readonly none?: string
  /** The note for a failed read. */
  readonly failed: string
}

const collection = (features: readonly unknown[]) => ({ type: 'FeatureCollection', features }) as FeatureCollection
const readList = async (name: string): Promise<FeatureCollection> => {
  const list = (await read<Record<string, unknown[] | null>>(`/page/${name}`))[name]
  if (!list) throw new Error(`${name}: not known`)
  return collection(list)
}
const severity = ['match', ['get', 'severity'], ...Object.entries(severityColours).flat(), '#4f7fb8'] as never
const time = (at: unknown) =>
  new Date(String(at)).toLocaleTimeString('en-US', { weekday: 'short', hour: 'numeric', minute: '2-digit' })

export const layers: Readonly<Record<string, PageLayer>> = {
  alerts: {
    read: () => readList('alerts'),
    add(map, source) {
      map.addLayer(
        { id: source, type: 'fill', source, paint: { 'fill-color': severity, 'fill-opacity': 0.26 } },
        'county-lines',
      )
      map.addLayer(
        { id: `${source}-line`, type: 'line', source, paint: { 'line-color': severity, 'line-width': 1.4 } },
        'places',
      )
    },
    describe: ({ event, severity: grade, ends }) => `${event} (${grade}) until ${time(ends)}`,
    failed: 'Alerts could not be read just now. This is no all-clear.',
  },
  outlooks: {
    read: () => readList('outlooks'),
    add(map, source) {
      const colour = [
        'match',
        ['get', 'rank'],
        2,
        '#8fc98f',
        3,
        '#4f9a4f',
        4,
        '#e0d04a',
        5,
        '#e39a3b',
        '#d9413b',
      ] as never
      // The outlook lies below the radar: it covers whole states and would tint the radar colours.
      map.addLayer(
        { id: source, type: 'fill', source, paint: { 'fill-color': colour, 'fill-opacity': 0.3 } },
        map.getLayer('radar') ? 'radar' : 'county-lines',
      )
      map.addLayer(
        {
          id: `${source}-line`,
          type: 'line',
          source,
          paint: { 'line-color': colour, 'line-width': 1.6, 'line-dasharray': [3, 2] },
        },
        'places',
      )
    },
    describe: ({ label }) => `Severe outlook, today: ${label}`,
    none: 'No severe thunderstorms are outlooked for today.',
    failed: 'The outlook could not be read just now.',
  },
  storms: {
    async read() {
      const { features } = await read<FeatureCollection>('/page/storms')
      const tracks = features.flatMap((storm) => {
        const { lon, lat, forecast } = storm.properties as {
          lon: number
          lat: number
          forecast: { lon: number; lat: number }[]
        }
        if (forecast.length === 0) return []
        const coordinates = [[lon, lat], ...forecast.map((at) => [at.lon, at.lat])]
        const end = coordinates.at(-1) ?? [lon, lat]
        return [
          { type: 'Feature', geometry: { type: 'LineString', coordinates }, properties: storm.properties },
          { type: 'Feature', geometry: { type: 'Point', coordinates: end }, properties: storm.properties },
        ]
      })
      return collection([...features, ...tracks])
    },
    add(map, source) {
      const hasType = (type: string) => ['==', ['geometry-type'], type] as never
      map.addLayer(
        {
          id: source,
          type: 'fill',
          source,
          filter: hasType('Polygon'),
          paint: { 'fill-color': '#5b1a8b', 'fill-opacity': 0.25, 'fill-outline-color': '#5b1a8b' },
        },
        'places',
      )
      map.addLayer(
        {
          id: `${source}-line`,
          type: 'line',
          source,
          filter: hasType('LineString'),
          paint: { 'line-color': '#7a35b0', 'line-width': 2 },
        },
        'places',
      )
      map.addLayer({
        id: `${source}-end`,
        type: 'circle',
        source,
        filter: hasType('Point'),
        paint: {
          'circle-radius': 3.5,
          'circle-color': '#7a35b0',
          'circle-stroke-color': '#fff',
          'circle-stroke-width': 1,
        },
      })
    },
    describe: ({ speed, severe_probability: severe, max_reflectivity_dbz: echo }) =>
      `Storm${typeof speed === 'number' ? `, ${isMetric() ? `${Math.round(speed * 3.6)} km/h` : `${Math.round(speed * 2.237)} mph`}` : ''}${typeof severe === 'number' ? `, ${severe}% chance of severe weather within the hour` : ''}${typeof echo === 'number' ? `, ${echo} dBZ` : ''}; the line is the next hour`,
    none: 'No storms are tracked just now. This is no all-clear.',
    failed: 'Storm tracks could not be read just now.',
  },
  lightning: {
    async read() {
      const { lightning } = await read<{ lightning: { flashes: [number, number, number][] } | null }>('/page/lightning')
      if (!lightning) throw new Error('lightning: not known')
      return collection(
        lightning.flashes.map(([lon, lat, age]) => ({
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [lon, lat] },
          properties: { age },
        })),
      )
    },
    add(map, source) {
      map.addLayer({
        id: source,
        type: 'circle',
        source,
        paint: {
          'circle-radius': ['interpolate', ['linear'], ['zoom'], 3, 2, 8, 4],
          'circle-color': ['interpolate', ['linear'], ['get', 'age'], 0, '#ffffff', 120, '#ffe14d', 600, '#d47a00'],
          'circle-stroke-color': '#5a3d00',
          'circle-stroke-width': 0.6,
        },
      })
    },
    describe: ({ age }) => `Lightning, ${Math.max(1, Math.round(Number(age) / 60))} min before the newest`,
    none: 'No lightning in the last ten minutes.',
    failed: 'Lightning could not be read just now.',
  },
  stations: {
    regional: true,
    read(map) {
      const bounds = map.getBounds()
      const bbox = [
        Math.max(-180, bounds.getWest()),
        Math.max(-90, bounds.getSouth()),
        Math.min(-60, bounds.getEast()),
        Math.min(90, bounds.getNorth()),
      ]
      return read(
        `/page/stations?${new URLSearchParams({ bbox: bbox.map((degrees) => degrees.toFixed(2)).join(), limit: MAX_STATIONS, units: isMetric() ? 'metric' : 'imperial' })}`,
      )
    },
    add(map, source) {
      map.addLayer({
        id: source,
        type: 'circle',
        source,
        paint: {
          'circle-radius': 3,
          'circle-color': '#0b57a4',
          'circle-stroke-color': '#fff',
          'circle-stroke-width': 1,
        },
      })
      map.addLayer({
        id: `${source}-text`,
        type: 'symbol',
        source,
        filter: ['has', 'temperature'],
        layout: {
          'text-field': ['concat', ['to-string', ['round', ['to-number', ['get', 'temperature']]]], '°'],
          'text-font': ['system-ui', 'sans-serif'],
          'text-size': 12,
          'text-offset': [0, -0.9],
        },
        paint: { 'text-color': '#0b3a6b', 'text-halo-color': '#fff', 'text-halo-width': 1.4 },
      })
    },
    describe: ({ station_id, name, temperature, wind_speed, age_min }) =>
      `${station_id} ${name}: ${typeof temperature === 'number' ? `${Math.round(temperature)}°${isMetric() ? 'C' : 'F'}` : 'no temperature'}${typeof wind_speed === 'number' ? `, wind ${Math.round(wind_speed)} ${isMetric() ? 'km/h' : 'mph'}` : ''}, ${age_min} min ago`,
    none: 'No station reports here.',
    failed: 'Station reports could not be read just now.',
  },
}

/** Switches layers on and off, and reads the layers that are on every two minutes. */
export function layerSwitch(
  map: MapLibre,
  note: (layer: string, text: string) => void,
): {
  set(name: string, on: boolean): void
  describe(features: readonly MapGeoJSONFeature[]): string | undefined
  readonly ids: () => string[]
} {
  const active = new Set<string>()
  const layerIds = (name: string) =>
    ['', '-line', '-end', '-text'].map((part) => `${name}${part}`).filter((id) => map.getLayer(id))
  async function refresh(name: string): Promise<void> {
    const layer = layers[name]
    if (!layer) return
    const data = await layer.read(map).catch(() => undefined)
    if (!active.has(name)) return
    note(name, data ? (data.features.length === 0 ? (layer.none ?? '') : '') : layer.failed)
    const source = map.getSource<GeoJSONSource>(name)
    if (source) source.setData(data ?? collection([]))
    else {
      map.addSource(name, { type: 'geojson', data: data ?? collection([]) })
      layer.add(map, name)
    }
  }
  map.on('moveend', () => {
    for (const name of active) if (layers[name]?.regional) void refresh(name)
  })
  setInterval(() => {
    if (!document.hidden) for (const name of active) void refresh(name)
  }, REFRESH_MS)
  for (const input of document.querySelectorAll(unitInputs))
    input.addEventListener('change', () => active.has('stations') && refresh('stations'))
  return {
    ids: () => [...active].flatMap(layerIds),
    set(name, on) {
      if (on) {
        active.add(name)
        return void refresh(name)
      }
      active.delete(name)
      note(name, '')
      for (const id of layerIds(name)) map.removeLayer(id)
      if (map.getSource(name)) map.removeSource(name)
    },
    describe(features) {
      const [top] = features
      return top && layers[top.source]?.describe(top.properties)
    },
  }
}
