import { createRequire } from 'node:module'
import { type GeoProjection, geoAlbersUsa, geoCentroid, geoMercator } from 'd3-geo'
import type { MultiLineString } from 'geojson'
import { feature, mesh } from 'topojson-client'
import { stateByCode } from '../../../ingest/geo/state.ts'
import { once } from '../../../ingest/geo/table.ts'
import type { StationScore } from '../../answer/skill.ts'
import { scoreText } from '../../present/skill-words.ts'
import { type Atlas, layerOf } from '../base-map/layers.ts'
import { html, type Markup } from '../page.ts'
import { wordsOf } from './marks.ts'

const require = createRequire(import.meta.url)
const WIDTH = 720
const HEIGHT = 450
const MARGIN = 14
/** Number of colours from good to bad, each for the same share of the stations. */
const CLASSES = 5
/** Up to this number of stations each has a name under the pointer and a link; more stations are drawn as points only. */
const MAX_NAMED = 300
/** Smallest extent of a map of few stations, degrees. */
const MIN_DEGREES = 2

const atlas = once(() => {
  const states = require('us-atlas/states-10m.json') as Atlas
  return {
    borders: mesh(states, states.objects['states'] as never) as MultiLineString,
    nation: feature(states, layerOf(states, 'nation')),
    states: feature(states, layerOf(states, 'states')).features,
  }
})
const country = once(() => {
  const projection = geoAlbersUsa().fitExtent(frame, atlas().nation)
  return { projection, borders: bordersOf(projection) }
})

const frame: [[number, number], [number, number]] = [
  [MARGIN, MARGIN],
  [WIDTH - MARGIN, HEIGHT - MARGIN],
]

/** Borders of the states in whole units, without repeated positions and parts outside the map. */
function bordersOf(projection: GeoProjection): string {
  const inside = (x: number, y: number) => x > -WIDTH && x < 2 * WIDTH && y > -HEIGHT && y < 2 * HEIGHT
  let path = ''
  for (const line of atlas().borders.coordinates) {
    let last: readonly [number, number] | undefined
    for (const position of line) {
      const at = projection(position as [number, number])
      if (!at || !inside(at[0], at[1])) {
        last = undefined
        continue
      }
      const [x, y] = [Math.round(at[0]), Math.round(at[1])]
      if (!last) path += `M${x} ${y}`
      else if (x !== last[0] || y !== last[1]) path += `l${x - last[0]} ${y - last[1]}`
      last = [x, y]
    }
  }
  return path
}

/** A projection that fits a state into the map; undefined for an unknown state. */
function aroundState(code: string): { projection: GeoProjection; borders: string } | undefined {
  const outline = atlas().states.find(({ id }) => id === stateByCode.get(code)?.fips)
  if (!outline) return undefined
  const [lon] = geoCentroid(outline)
  const projection = geoMercator().rotate([-lon, 0]).fitExtent(frame, outline)
  return { projection, borders: bordersOf(projection) }
}

/** A projection that fits stations into the map. */
function aroundStations(stations: readonly StationScore[]): { projection: GeoProjection; borders: string } {
  // Alaska reaches across the antimeridian, so longitudes are counted from 0 to 360.
  const longitudes = stations.map(({ lon }) => (lon + 360) % 360)
  const latitudes = stations.map(({ lat }) => lat)
  const [west, east] = widened(Math.min(...longitudes), Math.max(...longitudes))
  const [south, north] = widened(Math.min(...latitudes), Math.max(...latitudes))
  const corners = [west, east].flatMap((lon) => [south, north].map((lat): [number, number] => [lon, lat]))
  const projection = geoMercator()
    .rotate([-(west + east) / 2, 0])
    .fitExtent(frame, { type: 'MultiPoint', coordinates: corners })
  return { projection, borders: bordersOf(projection) }
}

function widened(from: number, to: number): [number, number] {
  const margin = Math.max(MIN_DEGREES - (to - from), (to - from) / 3) / 2
  return [from - margin, to + margin]
}

/**
 * Stations as points, coloured by a score.
 * @param options.isCountry true for a map of the 50 states; otherwise the map shows the state, or the surroundings of the stations
 * @param options.address returns the address of the page of a station
 */
export function stationMap(
  stations: readonly StationScore[],
  options: {
    readonly name: string
    readonly unit: string | null
    readonly isCountry: boolean
    readonly state?: string | undefined
    readonly address: (id: string) => string
  },
): Markup {
  const { name, unit, isCountry, state, address } = options
  const { title, best } = wordsOf(name)
  const badness = (score: number) =>
    best === 'least' ? score : best === 'greatest' ? -score : Math.abs(score - (best === 'one' ? 1 : 0))
  const scored = stations
    .flatMap((station) => {
      const score = station.scores[name]
      return score === undefined ? [] : [{ ...station, score }]
    })
    .sort((a, b) => badness(a.score) - badness(b.score))
  if (scored.length === 0) return html`<p>No station has 30 pairs with this score.</p>`
  const { projection, borders } = isCountry ? country() : (state && aroundState(state)) || aroundStations(scored)
  const count = Math.min(CLASSES, scored.length)
  const groups = Array.from({ length: count }, (_, i) =>
    scored.slice(Math.floor((i * scored.length) / count), Math.floor(((i + 1) * scored.length) / count)),
  )
  const at = ({ lon, lat }: StationScore) => projection([lon, lat])
  const points = groups.map((group, i) => {
    if (scored.length > MAX_NAMED)
      return html`<path class="dots c${i}" d="${group
        .map((station) => {
          const position = at(station)
          return position ? `M${position[0].toFixed(0)} ${position[1].toFixed(0)}h0` : ''
        })
        .join('')}"/>`
    return group.map((station) => {
      const position = at(station)
      if (!position) return undefined
      const text = `${station.name} (${station.id}): ${scoreText(name, station.score, unit)}, ${station.pairs.toLocaleString('en')} pairs`
      return html`<a href="${address(station.id)}" aria-label="${text}"><circle class="dot c${i}" cx="${position[0].toFixed(0)}" cy="${position[1].toFixed(0)}" r="7"><title>${text}</title></circle></a>`
    })
  })
  const range = (group: readonly { readonly score: number }[]) => {
    const list = group.map(({ score }) => score)
    return `${scoreText(name, Math.min(...list), unit)} to ${scoreText(name, Math.max(...list), unit)}`
  }
  // Worse stations are drawn last, above the others, since visitors look for them.
  const hasLinks = scored.length <= MAX_NAMED
  const label = `${title} at ${scored.length} stations`
  return html`<svg class="map" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="${hasLinks ? 'group' : 'img'}" aria-label="${label}">
<path class="borders" d="${borders}"/>
${points}
</svg>
<ul class="key classes">${groups.map((group, i) => html`<li><svg viewBox="0 0 12 12" width="14" height="14" aria-hidden="true"><circle class="dot c${i}" cx="6" cy="6" r="5"/></svg> ${range(group)}</li>`)}</ul>`
}
