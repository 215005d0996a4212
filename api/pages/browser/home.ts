import { alertCards } from './alerts.ts'
import { Failure, type Match, read, type Weather, weatherQuery } from './api.ts'
import { days } from './days.ts'
import { el, find } from './dom.ts'
import { clockOf, labelsOf } from './format.ts'
import { hours } from './hours.ts'
import { openMap } from './map/open.ts'
import { minutes } from './minutes.ts'
import { nowCard } from './now.ts'
import { search } from './search.ts'
import { sky } from './sky.ts'
import { sources } from './sources.ts'
import {
  addressOf,
  favourites,
  lastPlace,
  type Place,
  pointLink,
  pointSelector,
  rememberPlace,
  rememberUnits,
  selectorOf,
  slugOf,
  toggleFavourite,
  type UnitSystem,
  units,
} from './state.ts'
import { texts } from './texts.ts'

/** An open page reads its place again after so long. */
const REFRESH_MS = 5 * 60_000
const LOCATE_MS = 15_000

const board = find('#board')
const now = find('#now')
const first = find('#first')
const details = find('#details')
const favouritesNav = find('#favourites')
/** What is shown, and how it was asked for. */
const state: {
  system: UnitSystem
  /** With the link where that is known before the answer. */
  asked?: { selector: Readonly<Record<string, string>>; link?: string | undefined }
  place?: Place
  /** Counts requests: an answer that another request has overtaken is not shown. */
  round: number
} = { system: units(), round: 0 }

const map = openMap({
  board,
  choose: (lat, lon) => show(pointSelector(lat, lon), { link: pointLink(lat, lon), push: true }),
})

async function show(
  selector: Readonly<Record<string, string>>,
  { link, push = false, root = false }: { link?: string | undefined; push?: boolean; root?: boolean } = {},
): Promise<void> {
  const mine = ++state.round
  state.asked = { selector, link }
  now.setAttribute('aria-busy', 'true')
  const query = weatherQuery(selector, state.system)
  try {
    const weather = await read<Weather>(`/page/weather?${query}`)
    if (mine !== state.round) return
    const { name, region = '', lat, lon } = weather.location
    const own = link ?? (name.includes(' of ') || !region ? pointLink(lat, lon) : slugOf(name, region))
    state.place = { name: `${name}${region ? `, ${region}` : ''}`, lat, lon, link: own }
    rememberPlace(state.place)
    state.asked = { selector, link: own }
    draw(weather, query)
    const address = root ? (state.system === 'metric' ? '/?units=metric' : '/') : addressOf(own, state.system)
    if (push && address !== location.pathname + location.search) history.pushState(null, '', address)
    else history.replaceState(null, '', address)
    document.title = `Weather in ${state.place.name} · Hexcast`
    // The forecast is painted before the map moves: a frame of WebGL takes 0.5 s where the processor draws it.
    await painted()
    if (mine === state.round) map.mark(lat, lon, weather.location.timezone)
  } catch (error) {
    if (mine === state.round) fail(error as Error)
  } finally {
    if (mine === state.round) now.removeAttribute('aria-busy')
  }
}

/** Resolves after the next frame is on the screen. */
const painted = () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

function draw(weather: Weather, query: URLSearchParams): void {
  const clock = clockOf(weather.location.timezone)
  const labels = labelsOf(weather.units!)
  const at = Date.now()
  board.classList.add('chosen')
  now.replaceChildren(...nowCard(weather, clock, labels, at, star()))
  const parts = [
    hours(weather.hourly ?? [], clock, labels),
    days(weather, clock, labels),
    texts(weather, clock),
    sky(weather, clock, at),
    sources(weather, clock, query),
  ]
  const opened = new Set([...board.querySelectorAll('details[open] > summary')].map(({ textContent }) => textContent))
  first.replaceChildren(alertCards(weather, clock, at), minutes(weather.nowcast, clock, labels, at))
  details.replaceChildren(...parts.filter((part) => part !== undefined))
  // What was open stays open when the page reads again.
  for (const summary of board.querySelectorAll('summary'))
    if (opened.has(summary.textContent)) (summary.parentElement as HTMLDetailsElement).open = true
  drawFavourites()
}

function fail(error: Error): void {
  const outside = error instanceof Failure && error.type.endsWith('/outside-coverage')
  const candidates = error instanceof Failure ? error.candidates : []
  board.classList.remove('chosen')
  now.replaceChildren(
    el(
      'h1',
      {},
      outside ? 'Outside the 50 states and DC' : candidates.length > 0 ? 'Which one?' : 'No weather for this place',
    ),
    el('p', {}, error.message),
    ...candidates.map((name) => {
      const button = el('button', { type: 'button', class: 'plain' }, name)
      button.addEventListener('click', () => show({ location: name }, { push: true }))
      return button
    }),
  )
  first.replaceChildren()
  details.replaceChildren()
}

function star(): HTMLButtonElement {
  const button = el('button', { type: 'button', class: 'star' })
  const update = () => {
    const on = favourites().some(({ link }) => link === state.place?.link)
    button.setAttribute('aria-pressed', String(on))
    button.setAttribute('aria-label', 'Keep this place')
    button.title = on ? 'Remove from your places' : 'Keep among your places'
    button.textContent = on ? '★' : '☆'
  }
  button.addEventListener('click', () => {
    if (state.place) toggleFavourite(state.place)
    update()
    drawFavourites()
  })
  update()
  return button
}

function drawFavourites(): void {
  const list = favourites()
  favouritesNav.hidden = list.length === 0
  favouritesNav.replaceChildren(
    ...list.map((one) => {
      const link = el(
        'a',
        {
          href: addressOf(one.link, state.system),
          'aria-current': one.link === state.place?.link ? 'page' : undefined,
        },
        one.name,
      )
      link.addEventListener('click', (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        void show(selectorOf(one), { link: one.link, push: true })
      })
      return link
    }),
  )
}

search({
  near: () => state.place ?? lastPlace(),
  choose: (match: Match) => {
    const named = match.kind === 'place' || match.kind === 'feature'
    const link = named ? slugOf(match.name, match.region) : undefined
    void show(named ? { location: `${match.name}, ${match.region}` } : pointSelector(match.lat, match.lon), {
      link,
      push: true,
    })
  },
  submit: (text) => show({ location: text }, { link: /^\d{5}$/.test(text) ? text : undefined, push: true }),
})

find('#locate').addEventListener('click', () => {
  const refuse = (why: string) => fail(new Error(why))
  if (!navigator.geolocation) return refuse('This browser does not give its position. Search for a place instead.')
  navigator.geolocation.getCurrentPosition(
    ({ coords }) =>
      show(pointSelector(coords.latitude, coords.longitude), {
        link: pointLink(coords.latitude, coords.longitude),
        push: true,
      }),
    ({ code }) =>
      refuse(
        code === 1
          ? 'The browser was not allowed to give its position. Search for a place instead.'
          : 'The position is not known just now. Search for a place instead.',
      ),
    { maximumAge: 600_000, timeout: LOCATE_MS },
  )
})

for (const input of document.querySelectorAll<HTMLInputElement>('input[name=units]')) {
  input.checked = input.value === state.system
  input.addEventListener('change', () => {
    state.system = input.value as UnitSystem
    rememberUnits(state.system)
    if (state.asked)
      void show(state.asked.selector, {
        link: state.asked.link,
        root: location.pathname === '/' && state.place === undefined,
      })
  })
}

/** The place of a link that the page went back to. */
function linkSelector(path: string): Record<string, string> {
  if (/^\d{5}$/.test(path)) return { zip: path }
  const [lat, lon] = path.split(',').map(Number)
  if (Number.isFinite(lat) && Number.isFinite(lon)) return pointSelector(lat!, lon!)
  return { location: path.replace(/-([a-z]{2})$/, ', $1').replaceAll('-', ' ') }
}

/** What the address names: a place, or the last one that was looked at. */
function open(): void {
  const linked = board.dataset['place']
  const path = decodeURIComponent(location.pathname.slice(1))
  if (linked) {
    const one = JSON.parse(linked) as Place
    delete board.dataset['place']
    void show(selectorOf(one), { link: one.link })
  } else if (path) {
    void show(linkSelector(path), { link: path })
  } else {
    const last = favourites()[0] ?? lastPlace()
    if (last) void show(selectorOf(last), { link: last.link, root: true })
  }
  drawFavourites()
}
addEventListener('popstate', open)
setInterval(() => {
  if (!document.hidden && state.asked)
    void show(state.asked.selector, { link: state.asked.link, root: location.pathname === '/' })
}, REFRESH_MS)
open()
