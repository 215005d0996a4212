import { nth } from '../domain/nth.ts'
import { fold } from './fold.ts'
import { NameIndex } from './name-index.ts'
import { placeTree } from './place.ts'
import { places } from './populated.ts'
import { stateByCode, states } from './state.ts'
import { stateNames } from './state-name.ts'
import { Lines, once, tableText } from './table.ts'

/** The territories, with their names, postal code, box (west, south, east, north) and first digits of ZIP codes. */
const territories: readonly {
  readonly name: string
  readonly words: readonly string[]
  readonly box: readonly [number, number, number, number]
  readonly zip: RegExp
}[] = [
  {
    name: 'Puerto Rico',
    words: ['puerto rico', 'pr'],
    box: [-68, 17.7, -65.2, 18.7],
    zip: /^(006|007|009)/,
  },
  {
    name: 'the US Virgin Islands',
    words: ['us virgin islands', 'u s virgin islands', 'virgin islands', 'usvi', 'vi'],
    box: [-65.2, 17.6, -64.5, 18.5],
    zip: /^008/,
  },
  { name: 'Guam', words: ['guam', 'gu'], box: [144.5, 13.1, 145.1, 13.8], zip: /^969[123]/ },
  {
    name: 'the Northern Mariana Islands',
    words: ['n mariana islands', 'northern mariana islands', 'cnmi', 'mp'],
    box: [144.8, 13.9, 146.3, 20.7],
    zip: /^9695/,
  },
  {
    name: 'American Samoa',
    words: ['american samoa', 'as'],
    box: [-171.3, -14.7, -168, -10.9],
    zip: /^96799/,
  },
]

/** Names that `Intl.DisplayNames` does not have: first countries, then provinces with their codes. */
const otherNames: Readonly<Record<string, string>> = {
  'United Kingdom': 'uk|u k|great britain|britain|england|scotland|wales|northern ireland',
  'United Arab Emirates': 'uae|u a e',
  Korea: 'korea',
  Czechia: 'czech republic',
  Netherlands: 'holland',
  'Bosnia & Herzegovina': 'bosnia',
  'North Macedonia': 'macedonia',
  Russia: 'ussr|soviet union',
  'Ivory Coast': 'ivory coast',
  Myanmar: 'burma|myanmar',
  Türkiye: 'turkey',
  China: 'prc',
  Europe: 'europe',
  Africa: 'africa',
  Asia: 'asia',
  'South America': 'south america|latin america',
  'Central America': 'central america',
  Oceania: 'oceania',
  Antarctica: 'antarctica',
  'the open sea':
    'gulf of mexico|gulf of america|gulf of alaska|gulf of california|atlantic|atlantic ocean|pacific|pacific ocean|arctic ocean|caribbean|caribbean sea|bering sea|beaufort sea|chukchi sea|labrador sea|north atlantic|north pacific',
  Canada:
    'alberta|british columbia|manitoba|new brunswick|newfoundland|newfoundland and labrador|nova scotia|northwest territories|nunavut|ontario|prince edward island|quebec|saskatchewan|yukon|ab|bc|mb|nb|nl|ns|nt|nu|on|pe|qc|sk|yt|ont|que',
  Mexico:
    'baja california|sonora|chihuahua|coahuila|nuevo leon|tamaulipas|jalisco|yucatan|quintana roo|estado de mexico',
}

/** Cities outside coverage that people name without their country, and other names of cities in the table. */
const cities =
  'london|paris|berlin|madrid|barcelona|rome|milan|vienna|amsterdam|brussels|lisbon|dublin|athens|prague|budapest|warsaw|stockholm|oslo|copenhagen|helsinki|zurich|munich|hamburg|frankfurt=frankfurt am main|moscow|st petersburg|leningrad=st petersburg|kyiv|kiev=kyiv|istanbul|constantinople=istanbul|ankara|cairo|lagos|nairobi|johannesburg|cape town|casablanca|addis ababa|accra|algiers|tunis|dakar|tokyo|osaka|kyoto|yokohama|seoul|busan|beijing|peking=beijing|shanghai|hong kong|shenzhen|guangzhou|chengdu|wuhan|taipei|manila|bangkok|hanoi|ho chi minh city|saigon=ho chi minh city|jakarta|singapore|kuala lumpur|mumbai|bombay=mumbai|new delhi|delhi|bangalore=bengaluru|bengaluru|chennai|kolkata|calcutta=kolkata|hyderabad|karachi|lahore|dhaka|kathmandu|colombo|tehran|baghdad|riyadh|jeddah|mecca=makkah|dubai|abu dhabi|doha|kuwait city|jerusalem|tel aviv|beirut|damascus|amman|kabul|sydney|melbourne|brisbane|perth|adelaide|canberra|auckland|wellington|toronto|montreal|ottawa|calgary|edmonton|winnipeg|vancouver|quebec city=quebec|halifax|mexico city|ciudad de mexico=mexico city|cancun|guadalajara|monterrey|tijuana|juarez=ciudad juarez|acapulco=acapulco de juarez|puerto vallarta|cabo san lucas|cabo=cabo san lucas|oaxaca|tulum|queretaro=santiago de queretaro|havana|nassau|kingston jamaica=kingston|santo domingo|punta cana|panama city panama=panama city|bogota|medellin|cartagena|caracas|lima|quito|santiago|buenos aires|montevideo|rio de janeiro|sao paulo|brasilia|la paz|cusco|edinburgh|glasgow|belfast|cardiff|liverpool|reykjavik|krakow|bucharest|sofia|belgrade|zagreb|lyon|marseille|nice|bordeaux|geneva switzerland=geneva|marrakesh|marrakech=marrakesh|bali|phuket|ulaanbaatar|pyongyang|tbilisi|baku|yerevan|almaty|tashkent|yangon|rangoon=yangon|banff|whistler|san juan|ponce|bayamon|mayaguez|caguas|hagatna|tamuning|dededo|saipan|pago pago|charlotte amalie|st thomas|st croix'

/** Countries of cities that are too small for the table. */
const smallCities: Readonly<Record<string, string>> = {
  banff: 'Canada',
  whistler: 'Canada',
  bali: 'Indonesia',
  tulum: 'Mexico',
  'punta cana': 'Dominican Republic',
  'san juan': 'Puerto Rico',
  ponce: 'Puerto Rico',
  hagatna: 'Guam',
  tamuning: 'Guam',
  dededo: 'Guam',
  'pago pago': 'American Samoa',
  saipan: 'the Northern Mariana Islands',
  'charlotte amalie': 'the US Virgin Islands',
  'st thomas': 'the US Virgin Islands',
  'st croix': 'the US Virgin Islands',
}

const countryNames = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

const foreign = once(() => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const countries = new Map<string, string>()
  for (const a of letters)
    for (const b of letters) {
      const name = a + b === 'US' ? undefined : countryNames.of(a + b)
      if (name) countries.set(fold(name), name)
    }
  for (const [country, words] of Object.entries(otherNames))
    for (const word of words.split('|')) countries.set(fold(word), country)
  for (const { name } of states) countries.delete(fold(name))
  for (const code of stateByCode.keys()) countries.delete(code.toLowerCase())
  return countries
})

/** Returns the well-known cities by folded name, with their name in the table. */
const knownCities = once(
  () =>
    new Map(
      cities.split('|').map((city) => {
        const [name = '', other = name] = city.split('=')
        return [name, other] as const
      }),
    ),
)

/** Returns the cities of the table by folded name; the largest city of a name comes first. */
const cityTable = once(() => {
  const lines = new Lines(tableText('foreign'))
  const names = Array.from({ length: lines.count }, (_, i): [string, number] => {
    const line = lines.at(i)
    return [line.slice(0, line.indexOf('\t')), i]
  })
  return { lines, names: new NameIndex(names) }
})

/** A place outside coverage that a text names. */
export interface Abroad {
  readonly kind: 'territory' | 'country' | 'city'
  /** The country or territory, which may be that of a city: Guam, Puerto Rico, France. */
  readonly where: string
  /** The name of the city, if the text names a city. */
  readonly city?: string
  /** Population of the city; 0 if it is unknown. */
  readonly population: number
  /** Whether people name the city without its country. */
  readonly isWellKnown: boolean
}

const area = (kind: 'territory' | 'country', where: string): Abroad => ({
  kind,
  where,
  population: 0,
  isWellKnown: true,
})

const isTerritory = (where: string) => territories.some(({ name }) => name === where)

/** Returns the largest city outside coverage with a folded name. */
export function cityAbroad(name: string): Abroad | undefined {
  const other = knownCities().get(name)
  const isWellKnown = knownCities().has(name)
  const { lines, names } = cityTable()
  const cities = names
    .named(other ?? name)
    .map((row) => lines.at(row).split('\t'))
    .map(([, city = '', country = '', population]) => ({ city, country, population: Number(population) }))
  const place = smallCities[name]
  if (place) return { kind: 'city', where: place, city: titled(name), population: 0, isWellKnown }
  const largest = cities.reduce<(typeof cities)[number] | undefined>(
    (best, city) => (best && best.population >= city.population ? best : city),
    undefined,
  )
  if (!largest)
    return isWellKnown ? { kind: 'city', where: 'abroad', city: titled(name), population: 0, isWellKnown } : undefined
  const { city, country, population } = largest
  const territory = territories.find(({ words }) => words.includes(fold(country)))
  const where = territory?.name ?? country.replace(/^(?:Hong Kong|Macao) SAR /, '')
  return { kind: 'city', where, city, population, isWellKnown }
}

const titled = (name: string) => name.replace(/(^| )[a-z]/g, (letter) => letter.toUpperCase())

/** Returns the US territory, country or province whose whole name is the folded name. */
export function areaAbroad(folded: string): Abroad | undefined {
  const name = folded.replace(/^the /, '')
  const territory = territories.find(({ words }) => words.includes(name))
  if (territory) return area('territory', territory.name)
  const country = foreign().get(name)
  return country ? area('country', country) : undefined
}

/** Minimum length of a country's name that counts without a comma before it. UK, UAE and PR count too, but the province ON does not. */
const MIN_TAIL = 4
const shortTails: ReadonlySet<string> = new Set(['uk', 'uae', 'pr', 'usvi', 'cnmi', 'prc'])

/**
 * Returns the US territory, country or province that is the whole text, or that follows its last comma, or that ends the text without a
 * comma (`Paris France`). The caller must exclude places in coverage first, because West Jordan ends with the name of a country.
 */
export function placeAbroad(text: string): Abroad | undefined {
  const parts = text.slice(0, 200).split(',').map(fold).filter(Boolean)
  const last = parts.at(-1)
  if (last === undefined) return undefined
  const fullName = parts.join(' ')
  const digits = /^\d{5}/.exec(fullName)?.[0]
  const byZip = digits && territories.find(({ zip }) => zip.test(digits))
  if (byZip) return area('territory', byZip.name)
  const named = areaAbroad(last)
  if (named) return parts.length > 1 ? inside(parts.slice(0, -1).join(' '), named) : named
  if (parts.length > 1 && stateNames().has(last)) return codedAbroad(parts.slice(0, -1).join(' '), last)
  const words = fullName.split(' ')
  for (let count = Math.min(5, words.length - 1); count > 0; count--) {
    const tail = words.slice(-count).join(' ')
    const head = words.slice(0, -count).join(' ')
    const known = areaAbroad(tail)
    if (known && (tail.length >= MIN_TAIL || shortTails.has(tail) || cityAbroad(head)?.where === known.where))
      return inside(head, known)
  }
  return cityAbroad(fullName)
}

/** Returns the country of a text such as `Paris, France`, with the city if the table has it. */
function inside(head: string, named: Abroad): Abroad {
  const city = cityAbroad(head)
  return city?.where === named.where ? { ...city, kind: named.kind } : named
}

/** Returns a foreign city from a text such as `Toronto, CA` or `Berlin, DE`, whose country code is also the code of a state. */
function codedAbroad(name: string, code: string): Abroad | undefined {
  const city = code.length === 2 ? cityAbroad(name) : undefined
  return city && city.where === countryNames.of(code.toUpperCase()) ? city : undefined
}

/** Countries whose name has an article. */
const withArticle =
  /^(United|Netherlands|Philippines|Bahamas|Maldives|Seychelles|Dominican Republic|Czech Republic|Gambia|Comoros)/

/** Countries whose provinces have well-known names, and the sea, which has named parts too. */
const hasProvinces: ReadonlySet<string> = new Set(['Canada', 'Mexico', 'United Kingdom', 'the open sea'])
const continents: ReadonlySet<string> = new Set([
  'Europe',
  'Africa',
  'Asia',
  'South America',
  'Central America',
  'Oceania',
  'Antarctica',
])

/**
 * Returns words for a place outside coverage, such as `in Guam, a US territory` or `the city of London in the United Kingdom`; `a country`
 * if the text is its name.
 */
export function abroadWords({ kind, where, city }: Abroad, text = ''): string {
  const isOurs = isTerritory(where)
  const country = withArticle.test(where) ? `the ${where}` : isOurs ? `${where}, a US territory` : where
  if (kind === 'city') return where === 'abroad' ? 'a city abroad' : `the city of ${city} in ${country}`
  if (fold(text) === fold(where.replace(/^the /, '')))
    return isOurs ? country : continents.has(where) ? 'a continent' : 'a country'
  if (kind === 'country' && !hasProvinces.has(where) && areaAbroad(fold(text))) return `a country (${where})`
  return `in ${country}`
}

export function territoryAt(lat: number, lon: number): string | undefined {
  return territories.find(({ box }) => lon >= box[0] && lon <= box[2] && lat >= box[1] && lat <= box[3])?.name
}

/** Returns the nearest town in coverage and its distance. */
export function nearestTown(lat: number, lon: number): { name: string; km: number } {
  const { index, km } = nth(placeTree().near(lat, lon), 0)
  const { name, state } = places().at(index)
  return { name: `${name}, ${state}`, km }
}
