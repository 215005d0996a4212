import { edits } from '../domain/nearest.ts'
import { fold } from './fold.ts'
import { NameIndex } from './name-index.ts'
import { type Populated, places } from './populated.ts'
import { once } from './table.ts'

/** Returns the indexes of places by their own names and by their other names; in both, the most populous place comes first. */
const names = once((): { readonly own: NameIndex; readonly other: NameIndex } => {
  const own: [string, number][] = []
  const other: [string, number][] = []
  for (const { index, name } of places()) {
    own.push([fold(name), index])
    for (const alias of places().aliasesOf(index)) other.push([alias, index])
  }
  return { own: new NameIndex(own), other: new NameIndex(other) }
})

/**
 * Returns the population by which places are ranked. A part of a city counts at most 5,000, because some rows have the population of the
 * whole city.
 */
export const weight = (place: Populated): number =>
  place.section ? Math.min(place.population, 5000) : Math.max(place.population, 1)

const byWeight = (a: Populated, b: Populated) => weight(b) - weight(a)

function placesOf(index: NameIndex, name: string, state?: string): Populated[] {
  const named = index.named(name).map((row) => places().at(row))
  return state ? named.filter((place) => place.state === state) : named
}

/** Returns the spellings of a name: with and without `City of` and `the`, Saint and Sainte, `Pt.`, and a space instead of an apostrophe. */
function sameName(name: string): string[] {
  const spellings = [name]
  if (/^(city|town|village) of /.test(name)) spellings.push(name.replace(/^(city|town|village) of /, ''))
  if (name.startsWith('the ')) spellings.push(name.slice(4))
  if (/^ste? /.test(name)) spellings.push(name.replace(/^(ste?) /, (_, word) => (word === 'st' ? 'ste ' : 'st ')))
  if (name.startsWith('pt ')) spellings.push(`point ${name.slice(3)}`)
  const joinedName = name.replace(/\b([dol]) (?=[a-z]{3})/g, '$1').replace(/([a-z]) s /g, '$1s ')
  if (joinedName !== name) spellings.push(joinedName)
  return spellings
}

const SUFFIX = / (city|village|township|town)$/

/** Returns the places with exactly this name, most populous first. */
export function townsNamed(name: string, state?: string): Populated[] {
  for (const spelling of sameName(name)) {
    const towns = placesOf(names().own, spelling, state)
    if (towns.length > 0) return towns.sort(byWeight)
  }
  return []
}

/**
 * Returns the places that also have this name, most populous first: by GeoNames' other names, by the name with or without City, and by
 * names that differ only in spaces. Other names that are only misspellings are ignored.
 */
export function townsAlsoNamed(name: string, state?: string): Populated[] {
  const towns = new Map<number, Populated>()
  // Dozens of townships have the same name, so without the state Washington does not mean Washington Township.
  const bare = name.replace(state ? SUFFIX : / city$/, '')
  for (const spelling of [...sameName(name), bare, name.replaceAll(' ', '-')])
    for (const place of placesOf(names().other, spelling, state))
      if (!isMisspelling(name, place) && !isWaterBeside(name, place)) towns.set(place.index, place)
  for (const spelling of [bare, `${name} city`])
    if (spelling !== name) for (const place of placesOf(names().own, spelling, state)) towns.set(place.index, place)
  return [...towns.values()].sort(byWeight)
}

const spaceless = (name: string) => name.replaceAll(' ', '')

/** Maximum number of letters in which a misspelling differs from the name; a name shorter than SHORT_NAME may differ in one. */
const MISSPELLED_EDITS = 2
const SHORT_NAME = 6

/** Returns whether another name of a place is a misspelling of its name, such as `Cincinatti`. */
function isMisspelling(name: string, place: Populated): boolean {
  const [other, own] = [spaceless(name), spaceless(fold(place.name))]
  if (other === own || other.length < 4 || Math.abs(other.length - own.length) > MISSPELLED_EDITS) return false
  return edits(other, own) <= (own.length < SHORT_NAME ? 1 : MISSPELLED_EDITS)
}

/** Returns whether a town has the name of a lake as another name: in the source, `Lake Tahoe` is another name of Stateline. */
function isWaterBeside(name: string, place: Populated): boolean {
  return /^(lake|gulf of) | (lake|bay|sound|sea|reservoir)$/.test(name) && !fold(place.name).includes(name)
}

/** Returns the places whose name begins with this text; a single letter matches nothing. */
export function townsBeginning(name: string, state?: string): Populated[] {
  if (name.length < 2) return []
  const towns = Array.from(names().own.beginning(name), (row) => places().at(row))
  return (state ? towns.filter((place) => place.state === state) : towns).sort(byWeight)
}

/** Minimum length of a name in which one wrong letter is recognized, and in which two are. */
const MIN_TYPO_LENGTH = 5
const MIN_TWO_TYPOS_LENGTH = 7

/**
 * Returns the places whose name differs in one letter, or in two letters if the name is long; the most similar first, then the most
 * populous.
 */
export function townsSpelledLike(name: string, state?: string): Populated[] {
  if (name.length < MIN_TYPO_LENGTH) return []
  const most = name.length < MIN_TWO_TYPOS_LENGTH ? 1 : 2
  const similar: { place: Populated; distance: number }[] = []
  for (const [candidate, row] of names().own.ofLength(name.length, most)) {
    // A misspelling rarely has another first letter, and comparing all names would take 30 ms.
    const distance = hasOneTypo(name, candidate)
      ? 1
      : most === 2 && candidate[0] === name[0]
        ? edits(name, candidate)
        : 3
    if (distance <= most) similar.push({ place: places().at(row), distance })
  }
  return similar
    .filter(({ place }) => !state || place.state === state)
    .sort((a, b) => a.distance - b.distance || byWeight(a.place, b.place))
    .map(({ place }) => place)
}

/** Returns whether two names differ in one letter that is added, omitted or changed, or in two swapped letters. */
function hasOneTypo(a: string, b: string): boolean {
  let at = 0
  while (at < a.length && at < b.length && a[at] === b[at]) at++
  if (a.slice(at + 1) === b.slice(at) || a.slice(at) === b.slice(at + 1) || a.slice(at + 1) === b.slice(at + 1))
    return true
  return a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2)
}
