/** The system of units. It is stored only in the link and in the browser, like all choices of the visitor. */
export type PageUnits = 'imperial' | 'metric'

/** A place that the browser remembers. */
export interface SavedPlace {
  readonly name: string
  readonly lat: number
  readonly lon: number
  readonly link: string
}

const FAVOURITES = 'hexcast.favourites'
const UNITS = 'hexcast.units'
const LAST = 'hexcast.last'
const MAX_FAVOURITES = 12

/** Reads a stored value. The browser may refuse storage or have no space; the page then works without stored values. */
function stored<T>(name: string): T | undefined {
  try {
    return JSON.parse(localStorage.getItem(name) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
function store(name: string, value: unknown): void {
  try {
    localStorage.setItem(name, JSON.stringify(value))
  } catch {
    // The page works without stored values.
  }
}

const isPlace = (value: unknown): value is SavedPlace => {
  const place = value as SavedPlace | null
  return (
    typeof place?.name === 'string' &&
    typeof place.link === 'string' &&
    Number.isFinite(place.lat) &&
    Number.isFinite(place.lon)
  )
}

export function favourites(): SavedPlace[] {
  const list = stored<unknown>(FAVOURITES)
  return Array.isArray(list) ? list.filter(isPlace).slice(0, MAX_FAVOURITES) : []
}

export function toggleFavourite(place: SavedPlace): boolean {
  const otherPlaces = favourites().filter(({ link }) => link !== place.link)
  const isAdded = otherPlaces.length === favourites().length
  store(FAVOURITES, isAdded ? [place, ...otherPlaces].slice(0, MAX_FAVOURITES) : otherPlaces)
  return isAdded
}

export function lastPlace(): SavedPlace | undefined {
  const place = stored<unknown>(LAST)
  return isPlace(place) ? place : undefined
}
export const rememberPlace = (place: SavedPlace) => store(LAST, place)

/** The units that the link names, or else those stored in the browser, or else imperial. */
export function units(): PageUnits {
  const system = new URLSearchParams(location.search).get('units') ?? stored<string>(UNITS)
  return system === 'metric' ? 'metric' : 'imperial'
}
export const rememberUnits = (system: PageUnits) => store(UNITS, system)

/** The address of a place with the units and the layers of the map that are chosen. */
export function addressOf(link: string, system: PageUnits, layers?: string): string {
  const query = [system === 'metric' && 'units=metric', layers !== undefined && `layers=${layers}`].filter(Boolean)
  return `/${link}${query.length > 0 ? `?${query.join('&')}` : ''}`
}

export const pointLink = (lat: number, lon: number) => `${fourth(lat)},${fourth(lon)}`

/** The name of a place in a link, `denver-co`; it equals `slugOf` of the server. */
export function slugOf(name: string, region: string): string {
  const plain = name
    .normalize('NFD')
    .replace(/\p{M}|['’ʻ]/gu, '')
    .toLowerCase()
  return `${plain
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .join('-')}-${region.toLowerCase()}`
}

/** The parameters that select a saved place: its ZIP code, its coordinates or its name. */
export function selectorOf({ link, name, lat, lon }: SavedPlace): Record<string, string> {
  if (/^\d{5}$/.test(link)) return { zip: link }
  return link.includes(',') ? pointSelector(lat, lon) : { location: name }
}
const fourth = (value: number) => String(Number(value.toFixed(4)))
export const pointSelector = (lat: number, lon: number) => ({ lat: fourth(lat), lon: fourth(lon) })
