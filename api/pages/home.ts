import type { Answer } from '../route.ts'
import { type Panel, panels, statesMap, viewBoxOf } from './chart.ts'
import { html, page } from './page.ts'

/** The page at `/`: works as a form without script; with it, the map answers to a click, a tap or the keys. */
export function homePage(): Answer {
  const { land, borders } = statesMap()
  const panel = (
    name: Panel,
  ) => html`<svg class="map map-${name}" data-panel="${name}" viewBox="${viewBoxOf(name)}" tabindex="0" role="application" aria-roledescription="map"
 aria-label="${panels[name].title}: arrow keys move the cross, Enter asks for the weather there" focusable="true">
<path class="land" d="${land}"/>
<g class="radar"></g><g class="outlooks"></g><g class="alerts"></g>
<path class="borders" d="${borders}"/>
<g class="cross" hidden><path d="M-6 0H6M0-6V6"/></g>
<g class="marker" hidden><circle r="5"/></g>
</svg>`
  return page({
    title: 'Weather of the United States',
    head: html`<link rel="stylesheet" href="/assets/home.css">
<script src="/assets/home.js" type="module"></script>`,
    policy:
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    headers: { 'Referrer-Policy': 'same-origin' },
    body: html`<h1>Weather of the United States</h1>
<p id="simulated" class="simulated" role="alert" hidden>Simulated data: nothing on this page is real weather.</p>
<form id="ask" role="search">
<label for="place">Place</label>
<div class="row"><input type="text" id="place" name="location" placeholder="Denver, CO or 80202 or 39.74,-104.99" autocomplete="off" maxlength="200" required>
<button type="submit">Show</button>
<fieldset class="units"><legend class="off">Units</legend>
<label><input type="radio" name="units" value="imperial" checked> °F, mph</label>
<label><input type="radio" name="units" value="metric"> °C, km/h</label></fieldset></div>
</form>
<noscript><p>This page needs script to show the weather; <a href="/docs/quickstart">the interface</a> does not.</p></noscript>
<div class="board">
<section class="maps" aria-label="Map">
${panel('conus')}
<div class="player" role="group" aria-label="Radar over time" hidden>
<button type="button" class="play">Play</button>
<div class="track"><input type="range" class="time" min="0" max="0" step="1" value="0" aria-label="Time of the radar picture">
<div class="spans" aria-hidden="true"><span>Observed</span><span>Forecast</span></div></div>
<p class="shown"><span class="kind">Observed</span> <span class="when"></span></p>
<div class="legend"></div><span class="loading quiet"></span>
</div>
<div class="insets">${panel('alaska')}${panel('hawaii')}</div>
<fieldset class="layers"><legend>On the map</legend>
<label><input type="checkbox" name="radar" checked> Radar</label>
<label><input type="checkbox" name="alerts" checked> Alerts</label>
<label><input type="checkbox" name="outlooks"> Severe outlook, day 1</label>
<span id="layer-note" class="quiet" role="status"></span></fieldset>
</section>
<section id="result" aria-live="polite" aria-label="Weather"><p class="quiet">Choose a point on the map, or name a place.</p></section>
</div>`,
  })
}
