import { alertCards } from './alerts.ts'
import { aheadReader, Failure, type PageWeather, type SearchMatch, weatherQuery } from './api.ts'
import { days } from './days.ts'
import { el, find } from './dom.ts'
import { clockOf, labelsOf } from './format.ts'
import { hours } from './hours.ts'
import { chosenLayers, onLayerSwitch, takeLinkedLayers } from './link-layers.ts'
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
  type PageUnits,
  pointLink,
  pointSelector,
  rememberPlace,
  rememberUnits,
  type SavedPlace,
  selectorOf,
  slugOf,
  toggleFavourite,
  units,
} from './state.ts'
import { texts } from './texts.ts'

/** An open page reads its place again after so long. */
const REFRESH_MS = 5 * 60_000
const LOCATE_MS = 15_000
/** The map waits for a search or a forecast by steps, and not for ever. */
const WAIT_MS = 100
const MAX_WAIT_MS = 10_000

const board = find('#board')
const now = find('#now')
const first = find('#first')
const details = find('#details')
const favouritesNav = find('#favourites')
/** What is shown, and how it was asked for. */
const state: {
  system: PageUnits
  /** With the link where that is known before the answer. */
  asked?: { selector: Readonly<Record<string, string>>; link?: string | undefined }
  place?: SavedPlace
  /** Counts requests: an answer that another request has overtaken is not shown. */
  round: number
} = { system: units(), round: 0 }

const reader = aheadReader()
const map = openMap({
  board,
  async settled() {
    for (let waited = 0; waited < MAX_WAIT_MS; waited += WAIT_MS) {
      if (document.activeElement?.id !== 'place' && !now.hasAttribute('aria-busy')) break
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS))
    }
    await idle()
  },
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
    const weather = await reader.read<PageWeather>(`/page/weather?${query}`)
    if (mine !== state.round) return
    const { name, region = '', lat, lon } = weather.location
    const own = link ?? (name.includes(' of ') || !region ? pointLink(lat, lon) : slugOf(name, region))
    state.place = { name: `${name}${region ? `, ${region}` : ''}`, lat, lon, link: own }
    rememberPlace(state.place)
    state.asked = { selector, link: own }
    const opened = drawFirst(weather)
    const address = addressOf(root ? '' : own, state.system, chosenLayers())
    if (push && address !== location.pathname + location.search) history.pushState(null, '', address)
    else history.replaceState(null, '', address)
    document.title = `Weather in ${state.place.name} · Hexcast`
    await painted()
    if (mine !== state.round) return
    await drawDetails(weather, query, opened, () => mine === state.round)
    if (mine !== state.round) return
    now.removeAttribute('aria-busy')
    // The forecast is painted before the map moves: a frame of WebGL takes 0.5 s where the processor draws it.
    await painted()
    await idle()
    if (mine === state.round) map.mark(lat, lon, weather.location.timezone)
  } catch (error) {
    if (mine === state.round) fail(error as Error)
  } finally {
    if (mine === state.round) now.removeAttribute('aria-busy')
  }
}

/** Asks for the weather of a place that is about to be chosen. */
const prepare = (selector: Readonly<Record<string, string>>) =>
  reader.prepare(`/page/weather?${weatherQuery(selector, state.system)}`)

/** A link to a place shows it without loading the page again; its weather is asked for when the pointer or the focus is on it. */
function placeLink(link: HTMLAnchorElement, selector: Readonly<Record<string, string>>, own: string): void {
  for (const event of ['pointerenter', 'focus'] as const) link.addEventListener(event, () => prepare(selector))
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void show(selector, { link: own, push: true })
  })
}

/** Resolves after the next frame is on the screen. */
const painted = () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve))

/** Resolves when the browser has nothing more urgent to do. Safari has no requestIdleCallback. */
const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 500 })
    else setTimeout(resolve, 50)
  })

/** What is read first: what it is like now, alerts, the next 90 minutes. @returns titles of what is open */
function drawFirst(weather: PageWeather): ReadonlySet<string | null> {
  const clock = clockOf(weather.location.timezone)
  const labels = labelsOf(weather.units!)
  const at = Date.now()
  const opened = new Set([...board.querySelectorAll('details[open] > summary')].map(({ textContent }) => textContent))
  board.classList.add('chosen')
  now.replaceChildren(...nowCard(weather, clock, labels, at, star()))
  first.replaceChildren(alertCards(weather, clock, at), minutes(weather.nowcast, clock, labels, at))
  drawFavourites()
  return opened
}

/** Everything below the first screen, a frame later: each card in a task of its own, so that a slow phone stays responsive. */
async function drawDetails(
  weather: PageWeather,
  query: URLSearchParams,
  opened: ReadonlySet<string | null>,
  current: () => boolean,
): Promise<void> {
  const clock = clockOf(weather.location.timezone)
  const labels = labelsOf(weather.units!)
  const cards = [
    () => hours(weather.hourly ?? [], clock, labels),
    () => days(weather, clock, labels),
    () => texts(weather, clock),
    () => sky(weather, clock, Date.now()),
    () => sources(weather, clock, query),
  ]
  const parts: (HTMLElement | undefined)[] = []
  for (const card of cards) {
    parts.push(card())
    await nextTask()
    if (!current()) return
  }
  details.replaceChildren(...parts.filter((part) => part !== undefined))
  // What was open stays open when the page reads again.
  for (const summary of board.querySelectorAll('summary'))
    if (opened.has(summary.textContent)) (summary.parentElement as HTMLDetailsElement).open = true
}

function fail(error: Error): void {
  const outside = error instanceof Failure && error.type.endsWith('/outside-coverage')
  const candidates = error instanceof Failure ? error.candidates : []
  board.classList.remove('chosen')
  // The page of an unknown place explains it, with what can be asked for.
  const explained = board.dataset['unknown'] !== undefined
  delete board.dataset['unknown']
  if (explained && !outside && candidates.length === 0) {
    state.asked = undefined
    return
  }
  now.replaceChildren(
    el(
      'h1',
      {},
      outside ? 'Outside the 50 states and DC' : candidates.length > 0 ? 'Which one?' : 'No weather for this place',
    ),
    el('p', {}, reasonOf(error.message)),
    ...candidates.map((name) => {
      const button = el('button', { type: 'button', class: 'plain' }, name)
      button.addEventListener('click', () => show({ location: name }, { push: true }))
      return button
    }),
  )
  first.replaceChildren()
  details.replaceChildren()
}

/** A message of the interface for people: without the parameter that it is about and what a program would do next. */
function reasonOf(message: string): string {
  const plain = message
    .replace(/^\w+: /, '')
    .replace(/ Ask by lat and lon instead\.$/, ' Search for another name, or click the map.')
    .replace(/ This does not change for a (point|place); do not retry\.$/, '')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
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
      placeLink(link, selectorOf(one), one.link)
      return link
    }),
  )
}

const isNamed = ({ kind }: SearchMatch) => kind === 'place' || kind === 'feature'
const matchSelector = (match: SearchMatch): Record<string, string> =>
  isNamed(match) ? { location: `${match.name}, ${match.region}` } : pointSelector(match.lat, match.lon)

search({
  near: () => state.place ?? lastPlace(),
  mark: (match) => prepare(matchSelector(match)),
  choose: (match) =>
    show(matchSelector(match), { link: isNamed(match) ? slugOf(match.name, match.region) : undefined, push: true }),
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
    state.system = input.value as PageUnits
    rememberUnits(state.system)
    if (state.asked)
      void show(state.asked.selector, {
        link: state.asked.link,
        root: location.pathname === '/' && state.place === undefined,
      })
  })
}

onLayerSwitch(() =>
  history.replaceState(
    null,
    '',
    addressOf(decodeURIComponent(location.pathname.slice(1)), state.system, chosenLayers()),
  ),
)

/** The place of a link that the page went back to. */
function linkSelector(path: string): Record<string, string> {
  if (/^\d{5}$/.test(path)) return { zip: path }
  const [lat, lon] = path.split(',').map(Number)
  if (Number.isFinite(lat) && Number.isFinite(lon)) return pointSelector(lat!, lon!)
  return { location: path.replace(/-([a-z]{2})$/, ', $1').replaceAll('-', ' ') }
}

/** What the address names: a place, or the last one that was looked at. */
function open(): void {
  takeLinkedLayers()
  const linked = board.dataset['place']
  const path = decodeURIComponent(location.pathname.slice(1))
  if (linked) {
    const one = JSON.parse(linked) as SavedPlace
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
for (const link of document.querySelectorAll<HTMLAnchorElement>('.examples a')) {
  const own = link.pathname.slice(1)
  placeLink(link, linkSelector(own), own)
}
addEventListener('popstate', open)
setInterval(() => {
  if (!document.hidden && state.asked)
    void show(state.asked.selector, { link: state.asked.link, root: location.pathname === '/' })
}, REFRESH_MS)
open()
