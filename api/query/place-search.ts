import type { Abroad } from '../../ingest/geo/abroad.ts'
import { findPlaces, type PlaceMatch, resolvePlace } from '../../ingest/geo/gazetteer.ts'
import type { NamedArea } from '../../ingest/geo/named-area.ts'
import { abroadSentence, areaAdvice, areaSentence, placeWords } from './place-fault.ts'

/** The result of a search by name. */
export interface PlaceSearch {
  readonly matches: readonly PlaceMatch[]
  /** What the text names besides the matches. */
  readonly sentence?: string
  /** What to do instead of naming an area: for an assistant, and over REST. */
  readonly advice?: { readonly tool: string; readonly rest: string }
  /** The state, region or country that the text names. */
  readonly area?: NamedArea
  /** The place outside coverage that the text names. */
  readonly abroad?: Abroad
}

/** Finds places by name. A text that names an area or a place abroad gives only the towns with exactly that name. */
export function searchPlaces(text: string, limit: number): PlaceSearch {
  const reading = resolvePlace(text)
  switch (reading.kind) {
    case 'area': {
      const { area, namesakes } = reading
      return {
        matches: exact(namesakes, limit),
        area,
        sentence: areaSentence(text, area, []),
        advice: areaAdvice(area),
      }
    }
    case 'abroad':
      return {
        matches: exact(reading.namesakes, limit),
        abroad: reading.abroad,
        sentence: abroadSentence(text, reading.abroad, []),
      }
    case 'unknown': {
      const matches = findPlaces(text, limit)
      const state = reading.area ? ` It may be the state ${reading.area.name}.` : ''
      const sentence =
        matches.length > 0
          ? `No place in the 50 US states and DC has the name "${text}".${state} Places with similar names follow.`
          : `0 places in the 50 US states and DC match "${text}".${state}`
      return { matches, sentence }
    }
    default: {
      const { area, abroad } = reading
      const matches = findPlaces(text, limit)
      const first = reading.kind === 'found' ? reading.match : undefined
      return {
        // The place that every other tool would take comes first.
        matches: first && first.kind !== 'coordinates' ? firstOf(first, matches, limit) : matches,
        ...(area && { area }),
        ...(abroad && { abroad }),
        ...(area && { sentence: `"${text}" is also the ${area.kind} ${area.name}.`, advice: areaAdvice(area) }),
        ...(abroad && {
          sentence: `"${text}" is also ${placeWords(abroad, text)}, outside the coverage (50 US states and DC).`,
        }),
      }
    }
  }
}

const exact = (matches: readonly PlaceMatch[], limit: number) =>
  matches.slice(0, limit).map((match) => ({ ...match, fit: 'exact' as const }))

function firstOf(first: PlaceMatch, matches: readonly PlaceMatch[], limit: number): PlaceMatch[] {
  const isSame = ({ lat, lon, name }: PlaceMatch) => lat === first.lat && lon === first.lon && name === first.name
  const known = matches.find(isSame)
  return [known ?? { ...first, fit: 'other' as const }, ...matches.filter((match) => !isSame(match))].slice(0, limit)
}
