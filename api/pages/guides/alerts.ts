import { code, type Guide, html, table } from './guide.ts'

export const alerts: Guide = (base) => ({
  title: 'Alerts',
  about: 'Warnings at a point, in a box or a zone, as a list, as GeoJSON and as a stream.',
  body: html`<p>Alerts of the National Weather Service are read every 30 seconds. Each alert is listed once, from the moment it is issued until it ends or is cancelled or replaced.</p>
${code(`curl -H "Authorization: Bearer $HEXCAST_KEY" "${base}/v1/alerts?lat=39.74&lon=-104.99"
curl -H "Authorization: Bearer $HEXCAST_KEY" "${base}/v1/alerts?area=CO&format=geojson"`)}
<h2 id="severity">Severity</h2>
${table(
  ['severity', 'Meaning', 'Colour on our map'],
  [
    ['Extreme', 'extraordinary threat to life or property: tornado and hurricane warnings', 'magenta'],
    ['Severe', 'significant threat', 'red'],
    ['Moderate', 'possible threat', 'orange'],
    ['Minor', 'minimal or no known threat', 'blue'],
    ['Unknown', 'not given by the office', 'blue'],
  ],
)}
<h2 id="times">Times</h2>
${table(
  ['Member', 'Meaning'],
  [
    ['effective', 'issued'],
    ['onset', 'when the event is expected to begin; may be in the future'],
    ['ends', 'when the event is expected to end'],
    ['expires', 'until when this text is valid; the office may update it'],
    ['expiration', 'the latest of these times, when the alert leaves our lists unless it changes before'],
  ],
)}
<h2 id="stream">As they happen</h2>
<p><code>GET /v1/events</code> is a stream of server-sent events: <code>alert.issued</code>, <code>alert.updated</code>, <code>alert.cancelled</code> and <code>alert.expired</code>, each sent once, with <code>Last-Event-ID</code> to continue after an interruption.</p>
${code(`curl -N -H "Authorization: Bearer $HEXCAST_KEY" "${base}/v1/events?lat=39.74&lon=-104.99"`)}
<h2 id="none">No alert is not "safe"</h2>
<p>An empty list means that the feed was read recently and nothing is active there. If the feed could not be read, the answer has a warning in <code>meta.warnings</code> and <code>Cache-Control: no-store</code>. Do not turn either into a promise of safety.</p>`,
})
