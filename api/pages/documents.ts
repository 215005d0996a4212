import { plans } from '../keys/plan.ts'
import { slugs } from '../problem.ts'
import { mediaTypes } from '../query/format.ts'
import type { Answer } from '../route.ts'
import { code, table } from './guides/guide.ts'
import { html, type Markup, page } from './page.ts'

/** Pages of text, by path. Their function gets the base URL of the request. */
export const documents: Readonly<
  Record<string, (base: string, trialCalls: number) => { title: string; body: Markup }>
> = {
  '/docs/formats': (base) => ({
    title: 'Formats',
    body: html`<h1>Formats</h1>
<p><code>format</code> or the <code>Accept</code> header chooses the format of an answer; <a href="/docs/api">the API reference</a> lists the formats of each route, and so does a 406. Parameters of media ranges, such as <code>charset</code>, are ignored.</p>
${table(
  ['format', 'media type'],
  Object.entries(mediaTypes).map(([name, type]) => [
    html`<code>${name}</code>`,
    html`<code>${type.split(';')[0]}</code>`,
  ]),
)}
<h2>A table in pandas</h2>
${code(`import io, os, pandas, urllib.request
ask = urllib.request.Request(
    "${base}/v1/series/batch?points=39.74,-104.99;40.01,-105.27&variables=temperature,wind_speed&format=parquet",
    headers={"Authorization": "Bearer " + os.environ["HEXCAST_KEY"]})
print(pandas.read_parquet(io.BytesIO(urllib.request.urlopen(ask).read())))`)}
<p>Each row has one point and one time; <code>status</code> is <code>ok</code>, <code>out_of_domain</code>, or <code>retry</code> if a point could not be checked in time. Times are UTC. Units are in the header of a CSV and in the metadata of Parquet (<code>units</code>) and Arrow (<code>unit</code> of each field).</p>
<h2>Formats without a place for warnings</h2>
<p>CSV, Parquet, Arrow and calendars carry the codes of <code>meta.warnings</code> in the header <code>X-Warnings</code>. While the alert feed fails, alerts in such a format get 503, because only JSON can carry the warning. CAP, Atom and calendars with simulated data say so in their text.</p>`,
  }),
  '/docs/webhooks': (base) => ({
    title: 'Webhooks',
    body: html`<h1>Webhooks</h1>
<p>Have your server called when an alert changes or a run is published:</p>
${code(`curl ${base}/v1/webhooks -H "Authorization: Bearer $HEXCAST_KEY" -H "Content-Type: application/json" \\
  -d '{"url":"https://example.org/hooks/weather","events":["alert.*"],"filter":{"area":"CO","min_severity":"Severe"}}'`)}
<p>The answer contains the <code>secret</code>, which is shown only once. Verify every call with it, with a library of <a href="https://www.standardwebhooks.com">Standard Webhooks</a>, over the unchanged bytes of the body; ignore a <code>webhook-id</code> that you have already received; answer 2xx within 10 seconds.</p>
<p>A call that fails is repeated for 24 hours. Calls of one alert come in order. While your server is down, one call at a time checks whether it is back; then the others follow at once. <code>GET /v1/webhooks/ID</code> shows since when deliveries fail and when the next attempt is, <code>GET /v1/webhooks/ID/deliveries</code> lists the deliveries with their results, <code>POST …/test</code> sends a test event, <code>POST …/replay</code> sends failed deliveries again.</p>`,
  }),
  '/docs/keys': (base) => ({
    title: 'Keys',
    body: html`<h1>Keys</h1>
<p>Every data route needs <code>Authorization: Bearer</code> with an API key. <a href="/developer">Sign up at /developer</a> to create, rename and revoke keys in a browser; a program gets a key with the device flow. The operator of this server can also create keys with <code>npx hexcast keys create --name NAME</code>.</p>
<h2 id="device">Get a key from a program (device flow)</h2>
<ol>
<li>Start: ${code(`curl -d client_id=hexcast-device -d "scope=openid email" ${base}/auth/device_authorization`)} The answer contains <code>user_code</code>, <code>verification_uri</code>, <code>device_code</code> and <code>interval</code>.</li>
<li>Show the code and the address to the person. They enter the code and their email address, and approve with the link in the mail.</li>
<li>Meanwhile poll every <code>interval</code> seconds: ${code(`curl -d client_id=hexcast-device -d device_code=… \\
  -d grant_type=urn:ietf:params:oauth:grant-type:device_code ${base}/auth/token`)} <code>authorization_pending</code> means wait; <code>slow_down</code> means wait longer; <code>expired_token</code> and <code>access_denied</code> end the flow.</li>
<li>Create the key, once: ${code(`curl -X POST ${base}/developer/keys -H "Authorization: Bearer ACCESS_TOKEN" \\
  -H "Idempotency-Key: $(uuidgen)" -H "Content-Type: application/json" \\
  -d '{"name":"my program","origin":{"channel":"cli","value":"device_flow"}}'`)} The key is in <code>key</code> and is shown only once.</li>
</ol>
<h2 id="handling">Keep the key safe</h2>
<ul>
<li>Keep it on a server, in a secret store or the environment, never in a page, an app or a repository.</li>
<li>Send it in the Authorization header. A key in a URL or in any other header is rejected.</li>
<li>Do not share it, and do not run a proxy through which others use it.</li>
<li>If a key has leaked, revoke it at <a href="/developer">/developer</a>, by <code>DELETE /developer/keys/PREFIX</code>, or by <code>npx hexcast keys revoke PREFIX</code>. It is rejected within two seconds.</li>
</ul>`,
  }),
  '/docs/agents': (base) => ({
    title: 'For agents',
    body: html`<h1>For software that acts for a person</h1>
<p>A 401 carries everything you need in <code>next_steps</code>: take the relation that <code>recommended</code> names. If a person is present, that is the <a href="/docs/keys#device">device flow</a>: show them the code and the address, then poll.</p>
<p>If no person is present, you cannot sign up here. Stop, and report to the person who runs you that one approval in a browser is needed at <code>${base}/developer</code>.</p>
<ul>
<li>Act on <code>type</code>, which is stable, and not on <code>detail</code>.</li>
<li>Retry only 429 (after <code>Retry-After</code>) and 5xx (at most three times, from 250 ms, doubling to 2 s).</li>
<li>Do not retry <code>outside-coverage</code>: it does not change for a point.</li>
<li>An empty list of alerts means that no alerts are active now. It is not a promise of safety.</li>
<li>Repeat <code>attribution.notice</code> wherever you show the data.</li>
</ul>`,
  }),
  '/docs/mcp': (base) => ({
    title: 'MCP server',
    body: html`<h1>MCP server (Model Context Protocol)</h1>
<p>Assistants connect to <code>${base}/mcp</code> (Streamable HTTP) with <code>Authorization: Bearer</code> and an API key, or by signing in if they offer it, with the address alone. They find the sign-in themselves (<a href="${base}/.well-known/oauth-protected-resource/mcp">metadata</a>), a page names the program and the site to which it returns you, and a link in your mail lets you approve or deny. Your approval covers the scope <code>weather:read</code> on your plan, for an hour at a time, renewed for up to 30 days. On the server's own machine <code>npx hexcast mcp</code> serves the same tools over stdio.</p>`,
  }),
  '/docs/x402': () => ({
    title: 'Paying for single calls',
    body: html`<h1>Paying for single calls (x402)</h1>
<p>If the operator has switched it on, one call of <code>GET /v1/weather</code>, <code>/v1/alerts</code> or <code>/v1/storm-tracks</code> can be paid for without a key, by x402 version 2, scheme <code>exact</code>. If it is off, a payment gets 403 <code>flag-disabled</code>.</p>
<ol>
<li>Send the request with <code>Accept-Payment: x402</code>. The answer is 402, and its header <code>PAYMENT-REQUIRED</code> says in base64 what a call costs, in which token, and who is paid. Without <code>Accept-Payment</code>, a call without a key gets 401 as usual, with the same <code>PAYMENT-REQUIRED</code>.</li>
<li>Sign the payment and send the request again with <code>PAYMENT-SIGNATURE</code>. The server checks the payment, makes the answer and settles the payment; only then does it send the answer, with the receipt in <code>PAYMENT-RESPONSE</code>.</li>
</ol>
<p>An authorization can be used once. A call that fails before its settlement is not charged. After a 503 that mentions the settlement it is unknown whether the money moved: check the chain before you pay again.</p>`,
  }),
  '/docs/plans': (_base, trialCalls) => ({
    title: 'Plans',
    body: html`<h1>Plans and limits</h1>
${table(
  ['Plan', 'Per minute', 'Burst', 'Per day', 'Per month'],
  Object.entries(plans(trialCalls)).map(([name, plan]) => [
    name.slice(0, 1).toUpperCase() + name.slice(1),
    plan.minute.toLocaleString('en'),
    plan.burst.toLocaleString('en'),
    plan.total ? `${plan.total.toLocaleString('en')} in all` : (plan.day?.toLocaleString('en') ?? '–'),
    plan.month?.toLocaleString('en') ?? '–',
  ]),
)}
<p>All keys of an account share its limit; a key without an account has its own. Answers from the server's cache are not counted.</p>
<h2 id="usage">How much is left</h2>
<p><a href="/developer">API keys</a> shows a chart of 30 days. Every answer also carries <code>RateLimit-Limit</code>, <code>-Remaining</code> and <code>-Reset</code> for the tightest window, and <code>RateLimit-Policy</code> for all windows. After a 429 wait for <code>Retry-After</code> seconds.</p>
<h2 id="upgrade">A larger plan</h2>
<p>The operator of this server grants it: <code>npx hexcast keys create --name NAME --plan developer</code> or <code>professional</code>.</p>`,
  }),
  '/acknowledgements': () => ({
    title: 'Acknowledgements',
    body: html`<h1>Acknowledgements</h1>
<p>The weather comes from the National Oceanic and Atmospheric Administration: models and analyses of NCEP and NWS, alerts and texts of the forecast offices, outlooks of the Storm Prediction Center, radar and lightning of MRMS and GOES. Air quality comes from AirNow, which is the work of state, local and tribal agencies and the EPA; it is preliminary. None of them made or endorses this service, and it is not for the protection of life or property.</p>
<ul>
<li>Places: <a href="https://www.geonames.org">GeoNames</a>, CC BY 4.0.</li>
<li>Time zones and borders: © OpenStreetMap contributors, ODbL, by way of timezone-boundary-builder.</li>
<li>States, counties and ZIP areas: US Census Bureau. Other countries: Natural Earth.</li>
<li>Map: <a href="https://maplibre.org">MapLibre GL JS</a>, BSD 3-Clause.</li>
</ul>`,
  }),
  '/errors': () => ({
    title: 'Errors',
    body: html`<h1>Errors</h1>
<p>Every error is a problem document (RFC 9457) whose <code>type</code> is one of these addresses.</p>
${table(
  ['Type', 'Status', 'Meaning'],
  Object.entries(slugs).map(([slug, [status, , meaning]]) => [
    html`<a href="/errors/${slug}">${slug}</a>`,
    String(status),
    meaning,
  ]),
)}`,
  }),
}

const retries: Readonly<Record<string, string>> = {
  'too-many-requests': 'after Retry-After',
  'rate-limit-exceeded': 'after Retry-After',
  conflict: 'once, after reading the current state',
  internal: 'with growing pauses, at most three times',
  upstream: 'with growing pauses, at most three times',
  'service-unavailable': 'after Retry-After, then with growing pauses, at most three times',
  timeout: 'with growing pauses, at most three times',
}

/** The page of one kind of error; undefined for an unknown kind. */
export function errorPage(slug: string): Answer | undefined {
  if (!Object.hasOwn(slugs, slug)) return undefined
  const [status, title, meaning] = slugs[slug as keyof typeof slugs]
  return page({
    title,
    body: html`<h1>${title}</h1>
<p><code>${slug}</code> · status ${status}</p>
<p>${meaning}</p>
<p>Retry: ${retries[slug] ?? 'no'}.</p>
<p><a href="/errors">All errors</a></p>`,
  })
}
