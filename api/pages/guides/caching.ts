import { code, type Guide, html, table } from './guide.ts'

export const caching: Guide = (base) => ({
  title: 'Caching and limits',
  about: 'How long an answer stays valid, how to revalidate it for free, what counts against your limits.',
  body: html`<p><code>Cache-Control: max-age</code> is how long the answer stays current: until the next model run, radar scan or alert that concerns it may arrive. <code>no-store</code> marks an answer that a failed source has touched.</p>
<h2 id="etag">Revalidate for free</h2>
${code(`curl -i -H "Authorization: Bearer $HEXCAST_KEY" "${base}/v1/weather?zip=80202"          # ETag: "…"
curl -i -H "Authorization: Bearer $HEXCAST_KEY" -H 'If-None-Match: "…"' "${base}/v1/weather?zip=80202"   # 304`)}
<p>An answer from the server's cache does not count against your limits, whether it is a 304 or not. An answer that had to be made does, even if a 304 follows.</p>
<h2 id="limits">Limits</h2>
${table(
  ['Header', 'Meaning'],
  [
    ['RateLimit-Limit', 'calls of the tightest window'],
    ['RateLimit-Remaining', 'calls left in it'],
    ['RateLimit-Reset', 'seconds until the window resets'],
    ['RateLimit-Policy', 'all windows of the plan'],
    ['Retry-After', 'with 429 and 503: seconds to wait before the next try'],
  ],
)}
<p>Sizes of the plans: <a href="/docs/plans">plans</a>. What to do on which failure: <a href="/errors">errors</a>.</p>
<h2 id="compression">Compression and points</h2>
<p>Coordinates are rounded to 4 decimals (11 m): round them yourself, and requests for the same spot share an answer. <code>include</code> only what you show; <code>view=concise</code> has the most used columns alone.</p>`,
})
