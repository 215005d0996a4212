import { code, type Guide, html, table } from './guide.ts'

const name = (text: string) => html`<code>${text}</code>`

export const fields: Guide = () => ({
  title: 'Fields',
  about: 'What each value describes, in which unit, and when it is null.',
  body: html`<p>The <a href="/docs/api">API reference</a> describes every field. These rules hold for all fields.</p>
<h2 id="units">Units</h2>
<p><code>units=imperial</code> (the default) or <code>metric</code>; the answer has the labels in <code>units</code>.</p>
${table(
  ['Quantity', 'imperial', 'metric'],
  [
    ['temperature, dew point, feels like', '°F', '°C'],
    ['wind speed, gusts', 'mph', 'km/h'],
    ['pressure at mean sea level', 'inHg', 'hPa'],
    ['visibility', 'mi', 'km'],
    ['precipitation, snow, ice', 'in', 'mm'],
    ['cloud ceiling, snow level', 'ft', 'm'],
    ['probabilities, humidity, cloud cover', 'percent, 0 to 100', 'percent, 0 to 100'],
  ],
)}
<h2 id="null">Null is not zero</h2>
<p>An unknown value is <code>null</code>, with the reason in <code>meta.warnings</code>. Zero means that a source was read and reported nothing. An empty <code>alerts</code> means that the feed was read and no alert is active; if it could not be read, <code>alerts</code> is absent.</p>
<h2 id="hours">Hours</h2>
${table(
  ['Field', 'Time or meaning'],
  [
    [name('temperature, wind_speed, …'), html`the instant <code>time</code>`],
    [name('precip_amount, snow_amount'), html`the hour that ends at <code>time</code>`],
    [
      name('precip_probability'),
      html`0.01 in or more in the hour that ends at <code>time</code>; beyond the hourly range of the source a share of the probability of 6 or 12 hours`,
    ],
    [name('thunderstorm_probability'), html`thunder in the hour that ends at <code>time</code>`],
    [name('wind_direction'), 'direction from which the wind blows, in degrees: 0 north, 90 east; null if calm'],
    [name('feels_like'), 'heat index from 80 °F, wind chill to 50 °F with wind, else the temperature'],
    [name('uncertainty'), html`with <code>include=uncertainty</code>: spread and probabilities of the National Blend`],
  ],
)}
<h2 id="now">Now</h2>
<p><code>current</code> is the newest analysis at its <code>time</code>; the forecast for that time supplies fields that the analysis lacks. Precipitation comes from the radar. <code>nowcast</code> moves the radar echoes ahead for 90 minutes, in steps of five. <code>metar</code> is the nearest station as it reported, with its distance and age.</p>
<h2 id="sources">Sources</h2>
<p><code>meta.freshness</code> has every source of the answer with its run and age. The reference in the repository lists the sources of each field in order: the first source that has a value supplies it, and later sources fill empty hours.</p>
${code(`"freshness": [ { "source": "nbm", "product_id": "nbm", "reference_time": "2026-08-20T12:00:00Z", "age_seconds": 5100 } ]`)}`,
})
