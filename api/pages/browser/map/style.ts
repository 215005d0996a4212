import type { StyleSpecification } from 'maplibre-gl'

/** Colours of the base map in a light and a dark page. */
const themes = {
  light: {
    sea: '#cfdeea',
    land: '#e9e8e4',
    us: '#f6f4ee',
    county: '#d3d1c8',
    state: '#7d8794',
    coast: '#93a3b1',
    text: '#222b36',
    halo: '#ffffff',
  },
  dark: {
    sea: '#0c1722',
    land: '#17202a',
    us: '#1f2a35',
    county: '#2f3c49',
    state: '#74859a',
    coast: '#41546a',
    text: '#e6ebf2',
    halo: '#0f1720',
  },
}
export const severityColours: Readonly<Record<string, string>> = {
  Extreme: '#b3129c',
  Severe: '#d9232b',
  Moderate: '#e58a00',
  Minor: '#4f7fb8',
  Unknown: '#4f7fb8',
}

export const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches

/** The style of the base map. It uses tiles of this server, and draws text with the fonts of the visitor's device. */
export function style(dark: boolean): StyleSpecification {
  const c = themes[dark ? 'dark' : 'light']
  const base = 'base'
  return {
    version: 8,
    sources: {
      base: {
        type: 'vector',
        tiles: [`${location.origin}/page/map/{z}/{x}/{y}.pbf`],
        minzoom: 0,
        maxzoom: 9,
        attribution: 'Borders: US Census Bureau, Natural Earth. Places: GeoNames',
      },
    },
    layers: [
      { id: 'sea', type: 'background', paint: { 'background-color': c.sea } },
      { id: 'land', type: 'fill', source: base, 'source-layer': 'land', paint: { 'fill-color': c.land } },
      {
        id: 'land-lines',
        type: 'line',
        source: base,
        'source-layer': 'land',
        paint: { 'line-color': c.coast, 'line-width': 0.6 },
      },
      { id: 'us', type: 'fill', source: base, 'source-layer': 'us', paint: { 'fill-color': c.us } },
      {
        id: 'county-lines',
        type: 'line',
        source: base,
        'source-layer': 'counties',
        minzoom: 6,
        paint: { 'line-color': c.county, 'line-width': 0.8 },
      },
      {
        id: 'us-lines',
        type: 'line',
        source: base,
        'source-layer': 'us',
        paint: { 'line-color': c.coast, 'line-width': 0.9 },
      },
      {
        id: 'state-lines',
        type: 'line',
        source: base,
        'source-layer': 'states',
        paint: { 'line-color': c.state, 'line-width': ['interpolate', ['linear'], ['zoom'], 3, 0.7, 8, 1.6] },
      },
      {
        id: 'places',
        type: 'symbol',
        source: base,
        'source-layer': 'places',
        layout: {
          'text-field': ['get', 'name'],
          'text-font': ['system-ui', 'sans-serif'],
          'text-size': ['match', ['get', 'size'], 2, 13.5, 1, 12, 11],
          'text-anchor': 'center',
          'symbol-sort-key': ['get', 'zoom'],
          'text-padding': 3,
        },
        paint: { 'text-color': c.text, 'text-halo-color': c.halo, 'text-halo-width': 1.4 },
      },
    ],
  }
}
