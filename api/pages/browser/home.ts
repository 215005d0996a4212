import { alertCards } from './alerts.ts'
import { type AnswerUnits, aheadReader, Failure, type PageWeather, type SearchMatch, weatherQuery } from './api.ts'
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

/** An open page reads the weather again after this time. */
const REFRESH_MS = 5 * 60_000
const LOCATE_MS = 15_000
/** The map checks at this interval whether a search or a forecast is in progress, and starts after the longest wait in any case. */
const WAIT_MS = 100
const MAX_WAIT_MS = 10_000

const board = find('#board')
const now = find('#now')
const first = find('#first')
const details = find('#details')
const favouritesNav = find('#favourites')
/** The place that is shown, and the request for it. */
const state: {
  system: PageUnits
  /** The last request; its link is undefined until the answer has named the place. */
  request?: { selector: Readonly<Record<string, string>>; link?: string | undefined }
  place?: SavedPlace
  /** Number of requests. An answer is not shown if a newer request has been made meanwhile. */
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
  const round = ++state.round
  state.request = { selector, link }
  now.setAttribute('aria-busy', 'true')
  const query = weatherQuery(selector, state.system)
  try {
    const weather = await reader.read<PageWeather>(`/page/weather?${query}`)
    if (round !== state.round) return
    const { name, region = '', lat, lon } = weather.location
    const placeLink = link ?? (name.includes(' of ') || !region ? pointLink(lat, lon) : slugOf(name, region))
    state.place = { name: `${name}${region ? `, ${region}` : ''}`, lat, lon, link: placeLink }
    rememberPlace(state.place)
    state.request = { selector, link: placeLink }
    const opened = drawFirst(weather)
    const address = addressOf(root ? '' : placeLink, state.system, chosenLayers())
    if (push && address !== location.pathname + location.search) history.pushState(null, '', address)
    else history.replaceState(null, '', address)
    document.title = `Weather in ${state.place.name} · Hexcast`
    await painted()
    if (round !== state.round) return
    await drawDetails(weather, query, opened, () => round === state.round)
    if (round !== state.round) return
    now.removeAttribute('aria-busy')
    // The forecast is painted before the map moves, since a WebGL frame takes 0.5 s without a graphics processor.
    await painted()
    await idle()
    if (round === state.round) map.mark(lat, lon, weather.location.timezone)
  } catch (error) {
    if (round === state.round) fail(error as Error)
  } finally {
    if (round === state.round) now.removeAttribute('aria-busy')
  }
}

/** Requests the weather of a place that will probably be chosen next. */
const prepare = (selector: Readonly<Record<string, string>>) =>
  reader.prepare(`/page/weather?${weatherQuery(selector, state.system)}`)

/** Makes a link show its place without loading the page again. The weather is requested when the pointer or the focus reaches the link. */
function connectLink(link: HTMLAnchorElement, selector: Readonly<Record<string, string>>, path: string): void {
  for (const event of ['pointerenter', 'focus'] as const) link.addEventListener(event, () => prepare(selector))
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    void show(selector, { link: path, push: true })
  })
}

/** The units of an answer. @throws Error if it has none, which the API never sends */
function unitsOf({ units: answerUnits }: PageWeather): AnswerUnits {
  if (!answerUnits) throw new Error('The answer has no units. Reload the page.')
  return answerUnits
}

/** Resolves after the browser has painted the next frame. */
const painted = () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve))

/** Resolves when the browser has nothing more urgent to do. Safari has no requestIdleCallback. */
const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 500 })
    else setTimeout(resolve, 50)
  })

/** Draws the first screen: current conditions, alerts, the next 90 minutes. @returns summaries of the details that are open */
function drawFirst(weather: PageWeather): ReadonlySet<string | null> {
  const clock = clockOf(weather.location.timezone)
  const labels = labelsOf(unitsOf(weather))
  const at = Date.now()
  const opened = new Set([...board.querySelectorAll('details[open] > summary')].map(({ textContent }) => textContent))
  board.classList.add('chosen')
  now.replaceChildren(...nowCard(weather, clock, labels, at, star()))
  first.replaceChildren(alertCards(weather, clock, at), minutes(weather.nowcast, clock, labels, at))
  drawFavourites()
  return opened
}

/** Draws everything below the first screen, each card in its own task, so that a slow phone stays responsive. */
async function drawDetails(
  weather: PageWeather,
  query: URLSearchParams,
  opened: ReadonlySet<string | null>,
  isCurrent: () => boolean,
): Promise<void> {
  const clock = clockOf(weather.location.timezone)
  const labels = labelsOf(unitsOf(weather))
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
    if (!isCurrent()) return
  }
  details.replaceChildren(...parts.filter((part) => part !== undefined))
  // Details that were open stay open when the page reads the weather again.
  for (const summary of board.querySelectorAll('summary'))
    if (opened.has(summary.textContent)) (summary.parentElement as HTMLDetailsElement).open = true
}

function fail(error: Error): void {
  const isOutside = error instanceof Failure && error.type.endsWith('/outside-coverage')
  const candidates = error instanceof Failure ? error.candidates : []
  board.classList.remove('chosen')
  // The page of an unknown place already explains which links are possible.
  const isExplained = board.dataset['unknown'] !== undefined
  delete board.dataset['unknown']
  if (isExplained && !isOutside && candidates.length === 0) {
    state.request = undefined
    return
  }
  now.replaceChildren(
    el(
      'h1',
      {},
      isOutside
        ? 'Outside the 50 states and DC'
        : candidates.length > 0
          ? 'Which place do you mean?'
          : 'No weather for this place',
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

/** A message of the API for people: without the name of the parameter and without the advice for programs. */
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
    const isFavourite = favourites().some(({ link }) => link === state.place?.link)
    button.setAttribute('aria-pressed', String(isFavourite))
    button.setAttribute('aria-label', 'Keep this place')
    button.title = isFavourite ? 'Remove from your places' : 'Add to your places'
    button.textContent = isFavourite ? '★' : '☆'
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
    ...list.map((place) => {
      const link = el(
        'a',
        {
          href: addressOf(place.link, state.system),
          'aria-current': place.link === state.place?.link ? 'page' : undefined,
        },
        place.name,
      )
      connectLink(link, selectorOf(place), place.link)
      return link
    }),
  )
}

const isNamed = ({ kind }: SearchMatch) => kind === 'place' || kind === 'feature'
const matchSelector = (match: SearchMatch): Record<string, string> =>
  isNamed(match) ? { location: `${match.name}, ${match.region}` } : pointSelector(match.lat, match.lon)

search({
  near: () => state.place ?? lastPlace(),
  anticipate: (match) => prepare(matchSelector(match)),
  choose: (match) =>
    show(matchSelector(match), { link: isNamed(match) ? slugOf(match.name, match.region) : undefined, push: true }),
  submit: (text) => show({ location: text }, { link: /^\d{5}$/.test(text) ? text : undefined, push: true }),
})

find('#locate').addEventListener('click', () => {
  const refuse = (reason: string) => fail(new Error(reason))
  if (!navigator.geolocation) return refuse('This browser cannot tell its position. Search for a place instead.')
  navigator.geolocation.getCurrentPosition(
    ({ coords }) =>
      show(pointSelector(coords.latitude, coords.longitude), {
        link: pointLink(coords.latitude, coords.longitude),
        push: true,
      }),
    ({ code }) =>
      refuse(
        code === 1
          ? 'The browser is not allowed to tell its position. Search for a place instead.'
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
    if (state.request)
      void show(state.request.selector, {
        link: state.request.link,
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

/** The parameters that select the place of a link. */
function linkSelector(path: string): Record<string, string> {
  if (/^\d{5}$/.test(path)) return { zip: path }
  const [lat, lon] = path.split(',').map(Number)
  if (lat !== undefined && lon !== undefined && Number.isFinite(lat) && Number.isFinite(lon))
    return pointSelector(lat, lon)
  return { location: path.replace(/-([a-z]{2})$/, ', $1').replaceAll('-', ' ') }
}

/** Shows the place that the address names, or else the first favourite or the last place. */
function open(): void {
  takeLinkedLayers()
  const linked = board.dataset['place']
  const path = decodeURIComponent(location.pathname.slice(1))
  if (linked) {
    const place = JSON.parse(linked) as SavedPlace
    delete board.dataset['place']
    void show(selectorOf(place), { link: place.link })
  } else if (path) {
    void show(linkSelector(path), { link: path })
  } else {
    const last = favourites()[0] ?? lastPlace()
    if (last) void show(selectorOf(last), { link: last.link, root: true })
  }
  drawFavourites()
}
for (const link of document.querySelectorAll<HTMLAnchorElement>('.examples a')) {
  const path = link.pathname.slice(1)
  connectLink(link, linkSelector(path), path)
}
addEventListener('popstate', open)
setInterval(() => {
  if (!document.hidden && state.request)
    void show(state.request.selector, { link: state.request.link, root: location.pathname === '/' })
}, REFRESH_MS)
open()
