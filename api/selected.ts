import { coverage } from '../ingest/geo/coverage.ts'
import { type Match, resolvePlace } from '../ingest/geo/gazetteer.ts'
import { Problem } from './problem.ts'
import { fourth, type Selector } from './query.ts'

export interface SelectedPoint {
  /** Degrees, rounded to 4 decimals. */
  readonly lat: number
  readonly lon: number
  /** What the text named; absent for coordinates. */
  readonly match?: Match
  /** The next place of that name, where the most populous was taken. */
  readonly assumed?: Match
}

export function outsideCoverage(lat: number, lon: number): Problem {
  return new Problem(
    'outside-coverage',
    `${lat}, ${lon} is outside the 50 US states and DC. This does not change: do not ask again for this point.`,
  )
}

/** The point that a selector means. @throws Problem not-found, bad-request (a name that several bear), outside-coverage */
export function selectedPoint(selector: Selector): SelectedPoint {
  if (selector.kind === 'point') return covered(selector.lat, selector.lon)
  const text = selector.kind === 'zip' ? selector.zip : selector.text
  const reading = resolvePlace(text)
  if (reading.kind === 'found') {
    const { match, assumed } = reading
    const point = covered(fourth(match.lat), fourth(match.lon))
    return { ...point, ...(match.kind !== 'coordinates' && { match }), ...(assumed && { assumed }) }
  }
  if (reading.kind === 'ambiguous') {
    const names = reading.candidates.map((place) => `${place.name}, ${place.state}`)
    throw new Problem(
      'bad-request',
      `location: several places are called "${text}". Name the state: ${names.join('; ')}.`,
      {
        members: { field: 'location', candidates: names },
      },
    )
  }
  if (selector.kind === 'zip') throw new Problem('not-found', `zip: no ZIP code ${text} is known.`)
  const near = reading.nearest.map((place) => `${place.name}, ${place.state}`)
  throw new Problem(
    'not-found',
    `location: no place "${text}" is known.${near.length ? ` Near to it in spelling: ${near.join('; ')}.` : ' Give a city and state, a ZIP code, or lat,lon.'}`,
  )
}

function covered(lat: number, lon: number): SelectedPoint {
  if (!coverage(lat, lon)) throw outsideCoverage(lat, lon)
  return { lat, lon }
}
