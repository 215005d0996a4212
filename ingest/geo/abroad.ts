import { fold } from './fold.ts'
import { placeTree } from './place.ts'
import { places } from './populated.ts'
import { stateByCode, states } from './state.ts'
import { once } from './table.ts'

/** Territories: names, postal code, box (west, south, east, north), first digits of ZIP codes. */
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
    words: ['northern mariana islands', 'cnmi', 'saipan', 'mp'],
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

/** Names that `Intl.DisplayNames` does not give: countries, then provinces with their codes. */
const otherNames: Readonly<Record<string, string>> = {
  'the United Kingdom': 'uk|u k|great britain|britain|england|scotland|wales|northern ireland',
  'the United Arab Emirates': 'uae|u a e',
  Korea: 'south korea|north korea|korea',
  Europe: 'europe|czech republic|holland|bosnia|macedonia|ussr',
  Africa: 'africa|ivory coast',
  Asia: 'asia|burma|turkey|prc',
  Canada:
    'alberta|british columbia|manitoba|new brunswick|newfoundland|newfoundland and labrador|nova scotia|northwest territories|nunavut|ontario|prince edward island|quebec|saskatchewan|yukon|ab|bc|mb|nb|nl|ns|nt|nu|on|pe|qc|sk|yt|ont|que',
  Mexico:
    'baja california|sonora|chihuahua|coahuila|nuevo leon|tamaulipas|jalisco|yucatan|quintana roo|estado de mexico',
}

/** Cities abroad that people name without their country. */
const cities =
  'london|paris|berlin|madrid|barcelona|rome|milan|naples italy|vienna|amsterdam|brussels|lisbon|dublin|athens greece|prague|budapest|warsaw|stockholm|oslo|copenhagen|helsinki|zurich|geneva switzerland|munich|hamburg|frankfurt|moscow|saint petersburg russia|kyiv|kiev|istanbul|ankara|cairo|lagos|nairobi|johannesburg|cape town|casablanca|addis ababa|accra|algiers|tunis|dakar|tokyo|osaka|kyoto|yokohama|seoul|busan|beijing|shanghai|hong kong|shenzhen|guangzhou|chengdu|wuhan|taipei|manila|bangkok|hanoi|ho chi minh city|saigon|jakarta|singapore|kuala lumpur|mumbai|bombay|new delhi|delhi|bangalore|bengaluru|chennai|kolkata|hyderabad|karachi|lahore|dhaka|kathmandu|colombo|tehran|baghdad|riyadh|jeddah|dubai|abu dhabi|doha|kuwait city|jerusalem|tel aviv|beirut|damascus|amman|kabul|sydney|melbourne|brisbane|perth|adelaide|auckland|wellington new zealand|toronto|montreal|ottawa|calgary|edmonton|winnipeg|quebec city|halifax|mexico city|ciudad de mexico|cancun|guadalajara|monterrey|tijuana|acapulco|puerto vallarta|cabo san lucas|havana|nassau|kingston jamaica|san juan puerto rico|santo domingo|panama city panama|bogota|medellin|caracas|lima peru|quito|santiago chile|buenos aires|montevideo|rio de janeiro|sao paulo|brasilia|la paz bolivia|edinburgh|glasgow|reykjavik|hagatna|tamuning|dededo|pago pago|charlotte amalie|ponce puerto rico|bayamon|krakow|bucharest|sofia|belgrade|zagreb|athina|lyon|marseille|nice france|venice italy|florence italy|marrakesh|marrakech|bali|phuket|ulaanbaatar|pyongyang|tbilisi|baku|yerevan|almaty|tashkent'

const foreign = once(() => {
  const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const found = new Map<string, string>()
  for (const a of letters)
    for (const b of letters) {
      const name = a + b === 'US' ? undefined : names.of(a + b)
      if (name) found.set(fold(name), name)
    }
  for (const [country, words] of Object.entries(otherNames))
    for (const word of words.split('|')) found.set(fold(word), country)
  for (const { name } of states) found.delete(fold(name))
  for (const code of stateByCode.keys()) found.delete(code.toLowerCase())
  return found
})
const cityNames = once(() => new Set(cities.split('|')))

/** A place outside coverage that a text names. */
export interface Abroad {
  /** Guam, Puerto Rico, France. */
  readonly where: string
  readonly kind: 'territory' | 'country' | 'city'
}

/** Returns whether a text names a US territory, a foreign country or province (after the last comma, or at its end), or a large city abroad. */
export function placeAbroad(text: string): Abroad | undefined {
  const parts = text.slice(0, 200).split(',').map(fold).filter(Boolean)
  const last = parts.at(-1)
  if (last === undefined) return undefined
  const whole = parts.join(' ')
  const digits = /^\d{5}/.exec(whole)?.[0]
  const byZip = digits && territories.find(({ zip }) => zip.test(digits))
  if (byZip) return { where: byZip.name, kind: 'territory' }
  const ends = (word: string) => last === word || (word.length > 2 && (whole === word || whole.endsWith(` ${word}`)))
  const territory = territories.find(({ words }) => words.some(ends))
  if (territory) return { where: territory.name, kind: 'territory' }
  const tail = whole.split(' ')
  for (let words = Math.min(5, tail.length); words > 0; words--) {
    const name = tail.slice(-words).join(' ')
    const country = foreign().get(name)
    if (country && (name === last || name.length > 2)) return { where: country, kind: 'country' }
  }
  return cityNames().has(whole) ? { where: `${text.trim().slice(0, 60)} abroad`, kind: 'city' } : undefined
}

export function territoryAt(lat: number, lon: number): string | undefined {
  return territories.find(({ box }) => lon >= box[0] && lon <= box[2] && lat >= box[1] && lat <= box[3])?.name
}

/** Returns the nearest town in coverage and its distance. */
export function nearestTown(lat: number, lon: number): { name: string; km: number } {
  const { index, km } = placeTree().near(lat, lon)[0]!
  const { name, state } = places().at(index)
  return { name: `${name}, ${state}`, km }
}
