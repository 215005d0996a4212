import { read, type SearchMatch } from './api.ts'
import { el, find } from './dom.ts'

const DELAY_MS = 120
const MIN_LETTERS = 2
/** The pointer rests on a suggestion before its weather is asked for: a sweep over the list asks for nothing. */
const REST_MS = 60
/** The first suggestion is the likeliest: it counts as marked when the typing has stopped for so long. */
const STOPPED_MS = 250

/** A combobox: suggestions from two letters, chosen by pointer or by the arrow keys. */
export function search(options: {
  /** Places nearer to it come first. */
  near: () => { lat: number; lon: number } | undefined
  choose: (match: SearchMatch) => void
  /** A suggestion is marked, by the keys or by the pointer: it may be chosen next. */
  mark: (match: SearchMatch) => void
  submit: (text: string) => void
}): void {
  const form = find<HTMLFormElement>('#search')
  const input = find<HTMLInputElement>('#place')
  const list = find<HTMLUListElement>('#suggestions')
  let matches: readonly SearchMatch[] = []
  let active = -1
  let timer: ReturnType<typeof setTimeout> | undefined
  let rest: ReturnType<typeof setTimeout> | undefined
  let pending: AbortController | undefined

  const close = () => {
    pending?.abort()
    clearTimeout(timer)
    clearTimeout(rest)
    list.hidden = true
    active = -1
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }
  const take = (match: SearchMatch) => {
    close()
    input.value = ''
    input.blur()
    options.choose(match)
  }
  const mark = (index: number) => {
    active = index
    for (const [i, item] of [...list.children].entries()) {
      item.setAttribute('aria-selected', String(i === index))
      if (i === index) item.scrollIntoView({ block: 'nearest' })
    }
    if (index >= 0) input.setAttribute('aria-activedescendant', `s${index}`)
    else input.removeAttribute('aria-activedescendant')
    anticipate(matches[index])
  }
  const anticipate = (match: SearchMatch | undefined, after = REST_MS) => {
    clearTimeout(rest)
    if (match) rest = setTimeout(() => options.mark(match), after)
  }
  const draw = () => {
    list.replaceChildren(
      ...matches.map((match, i) => {
        const about = match.feature ?? (match.county && match.kind !== 'coordinates' ? match.county : '')
        const item = el(
          'li',
          { id: `s${i}`, role: 'option', 'aria-selected': 'false' },
          el('span', {}, `${match.name}, ${match.region}`),
          el('span', { class: 'quiet' }, about),
        )
        item.addEventListener('pointerenter', () => anticipate(match))
        item.addEventListener('pointerleave', () => anticipate(undefined))
        // Before the field loses the focus.
        item.addEventListener('pointerdown', (event) => {
          event.preventDefault()
          take(match)
        })
        return item
      }),
    )
    list.hidden = matches.length === 0
    input.setAttribute('aria-expanded', String(matches.length > 0))
    mark(-1)
    anticipate(matches[0], STOPPED_MS)
  }
  const suggest = async () => {
    const text = input.value.trim()
    pending?.abort()
    if (text.length < MIN_LETTERS) return close()
    pending = new AbortController()
    const near = options.near()
    const query = new URLSearchParams({ q: text, limit: '8', ...(near && { near: `${near.lat},${near.lon}` }) })
    try {
      matches = (await read<{ places: SearchMatch[] }>(`/page/places?${query}`, pending.signal)).places
      if (document.activeElement === input) draw()
    } catch {
      // A newer text is asked for, or there is no answer: the form still works without suggestions.
    }
  }
  input.addEventListener('input', () => {
    clearTimeout(timer)
    clearTimeout(rest)
    timer = setTimeout(suggest, DELAY_MS)
  })
  input.addEventListener('blur', close)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') return close()
    if (list.hidden || matches.length === 0) return
    if (event.key === 'ArrowDown') mark((active + 1) % matches.length)
    else if (event.key === 'ArrowUp')
      mark(
        (active + matches.length) % (matches.length + 1) === matches.length
          ? matches.length - 1
          : Math.max(0, active - 1),
      )
    else if (event.key === 'Enter' && active >= 0) take(matches[active]!)
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
