import { nth } from '../domain/nth.ts'
import { fold } from './fold.ts'
import { states } from './state.ts'
import { once } from './table.ts'

/** Returns the postal codes of the states by folded name, code and customary abbreviation. */
export const stateNames = once(() => {
  const known = new Map<string, string>()
  for (const state of states) {
    known.set(fold(state.name), state.code)
    known.set(state.code.toLowerCase(), state.code)
  }
  known.set('d c', 'DC')
  known.set('washington d c', 'DC')
  const loose: Record<string, string> = {
    calif: 'CA',
    cal: 'CA',
    colo: 'CO',
    conn: 'CT',
    fla: 'FL',
    ill: 'IL',
    ind: 'IN',
    kans: 'KS',
    mass: 'MA',
    mich: 'MI',
    minn: 'MN',
    miss: 'MS',
    mont: 'MT',
    neb: 'NE',
    nebr: 'NE',
    nev: 'NV',
    okla: 'OK',
    ore: 'OR',
    penn: 'PA',
    penna: 'PA',
    tenn: 'TN',
    tex: 'TX',
    wash: 'WA',
    wis: 'WI',
    wisc: 'WI',
    wyo: 'WY',
    ariz: 'AZ',
    ark: 'AR',
    del: 'DE',
    'n mex': 'NM',
    'n m': 'NM',
    'n y': 'NY',
    'n j': 'NJ',
    jersey: 'NJ',
    'n c': 'NC',
    'n d': 'ND',
    'n h': 'NH',
    's c': 'SC',
    's d': 'SD',
    'w va': 'WV',
    'r i': 'RI',
  }
  for (const [word, code] of Object.entries(loose)) known.set(word, code)
  return known
})

/** A folded name, and the state after it if the text has one. */
export interface NameReading {
  readonly name: string
  readonly state?: string
}

/** Returns whether a text ends with the name of the US, so that it cannot mean a foreign place. */
export const namesCountry = (text: string): boolean =>
  /[, ](?:usa|us|u s a|u s|united states|united states of america)$/.test(`,${fold(text.slice(-60))}`)

/**
 * Splits `Denver, CO`, `denver colorado` or `Denver` into folded name and state. Returns several readings if the last words may belong to
 * either.
 */
export function readings(text: string): NameReading[] {
  const known = stateNames()
  const parts = text
    .split(',')
    .map((part) => fold(part))
    .filter(
      (part) => part && !['usa', 'us', 'united states', 'united states of america', 'u s a', 'u s'].includes(part),
    )
  if (!parts.length) return []
  const readings: NameReading[] = []
  const last = parts.at(-1)!.replace(/ \d{5}( \d{4})?$/, '')
  if (parts.length > 1 && known.has(last)) {
    readings.push({ name: parts.slice(0, -1).join(' '), state: known.get(last)! })
    if (parts.length > 2) readings.push({ name: nth(parts, 0), state: known.get(last)! })
    return readings
  }
  const fullName = parts.join(' ').replace(/ (usa|us|united states)$/, '')
  readings.push({ name: fullName })
  const words = fullName.split(' ')
  for (let tail = 1; tail <= 3 && tail < words.length; tail++) {
    const state = known.get(words.slice(-tail).join(' '))
    if (state) readings.push({ name: words.slice(0, -tail).join(' '), state })
  }
  return readings
}
