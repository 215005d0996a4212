/** Active alerts of a state, then live changes of them for some seconds: node examples/alerts.ts CO [SECONDS] */
import { hexcastClient } from '../api/client/client.ts'

const { HEXCAST_URL: baseUrl = 'http://localhost:8080', HEXCAST_KEY: key } = process.env
const area = process.argv[2] ?? 'CO'
const seconds = Number(process.argv[3] ?? 10)
const client = hexcastClient({ baseUrl, key })

const { data } = await client.GET('/v1/alerts', { params: { query: { area } } })
const alerts = data && 'alerts' in data ? data.alerts : []
console.log(`${area}: ${alerts.length} alerts`)
for (const { event, headline } of alerts) console.log(`- ${event}: ${headline ?? ''}`)

const stream = await fetch(`${baseUrl}/v1/events?bbox=-109,37,-102,41`, {
  headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
  signal: AbortSignal.timeout(seconds * 1000),
}).catch(() => undefined)
try {
  for await (const chunk of stream?.body?.pipeThrough(new TextDecoderStream()) ?? []) process.stdout.write(chunk)
} catch (error) {
  if (!(error instanceof DOMException)) throw error
  console.log(`no more changes within ${seconds} s`)
}
