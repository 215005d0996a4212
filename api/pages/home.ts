import type { Answer } from '../route.ts'
import { assetPath } from './assets.ts'
import { html, type Markup, page } from './page.ts'
import { type LinkedPlace, slugOf } from './place-link.ts'
import { type StillName, stillOf, stillViews } from './still-view.ts'

/** MapLibre starts its worker from a blob and reads tiles as blobs. */
const POLICY =
  "default-src 'none'; script-src 'self'; worker-src blob:; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** Places that a visitor may start with. */
const examples: readonly LinkedPlace[] = [
  { name: 'New York', region: 'NY', lat: 40.71, lon: -74.01 },
  { name: 'Chicago', region: 'IL', lat: 41.85, lon: -87.65 },
  { name: 'Houston', region: 'TX', lat: 29.76, lon: -95.36 },
  { name: 'Denver', region: 'CO', lat: 39.74, lon: -104.98 },
  { name: 'Los Angeles', region: 'CA', lat: 34.05, lon: -118.24 },
  { name: 'Anchorage', region: 'AK', lat: 61.22, lon: -149.9 },
  { name: 'Honolulu', region: 'HI', lat: 21.31, lon: -157.86 },
]

export interface HomeOptions {
  /** `http://host:port` as in the visitor's request. */
  readonly base: string
  /** True if any data come from the simulator. */
  readonly simulated: boolean
  /** The link of the page with its place. */
  readonly linked?: { readonly link: string; readonly place: LinkedPlace }
  /** A link that names no place. The page then has status 404 and lets the visitor search. */
  readonly unknown?: string
}

const icon = (path: string): Markup => ({
  html: `<svg viewBox="0 0 24 24" aria-hidden="true" class="icon"><path d="${path}"/></svg>`,
})
const LOCATE = 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v4M12 18v4M2 12h4M18 12h4'

const layer = (name: string, label: string, on = false) =>
  html`<label class="chip"><input type="checkbox" name="${name}"${on ? ({ html: ' checked' } as Markup) : ''}><span>${label}</span></label>`

const map = (place: LinkedPlace | undefined) => html`<section class="map-card" aria-label="Map">
<div id="map" class="map"><img class="still" src="/page/still/${view(place)}.webp" data-view="${view(place)}" alt="Map of ${stillViews[view(place)].name} with the newest radar picture" width="960" height="600" fetchpriority="high"></div>
<p class="map-note quiet" role="status"></p>
<div class="player" role="group" aria-label="Radar over time">
<button type="button" class="play" aria-label="Play">▶</button>
<div class="track"><input type="range" class="time" min="0" max="0" step="1" value="0" aria-label="Time of the radar picture">
<div class="spans" aria-hidden="true"><span>Observed</span><span>Forecast</span></div></div>
<p class="shown"><span class="kind">Observed</span> <span class="when">–</span></p>
</div>
<fieldset class="layers"><legend class="off">On the map</legend>
${layer('radar', 'Radar', true)}${layer('alerts', 'Alerts', true)}${layer('outlooks', 'Severe outlook')}${layer('storms', 'Storm tracks')}${layer('lightning', 'Lightning')}${layer('stations', 'Stations')}</fieldset>
<div class="legend"></div>
</section>`

const view = (place: LinkedPlace | undefined): StillName => (place ? stillOf(place.lat, place.lon) : 'us')

const welcome = html`<h1>Weather of the United States</h1>
<p>Radar with the next 90 minutes, hour by hour, ten days and every NWS alert. Search for a place, or click the map.</p>`

const noPlace = (link: string) => html`<h1>No such place</h1>
<p>No place in the 50 states and DC is called <code>${link}</code>. Search for it above, click the map, or use a link such as <code>/denver-co</code>, <code>/80202</code> or <code>/39.74,-104.99</code>.</p>`

/** The weather page: search, map and, once a place is chosen, its weather. */
export function homePage({ base, simulated, linked, unknown }: HomeOptions): Answer {
  const name = linked && `${linked.place.name}, ${linked.place.region}`
  const title = unknown ? 'No such place' : name ? `Weather in ${name}` : 'Weather of the United States'
  const description = name
    ? `Conditions, radar, hourly and ten-day forecast and warnings for ${name}, with the source and age of every value.`
    : 'Radar with a forecast of 90 minutes, hourly and ten-day forecasts and warnings for every point of the 50 states.'
  const link = linked ? `/${linked.link}` : '/'
  const picture = linked ? `${base}/preview/${linked.link}.png` : `${base}/preview/us.png`
  return page({
    title,
    ...(unknown && { status: 404 }),
    home: true,
    policy: POLICY,
    head: html`<meta name="description" content="${description}">
<link rel="canonical" href="${base}${link}">
<meta property="og:type" content="website"><meta property="og:title" content="${title}"><meta property="og:description" content="${description}">
<meta property="og:url" content="${base}${link}"><meta property="og:image" content="${picture}"><meta property="og:image:width" content="1200"><meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
<link rel="stylesheet" href="${assetPath('home.css')}">
<script src="${assetPath('home.js')}" type="module"></script>`,
    headers: { 'Referrer-Policy': 'same-origin', 'Permissions-Policy': 'geolocation=(self), camera=(), microphone=()' },
    tools: html`<form id="search" role="search" action="/" autocomplete="off">
<label class="off" for="place">Place</label>
<input type="text" id="place" name="location" role="combobox" aria-expanded="false" aria-controls="suggestions" aria-autocomplete="list" placeholder="City, ZIP or coordinates" maxlength="200" spellcheck="false">
<ul id="suggestions" role="listbox" aria-label="Places" hidden></ul>
<button type="submit" class="off">Show</button>
<button type="button" id="locate" class="square" aria-label="Use my location" title="Use my location">${icon(LOCATE)}</button></form>
<fieldset class="units"><legend class="off">Units</legend>
<label><input type="radio" name="units" value="imperial" checked><span>°F</span></label><label><input type="radio" name="units" value="metric"><span>°C</span></label></fieldset>`,
    body: html`${
      simulated &&
      html`<p id="simulated" class="simulated"><strong>Simulated weather.</strong> Nothing on this page is real: the values come from a simulator.</p>`
    }
<noscript><p class="simulated">This page needs script to show the weather; <a href="/docs/quickstart">the API</a> does not.</p></noscript>
<nav id="favourites" aria-label="Your places" hidden></nav>
<div id="board" class="board${linked ? ' chosen' : ''}" data-place="${linked ? JSON.stringify({ ...linked.place, name, link: linked.link }) : ''}" ${unknown === undefined ? '' : 'data-unknown '}data-maplibre="${assetPath('maplibre-gl.js')}" data-mapcss="${assetPath('maplibre-gl.css')}">
<div class="lead"><div id="now" class="now-card" aria-live="polite">${
      linked
        ? html`<h1>${name}</h1><p class="quiet">Loading the weather…</p>`
        : html`${unknown ? noPlace(unknown) : welcome}
<p class="examples">${examples.map((place) => html`<a href="/${slugOf(place.name, place.region)}">${place.name}</a> `)}</p>`
    }</div>
<div id="first"></div></div>
<div class="map-column">${map(linked?.place)}</div>
<div id="details"></div>
</div>`,
  })
}
