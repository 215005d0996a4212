import { createRequire } from 'node:module'
import { type GeoProjection, geoAlbersUsa, geoCentroid, geoMercator } from 'd3-geo'
import type { MultiLineString } from 'geojson'
import { feature, mesh } from 'topojson-client'
import type { GeometryCollection, Topology } from 'topojson-specification'
import { stateByCode } from '../../../ingest/geo/state.ts'
import { once } from '../../../ingest/geo/table.ts'
import type { StationScore } from '../../answer/skill.ts'
import { scoreText, scoreWords } from '../../present/skill-words.ts'
import { html, type Markup } from '../page.ts'

const require = createRequire(import.meta.url)
const WIDTH = 720
const HEIGHT = 450
const MARGIN = 14
/** Colours from good to bad; each has a fifth of the stations. */
const CLASSES = 5
/** Stations that are named for the pointer and are links; of more only the points are drawn. */
const MAX_NAMED = 300
/** The least that a map of few stations shows, degrees. */
const LEAST_DEGREES = 2

type StatesAtlas = Topology<Record<string, GeometryCollection>>
const atlas = once(() => {
  const states = require('us-atlas/states-10m.json') as StatesAtlas
  return {
    borders: mesh(states, states.objects['states'] as never) as MultiLineString,
    nation: feature(states, states.objects['nation']!),
    states: feature(states, states.objects['states']!).features,
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

/** Borders of the states in whole units; what repeats or lies outside is left out. */
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

/** A state as large as it fits. */
function aroundState(code: string): { projection: GeoProjection; borders: string } | undefined {
  const outline = atlas().states.find(({ id }) => id === stateByCode.get(code)?.fips)
  if (!outline) return undefined
  const [lon] = geoCentroid(outline)
  const projection = geoMercator().rotate([-lon, 0]).fitExtent(frame, outline)
  return { projection, borders: bordersOf(projection) }
}

/** A projection about some stations. */
function aroundStations(stations: readonly StationScore[]): { projection: GeoProjection; borders: string } {
  // Alaska goes across the antimeridian: longitudes are taken from 0 to 360.
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
  const added = Math.max(LEAST_DEGREES - (to - from), (to - from) / 3) / 2
  return [from - added, to + added]
}

/**
 * Stations as points, coloured by a score.
 * @param options.whole the map is that of the 50 states; else of the state, or about the stations @param options.address the page of a station
 */
export function stationMap(
  stations: readonly StationScore[],
  options: {
    readonly name: string
    readonly unit: string | null
    readonly whole: boolean
    readonly state?: string | undefined
    readonly address: (id: string) => string
  },
): Markup {
  const { name, unit, whole, state, address } = options
  const { title, best } = scoreWords[name]!
  const badness = ({ scores }: StationScore) =>
    best === 'least' ? scores[name]! : best === 'greatest' ? -scores[name]! : Math.abs(scores[name]!)
  const known = stations.filter(({ scores }) => scores[name] !== undefined).toSorted((a, b) => badness(a) - badness(b))
  if (known.length === 0) return html`<p>No station has 30 pairs with this score.</p>`
  const { projection, borders } = whole ? country() : (state && aroundState(state)) || aroundStations(known)
  const count = Math.min(CLASSES, known.length)
  const groups = Array.from({ length: count }, (_, i) =>
    known.slice(Math.floor((i * known.length) / count), Math.floor(((i + 1) * known.length) / count)),
  )
  const at = ({ lon, lat }: StationScore) => projection([lon, lat])
  const points = groups.map((group, i) => {
    if (known.length > MAX_NAMED)
      return html`<path class="dots c${i}" d="${group
        .map((one) => {
          const spot = at(one)
          return spot ? `M${spot[0].toFixed(0)} ${spot[1].toFixed(0)}h0` : ''
        })
        .join('')}"/>`
    return group.map((one) => {
      const spot = at(one)
      if (!spot) return undefined
      const text = `${one.name} (${one.id}): ${scoreText(name, one.scores[name]!, unit)}, ${one.pairs.toLocaleString('en')} pairs`
      return html`<a href="${address(one.id)}" aria-label="${text}"><circle class="dot c${i}" cx="${spot[0].toFixed(0)}" cy="${spot[1].toFixed(0)}" r="7"><title>${text}</title></circle></a>`
    })
  })
  const range = (group: readonly StationScore[]) => {
    const list = group.map(({ scores }) => scores[name]!)
    return `${scoreText(name, Math.min(...list), unit)} to ${scoreText(name, Math.max(...list), unit)}`
  }
  // Worse stations are drawn last: they are what is looked for.
  const linked = known.length <= MAX_NAMED
  const label = `${title} at ${known.length} stations`
  return html`<svg class="map" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="${linked ? 'group' : 'img'}" aria-label="${label}">
<path class="borders" d="${borders}"/>
${points}
</svg>
<ul class="key classes">${groups.map((group, i) => html`<li><svg viewBox="0 0 12 12" width="14" height="14" aria-hidden="true"><circle class="dot c${i}" cx="6" cy="6" r="5"/></svg> ${range(group)}</li>`)}</ul>`
}
