import { Fault } from '../../ingest/domain/fault.ts'
import { type Abroad, abroadWords, nearestTown } from '../../ingest/geo/abroad.ts'
import { fold } from '../../ingest/geo/fold.ts'
import type { PlaceMatch, Reading } from '../../ingest/geo/match.ts'
import type { NamedArea } from '../../ingest/geo/named-area.ts'
import { largestTowns } from '../../ingest/geo/populated.ts'
import { stateByCode } from '../../ingest/geo/state.ts'
import { fourth } from './query.ts'

export const COVERAGE = 'the coverage, which is the 50 US states and DC'

/** `Denver, CO (39.7392, -104.9847)`, which is usable as a place again. */
export const labelled = (match: PlaceMatch): string =>
  `${match.name}, ${match.state} (${fourth(match.lat)}, ${fourth(match.lon)})`

/** Details of a fault about a place, of which tools make their text. */
export interface PlaceFaultDetails {
  readonly slug?: string
  readonly field?: string
  /** The sentence that says what the text names. */
  readonly sentence?: string
  /** What an assistant can do. */
  readonly next?: string
  /** Places that may be meant, each usable as a place. */
  readonly labelled?: readonly string[]
}

const list = (matches: readonly PlaceMatch[]) => matches.map(labelled).join('; ')

/** Large cities of a state or region: `Detroit, MI`. */
export function citiesOf({ kind, states, cities }: NamedArea): readonly string[] {
  if (kind !== 'state') return cities
  return largestTowns(states[0] ?? '', 3).map(({ name, state }) => `${name}, ${state}`)
}

/** What an area is: `"Michigan" is a state, not a town`. */
export function areaSentence(text: string, area: NamedArea, namesakes: readonly PlaceMatch[]): string {
  const towns = namesakes.length > 0 ? ` Towns with this name: ${list(namesakes.slice(0, 3))}.` : ''
  const bare = area.name.replace(/^the /, '')
  const isSame = fold(text).replace(/^the /, '') === fold(bare)
  const name = isSame ? `a ${area.kind}` : `the ${area.kind} ${bare}`
  return `"${text}" is ${name}, not a town, and its weather differs from place to place.${towns}`
}

/** How to read the alerts of a whole area: by a tool, and over REST. */
function alertAdvice({ kind, states }: NamedArea): { tool: string; rest: string } {
  const [first = ''] = states
  if (kind === 'state')
    return {
      tool: `for the alerts of the whole state call search_alerts with area "${first}"`,
      rest: `the alerts of the whole state are at /v1/alerts?area=${first}`,
    }
  if (states.length === 0)
    return {
      tool: 'for the alerts of the whole country call search_alerts without a place',
      rest: 'the alerts of the whole country are at /v1/alerts',
    }
  return {
    tool: `for its alerts call search_alerts with the area of each state (${states.join(', ')})`,
    rest: `its alerts are at /v1/alerts?area= with each state (${states.join(', ')})`,
  }
}

/** What to do instead of naming an area: for an assistant, and over REST. */
export function areaAdvice(area: NamedArea): { tool: string; rest: string } {
  const [city = ''] = citiesOf(area)
  const { tool, rest } = alertAdvice(area)
  return {
    tool: `ask the user for a city or ZIP code in it and call again with that, such as "${city}"; ${tool}.`,
    rest: `Name a city or ZIP code in it, such as ${citiesOf(area).join('; ')}; ${rest}.`,
  }
}

/** `"Paris" is the city of Paris in France: outside the coverage, …` */
export function abroadSentence(text: string, abroad: Abroad, namesakes: readonly PlaceMatch[]): string {
  const ours = namesakes.length > 0 ? ` US places with this name: ${list(namesakes.slice(0, 4))}.` : ''
  return `"${text}" is ${abroadWords(abroad, text)}: outside ${COVERAGE}.${ours}`
}

/** The fault for the text of a parameter that does not name one place in coverage. */
export function placeFault(
  reading: Exclude<Reading, { kind: 'found' }>,
  name: string,
  field: 'location' | 'zip' = 'location',
): Fault {
  const text = name.replaceAll(/\s+/g, ' ').slice(0, 100)
  switch (reading.kind) {
    case 'area': {
      const { area, namesakes } = reading
      const sentence = areaSentence(text, area, namesakes)
      const advice = areaAdvice(area)
      return fault('Invalid', sentence, advice.rest, {
        next: advice.tool,
        labelled: [...citiesOf(area), ...namesakes.map(labelled)],
        candidates: citiesOf(area),
      })
    }
    case 'abroad': {
      const sentence = abroadSentence(text, reading.abroad, reading.namesakes)
      const ours = reading.namesakes.map(labelled)
      return fault('Missing', sentence, 'This does not change for a place; do not retry.', {
        field,
        slug: 'outside-coverage',
        next:
          ours.length > 0
            ? 'tell the user; if they mean a US place with this name, call again with its state, else do not retry, since the coverage does not change.'
            : 'tell the user; do not retry, since the coverage does not change.',
        ...(ours.length > 0 && { labelled: ours }),
      })
    }
    case 'ambiguous':
      return ambiguous(reading, text)
    case 'unknown': {
      const nearest = reading.nearest.map(labelled)
      const state = reading.area && `the state ${reading.area.name}`
      const names = [...(state ? [state] : []), ...nearest]
      const sentence = `No place in the 50 US states and DC is called "${text}".${names.length > 0 ? ` Nearest names: ${names.join('; ')}.` : ''}`
      return fault('Missing', sentence, 'Use another name, or `lat` and `lon`.', {
        next: 'call again with a place, a ZIP code or coordinates; search_locations finds places by name.',
        labelled: nearest,
      })
    }
  }
}

/** `the city of Athens in Greece`, `the country Jamaica`, `the province in Canada`. */
export function placeWords(abroad: Abroad, text: string): string {
  if (abroad.kind === 'city') return abroadWords(abroad)
  return fold(text) === fold(abroad.where) ? `the ${abroad.kind} ${abroad.where}` : `the place ${abroadWords(abroad)}`
}

function ambiguous({ candidates, more, area, abroad }: Reading & { kind: 'ambiguous' }, text: string): Fault {
  const others = [
    ...(more ? [more === 1 ? 'one more' : `one of ${more} more`] : []),
    ...(area ? [`the ${area.kind} ${area.name}`] : []),
    ...(abroad ? [`${placeWords(abroad, text)}, outside the coverage (50 US states and DC)`] : []),
  ]
  const sentence = `"${text}" may be ${[list(candidates), ...others].join(', or ')}.`
  const advice = area && areaAdvice(area)
  return fault('Invalid', sentence, `Add the state, or use \`lat\` and \`lon\`.${advice ? ` ${advice.rest}` : ''}`, {
    next: `ask the user which place they mean, then call again with it as location.${advice && area ? ` If it is the ${area.kind}: ${advice.tool}` : ''}`,
    labelled: candidates.map(labelled),
    candidates: candidates.map(({ name, state }) => `${name}, ${state}`),
  })
}

function fault(
  kind: 'Invalid' | 'Missing',
  sentence: string,
  advice: string,
  { field = 'location', ...details }: PlaceFaultDetails & { readonly candidates?: readonly string[] },
): Fault {
  return new Fault(kind, `\`${field}\`: ${sentence} ${advice}`, { field, sentence, ...details })
}

/** Kinds of features that extend over more than the point that stands for them. */
const wideKinds: ReadonlySet<string> = new Set([
  ...['county', 'parish', 'park', 'forest', 'lake', 'bay', 'island', 'valley', 'region', 'glacier', 'peninsula'],
  ...['mountain range', 'ridge', 'plateau', 'desert', 'coast', 'strait', 'canyon', 'gorge', 'basin', 'swamp', 'plain'],
  ...['area', 'sea', 'wilderness', 'flat', 'escarpment', 'sound', 'tribal', 'military'],
])
/** Usual word for a kind, if it differs from the name of the kind. */
const kindWords: Readonly<Record<string, string>> = { tribal: 'tribal land', military: 'military area' }
const wordsOf = (kind: string) => kindWords[kind] ?? kind

/** The fault for a bay or an island whose point lies off the coast. */
export function offCoast(match: PlaceMatch, text: string): Fault {
  const town = nearestTown(match.lat, match.lon).name
  const kind = match.feature === undefined ? 'place' : wordsOf(match.feature)
  return fault(
    'Invalid',
    `"${text}" is ${article(kind)} (${match.name}, ${match.state}) whose middle lies off the coast, outside ${COVERAGE}.`,
    `Name a town on its shore, such as ${town}.`,
    { next: `call again with a town on its shore, such as "${town}".`, labelled: [town] },
  )
}

const article = (word: string) => (/^[aeiou]/.test(word) ? `an ${word}` : `a ${word}`)

/** The sentence about an area that was read as one point; undefined for a town, an airport or another point. */
export function pointOfArea(
  text: string,
  match: PlaceMatch,
  { town, countyZone }: { readonly town: string | undefined; readonly countyZone: string | undefined },
): string | undefined {
  if (!match.feature || !wideKinds.has(match.feature)) return undefined
  const kind = wordsOf(match.feature)
  const alerts =
    kind === 'county' && countyZone
      ? `; search_alerts with zone ${countyZone} gives the alerts of the whole county`
      : ''
  return `"${text}" is ${article(kind)} (${match.name}, ${stateByCode.get(match.state)?.name ?? match.state}), not a town: this is for the point ${fourth(match.lat)}, ${fourth(match.lon)} in it${town ? ` near ${town}` : ''}. For another part, name a town or use lat and lon${alerts}`
}
