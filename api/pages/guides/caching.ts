import { code, type Guide, html, table } from './guide.ts'

export const caching: Guide = (base) => ({
  title: 'Caching and limits',
  about: 'How long an answer stays valid, how to revalidate it for free, what counts against your limits.',
  body: html`<p><code>Cache-Control: max-age</code> tells how long the answer stays current: until the next model run, radar scan or alert for it may arrive. <code>no-store</code> marks an answer for which a source failed.</p>
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
<p>The limits are in <a href="/docs/plans">plans</a>, and what to do after each failure is in <a href="/errors">errors</a>.</p>
<h2 id="compression">Compression and points</h2>
<p>Coordinates are rounded to 4 decimals (11 m). <code>include</code> only the sections that you show; <code>view=concise</code> has only the most used columns.</p>`,
})
