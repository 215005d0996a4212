// This program runs in an empty project that has only the packed client installed. It prints one JSON object.
import { createServer } from 'node:http'
import { hexcastChanges, hexcastClient, ProblemError, WebhookVerificationError, webhookReceiver } from '@hexcast/client'

const server = { baseUrl: process.env.HEXCAST_URL, key: process.env.HEXCAST_KEY }
const client = hexcastClient(server)

const { data } = await client.GET('/v1/weather', {
  params: { query: { location: 'Denver, CO', include: 'current,hourly,daily', days: 3 } },
})
const forecast = {
  place: `${data.location.name}, ${data.location.region}`,
  temperature: data.current.temperature,
  unit: data.units.temperature,
  hours: data.hourly.length,
  days: data.daily.map(({ date, high }) => ({ date, high })),
}

const stop = new AbortController()
let pushed
for await (const change of hexcastChanges(
  server,
  { area: 'CO' },
  { signal: stop.signal, onOpen: () => console.error('open') },
)) {
  pushed = change
  stop.abort()
}

let receive
const calls = []
const events = []
const target = createServer(async (request, response) => {
  const parts = []
  for await (const part of request) parts.push(part)
  const body = Buffer.concat(parts).toString()
  events.push(receive(body, request.headers))
  calls.push({ body, headers: request.headers })
  response.writeHead(204).end()
})
await new Promise((resolve) => target.listen(0, '127.0.0.1', resolve))
const { data: hook } = await client.POST('/v1/webhooks', {
  body: { url: `http://127.0.0.1:${target.address().port}/hook`, events: ['alert.*'] },
})
const receiver = webhookReceiver(hook.secret)
receive = (body, headers) => receiver.verify(body, headers)
await client.POST('/v1/webhooks/{id}/test', { params: { path: { id: hook.id } } })
while (calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
const [call] = calls
const refused = (over, secret = hook.secret, body = call.body) => {
  try {
    webhookReceiver(secret).verify(body, { ...call.headers, ...over })
    return false
  } catch (error) {
    return error instanceof WebhookVerificationError
  }
}
const webhook = {
  type: events[0]?.type,
  repeated: receiver.verify(call.body, call.headers) === undefined,
  forged: refused({ 'webhook-signature': 'v1,AAAA' }) && refused({}, hook.secret, `${call.body} `),
  aged: refused({ 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 301) }),
  otherSecret: refused({}, `whsec_${Buffer.alloc(32, 1).toString('base64')}`),
}
await client.DELETE('/v1/webhooks/{id}', { params: { path: { id: hook.id } } })
target.close()
target.closeAllConnections()

const fault = await client.GET('/v1/weather', { params: { query: { lat: 51.5, lon: 0 } } }).catch((error) => error)
console.log(
  JSON.stringify({
    node: process.versions.node,
    forecast,
    pushed,
    webhook,
    fault: fault instanceof ProblemError && fault.slug,
    call: { secret: hook.secret, ...call },
  }),
)
