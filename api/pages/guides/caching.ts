import { code, type Guide, html, table } from './guide.ts'

export const caching: Guide = (base) => ({
  title: 'Caching and limits',
  about: 'How long an answer is good, how to ask again for nothing, what is counted.',
  body: html`<p><code>Cache-Control: max-age</code> is how long the answer stays what we would give: until the next run, scan or alert that concerns it may come. <code>no-store</code> marks an answer that a failed source has touched.</p>
<h2 id="etag">Ask again for nothing</h2>
${code(`curl -i -H "Authorization: Bearer $HEXCAST_KEY" "${base}/v1/weather?zip=80202"          # ETag: "…"
curl -i -H "Authorization: Bearer $HEXCAST_KEY" -H 'If-None-Match: "…"' "${base}/v1/weather?zip=80202"   # 304`)}
<p>An answer from the server's cache is not counted, with 304 or without. One that had to be made is, also where 304 follows.</p>
<h2 id="limits">Limits</h2>
${table(
  ['Header', 'Meaning'],
  [
    ['RateLimit-Limit', 'calls of the tightest window'],
    ['RateLimit-Remaining', 'calls left in it'],
    ['RateLimit-Reset', 'seconds until it is whole again'],
    ['RateLimit-Policy', 'all windows of the plan'],
    ['Retry-After', 'with 429 and 503: seconds to wait before the next try'],
  ],
)}
<p>Sizes of the plans: <a href="/docs/plans">plans</a>. What to do on which failure: <a href="/errors">errors</a>.</p>
<h2 id="compression">Compression and points</h2>
<p>Coordinates are rounded to 4 decimals (11 m): round them yourself and neighbours share an answer. <code>include</code> only what you show, and <code>view=concise</code> where the most usual columns are enough.</p>`,
})
