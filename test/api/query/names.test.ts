import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { QueryError } from '../../../api/dataset/error.ts'
import { findSpot } from '../../../api/dataset/spot.ts'
import { resolve } from '../../../api/query/location.ts'
import { areaSentence } from '../../../api/query/place-fault.ts'
import { searchPlaces } from '../../../api/query/place-search.ts'
import { findPlaces, resolvePlace } from '../../../ingest/geo/gazetteer.ts'
import { areaNamed, type NamedArea } from '../../../ingest/geo/named-area.ts'
import { regions } from '../../../ingest/geo/regions.ts'
import { stateByCode } from '../../../ingest/geo/state.ts'

/**
 * Names that people give for a place, with the wanted answer: its class, then the place, the code of the state, or the country. `either`
 * names a US place that is ambiguous with a state or a place abroad; `offer` names what a misspelling is answered with.
 */
const rows = readFileSync(new URL('names.tsv', import.meta.url), 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => line.split('\t') as [text: string, wanted: string])

/** Kinds of areas that are answered for a point in them, which the answer says. */
const areas = new Set(['county', 'bay', 'lake', 'park', 'island'])

interface Answer {
  readonly code: string
  readonly name: string
  readonly kind: string
  readonly text: string
  readonly next: string
  readonly suggestions: readonly string[]
}

function answerTo(text: string): Answer {
  try {
    const { location, resolved } = findSpot({ location: text })
    const reading = resolvePlace(text)
    if (reading.kind !== 'found') throw new Error(`${text} has a point but was read as ${reading.kind}`)
    return {
      code: 'found',
      name: location.name,
      kind: reading.match.feature ?? reading.match.kind,
      text: resolved.warnings.map(({ detail }) => detail).join('; '),
      next: '',
      suggestions: [],
    }
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    const { code, message, next, details } = error
    return { code, name: '', kind: '', text: message, next, suggestions: details.suggestions ?? [] }
  }
}

function isWanted(answer: Answer, kind: string, detail: string): boolean {
  const { code, name, text, next, suggestions } = answer
  switch (kind) {
    case 'town':
      return answer.kind === 'place' && name === detail
    case 'zip':
      return answer.kind === 'zip' && name.endsWith(detail)
    case 'point':
      return answer.kind === 'coordinates'
    case 'airport':
    case 'summit':
      return answer.kind === kind && name.includes(detail)
    case 'feature':
      return code === 'found' && name.includes(detail)
    case 'state':
      return (
        code === 'ambiguous-place' && /\bstate\b/.test(text) && next.includes(`search_alerts with area "${detail}"`)
      )
    case 'region':
      return (
        code === 'ambiguous-place' && /is (?:a|the) (?:region|country)/.test(text) && next.includes('search_alerts')
      )
    case 'territory':
      return code === 'outside-coverage' && text.includes(detail) && text.includes('US territory')
    case 'abroad':
      return code === 'outside-coverage' && (text.includes(detail) || text.includes('is a country'))
    case 'either':
      return code === 'ambiguous-place' && suggestions[0]?.startsWith(detail) === true
    case 'ambiguous':
      return code === 'ambiguous-place' && suggestions.some((name) => name.startsWith(detail))
    case 'offer':
      return (
        code === 'not-found' &&
        (suggestions.some((name) => name.startsWith(detail)) || text.includes(`the state ${detail}`))
      )
    case 'unknown':
      return code === 'not-found'
    default:
      return areas.has(kind) && answer.kind === kind && name.startsWith(detail) && text.includes(`${kind} (`)
  }
}

test('gives every name of the list the wanted answer', () => {
  const wrong = rows.flatMap(([text, expected]) => {
    const [kind = ''] = expected.split(' ')
    const answer = answerTo(text)
    return isWanted(answer, kind, expected.slice(kind.length + 1))
      ? []
      : [`${text}: wanted ${expected}, was ${answer.code} ${answer.name} ${answer.kind} ${answer.text}`.slice(0, 250)]
  })
  expect(wrong).toEqual([])
  expect(rows.length).toBeGreaterThanOrEqual(500)
})

test('searches the same classes: no town stands for an area, and no place abroad for a town', () => {
  const wrong = rows.flatMap(([text, expected]) => {
    const [kind = ''] = expected.split(' ')
    const { matches, area, abroad } = searchPlaces(text, 5)
    const [first] = matches
    const label = first && `${first.name}, ${first.state}`
    const isRight =
      kind === 'town'
        ? label === expected.slice(5)
        : kind === 'state' || kind === 'region'
          ? area !== undefined && matches.every(({ fit }) => fit === 'exact')
          : kind === 'abroad' || kind === 'territory'
            ? abroad !== undefined && matches.every(({ fit }) => fit === 'exact')
            : kind === 'offer'
              ? matches.every(({ fit }) => fit !== 'exact')
              : true
    return isRight ? [] : [`${text}: wanted ${expected}, was ${label} ${first?.fit}`]
  })
  expect(wrong).toEqual([])
})

describe('a name with several readings', () => {
  test.each([
    ['New York', /New York is also a state/],
    ['Portland', /the next by population is Portland, ME/],
    ['Birmingham', /the city of Birmingham in the United Kingdom is outside the coverage/],
    ['Barrow', /was read as Utqiaġvik, AK .* which is also called so/],
    ['Orange County, CA', /is a county .* search_alerts with zone CAC059/],
  ])('says of %s what was assumed', (text, words) => {
    expect(answerTo(text)).toMatchObject({ code: 'found', text: expect.stringMatching(words) })
  })

  test.each(['Utqiaġvik, AK', 'Utqiagvik', 'Cape Canaveral', 'Seattle, WA'])(
    'says nothing beside %s, whose other entries are the same place',
    (name) => {
      expect(answerTo(name).text).toBe('')
    },
  )

  test('names the largest county first, and how many more have the name', () => {
    const { text, suggestions } = answerTo('Clark County')
    expect(suggestions).toHaveLength(5)
    expect(suggestions[0]).toMatch(/^Clark County, NV/)
    expect(text).toMatch(/or one of 7 more\.$/)
    expect(answerTo('Lake Placid').text).not.toMatch(/more/)
  })

  test('does not rank places by population whose population is not known', () => {
    expect(answerTo('Lake Tahoe').text).toMatch(/another is Lake Tahoe, NV/)
  })

  test('takes SoHo for the quarter of New York, and names the other one', () => {
    expect(resolvePlace('SoHo')).toMatchObject({ match: { state: 'NY' }, abroad: { where: 'United Kingdom' } })
    expect(resolvePlace('Soho, UK').kind).toBe('abroad')
  })

  test('names the US places of the name of a city abroad, each usable as a place', () => {
    const { code, text, next, suggestions } = answerTo('Paris')
    expect(code).toBe('outside-coverage')
    expect(text).toMatch(/the city of Paris in France: outside the coverage, which is the 50 US states and DC/)
    expect(next).toMatch(/call again with its state.*do not retry/)
    expect(suggestions[0]).toMatch(/^Paris, TX \(/)
    for (const place of suggestions) expect(answerTo(place).name).toMatch(/^Paris, /)
  })
})

test('names only cities that are places in coverage for each region', () => {
  const wrong = regions
    .trim()
    .split('\n')
    .flatMap((line) => (line.split('\t')[2] ?? '').split('; '))
    .filter((city) => answerTo(city).name.replace(/^Saint /, 'St. ') !== city)
  expect([...new Set(wrong)]).toEqual([])
})

describe('a region', () => {
  test.each([
    ['the South', 17],
    ['Deep South', 5],
    ['the West', 13],
    ['West Coast', 3],
    ['Eastern United States', 27],
  ])('of the name %s has its states', (name, count) => {
    const states = areaNamed(name)?.states ?? []
    expect(states).toHaveLength(count)
    expect(states.filter((code) => !stateByCode.has(code))).toEqual([])
    expect(new Set(states).size).toBe(count)
  })

  test('is named only if the text has another name for it', () => {
    const sentence = (text: string) => areaSentence(text, areaNamed(text) as NamedArea, [])
    expect(sentence('Bay Area')).toMatch(/^"Bay Area" is a region, not a town/)
    expect(sentence('the Bay Area')).toMatch(/^"the Bay Area" is a region, not a town/)
    expect(sentence('SF Bay Area')).toMatch(/^"SF Bay Area" is the region Bay Area, not a town/)
  })
})

test('reports the parameter of a ZIP code outside the coverage', () => {
  expect(() => resolve({ kind: 'zip', zip: '00799' })).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/^`zip`: /),
      details: expect.objectContaining({ field: 'zip' }),
    }),
  )
})

test('marks how the name of each result fits, exact names first', () => {
  const fits = findPlaces('Denver', 10).map(({ fit }) => fit)
  expect(fits[0]).toBe('exact')
  expect(fits.lastIndexOf('exact')).toBeLessThan(fits.indexOf('prefix'))
  expect(findPlaces('Seatle', 3)).toMatchObject([{ name: 'Seattle', fit: 'similar' }])
  expect(findPlaces('Michigan', 1)).toMatchObject([{ name: 'Michigan City', fit: 'prefix' }])
})

test('reads hostile names in bounded time', () => {
  const before = performance.now()
  for (const text of ['a'.repeat(300), 'new '.repeat(75), ', '.repeat(150), 'paris '.repeat(50), '\u0301'.repeat(300)])
    expect(['unknown', 'abroad', 'ambiguous', 'found', 'area']).toContain(resolvePlace(text).kind)
  expect(performance.now() - before).toBeLessThan(5000)
})
