import { fold } from './fold.ts'
import { regions } from './regions.ts'
import { type State, stateByCode, states } from './state.ts'
import { stateNames } from './state-name.ts'
import { once } from './table.ts'

/** An area that is too large for a single forecast: a state, a large part of a state, or a region of several states. */
export interface NamedArea {
  readonly kind: 'state' | 'region' | 'country'
  readonly name: string
  /** Postal codes of the states in the area; for a state, its own code. */
  readonly states: readonly string[]
  /** Well-known cities in the area, such as `Boston, MA`; empty for a state, whose cities are in the table of places. */
  readonly cities: readonly string[]
}

const ofState = ({ code, name }: State): NamedArea => ({ kind: 'state', name, states: [code], cities: [] })

const regionNames = once(() => {
  const known = new Map<string, NamedArea>()
  for (const line of regions.trim().split('\n')) {
    const [labels = '', codes = '', cities = ''] = line.split('\t')
    const [name = '', ...others] = labels.split(';')
    const area: NamedArea = {
      kind: name === 'the United States' ? 'country' : 'region',
      name,
      states: codes ? codes.split(' ') : [],
      cities: cities.split('; '),
    }
    for (const label of [name, ...others]) known.set(fold(label.replace(/^the /, '')), area)
  }
  return known
})

const before = /^(?:the )?(?:state|commonwealth) of |^the /
const after = [' state', ' usa', ' us', ' u s a', ' u s', ' united states', ' united states of america', ' america']

/** Returns a folded name without additions that do not change its meaning, such as `state of` and `usa`. */
function bareName(name: string): string {
  const start = name.replace(before, '')
  const tail = after.find((words) => start.endsWith(words) && start.length > words.length + 1)
  return tail ? start.slice(0, -tail.length) : start
}

/** Returns the state, region or country that is the whole text. `DC` counts as a city. */
export function areaNamed(text: string): NamedArea | undefined {
  const fullName = fold(text.slice(0, 100))
  for (const name of [fullName, fullName.replace(before, ''), bareName(fullName), bareName(bareName(fullName))]) {
    const region = regionNames().get(name)
    if (region) return region
    const code = stateNames().get(name)
    const state = code && code !== 'DC' ? stateByCode.get(code) : undefined
    if (state) return ofState(state)
  }
  return undefined
}

/** Maximum number of letters in which a misspelling differs from the name of a state. */
const MISSPELLED = 2

/** Returns the state whose name a text misspells. */
export function stateSpelledLike(text: string, distance: (a: string, b: string) => number): NamedArea | undefined {
  const fullName = fold(text.slice(0, 60))
  if (fullName.length < 4) return undefined
  const near = states
    .filter(({ name }) => Math.abs(name.length - fullName.length) <= MISSPELLED)
    .map((state) => ({ state, edits: distance(fullName, fold(state.name)) }))
    .filter(({ state, edits }) => edits > 0 && edits <= (state.name.length < 7 ? 1 : MISSPELLED) && state.code !== 'DC')
    .sort((a, b) => a.edits - b.edits)[0]
  return near && ofState(near.state)
}
