import { read, type SearchMatch } from './api.ts'
import { el, find } from './dom.ts'

const DELAY_MS = 120
const MIN_LETTERS = 2
/** The weather of a suggestion is requested after the pointer has rested on it this long, so that crossing the list requests nothing. */
const REST_MS = 60
/** The first suggestion is the most likely choice: its weather is requested after the typing has paused this long. */
const PAUSE_MS = 250

export interface SearchOptions {
  /** The position near which places are listed first. */
  near: () => { lat: number; lon: number } | undefined
  choose: (match: SearchMatch) => void
  /** Called with the suggestion that will probably be chosen next, after the visitor has marked it with the keys or the pointer. */
  anticipate: (match: SearchMatch) => void
  submit: (text: string) => void
}

/** The list below the search field. */
interface SuggestionList {
  readonly matches: readonly SearchMatch[]
  /** Index of the marked suggestion; -1 if none is marked. */
  readonly marked: number
  readonly isOpen: boolean
  show(matches: readonly SearchMatch[]): void
  mark(index: number): void
  close(): void
}

function suggestionList(input: HTMLInputElement, options: SearchOptions): SuggestionList {
  const list = find<HTMLUListElement>('#suggestions')
  let matches: readonly SearchMatch[] = []
  let marked = -1
  let timer: ReturnType<typeof setTimeout> | undefined
  const anticipate = (match: SearchMatch | undefined, after = REST_MS) => {
    clearTimeout(timer)
    if (match) timer = setTimeout(() => options.anticipate(match), after)
  }
  const mark = (index: number) => {
    marked = index
    for (const [i, item] of [...list.children].entries()) {
      item.setAttribute('aria-selected', String(i === index))
      if (i === index) item.scrollIntoView({ block: 'nearest' })
    }
    if (index >= 0) input.setAttribute('aria-activedescendant', `s${index}`)
    else input.removeAttribute('aria-activedescendant')
    anticipate(matches[index])
  }
  const itemOf = (match: SearchMatch, i: number) => {
    const about = match.feature ?? (match.county && match.kind !== 'coordinates' ? match.county : '')
    const item = el(
      'li',
      { id: `s${i}`, role: 'option', 'aria-selected': 'false' },
      el('span', {}, `${match.name}, ${match.region}`),
      el('span', { class: 'quiet' }, about),
    )
    item.addEventListener('pointerenter', () => anticipate(match))
    item.addEventListener('pointerleave', () => anticipate(undefined))
    // This event comes before the field loses the focus, which closes the list.
    item.addEventListener('pointerdown', (event) => {
      event.preventDefault()
      options.choose(match)
    })
    return item
  }
  return {
    get matches() {
      return matches
    },
    get marked() {
      return marked
    },
    get isOpen() {
      return !list.hidden && matches.length > 0
    },
    mark,
    show(newMatches) {
      matches = newMatches
      list.replaceChildren(...matches.map(itemOf))
      list.hidden = matches.length === 0
      input.setAttribute('aria-expanded', String(matches.length > 0))
      mark(-1)
      anticipate(matches[0], PAUSE_MS)
    },
    close() {
      clearTimeout(timer)
      list.hidden = true
      marked = -1
      input.setAttribute('aria-expanded', 'false')
      input.removeAttribute('aria-activedescendant')
    },
  }
}

/** Index of the suggestion that an arrow key marks; undefined for other keys. The list wraps around at its end and beginning. */
function indexAfterKey(key: string, marked: number, count: number): number | undefined {
  if (key === 'ArrowDown') return (marked + 1) % count
  return key === 'ArrowUp' ? (marked === 0 ? count - 1 : Math.max(0, marked - 1)) : undefined
}

/** Makes the search field a combobox: suggestions appear from two letters and are chosen with the pointer or the arrow keys. */
export function search(options: SearchOptions): void {
  const form = find<HTMLFormElement>('#search')
  const input = find<HTMLInputElement>('#place')
  let timer: ReturnType<typeof setTimeout> | undefined
  let pending: AbortController | undefined

  const choose = (match: SearchMatch) => {
    close()
    input.value = ''
    input.blur()
    options.choose(match)
  }
  const list = suggestionList(input, { ...options, choose })
  const close = () => {
    pending?.abort()
    clearTimeout(timer)
    list.close()
  }
  const suggest = async () => {
    const text = input.value.trim()
    pending?.abort()
    if (text.length < MIN_LETTERS) return close()
    pending = new AbortController()
    const near = options.near()
    const query = new URLSearchParams({ q: text, limit: '8', ...(near && { near: `${near.lat},${near.lon}` }) })
    try {
      const { places } = await read<{ places: SearchMatch[] }>(`/page/places?${query}`, pending.signal)
      if (document.activeElement === input) list.show(places)
    } catch {
      // A newer text has been requested, or there is no answer: the form works without suggestions.
    }
  }
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(suggest, DELAY_MS)
  })
  input.addEventListener('blur', close)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return close()
    if (!list.isOpen) return
    const index = indexAfterKey(event.key, list.marked, list.matches.length)
    const match = list.matches[list.marked]
    if (index !== undefined) list.mark(index)
    else if (event.key === 'Enter' && match) choose(match)
    else return
    event.preventDefault()
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const text = input.value.trim()
    if (!text) return input.focus()
    close()
    options.submit(text)
  })
}
