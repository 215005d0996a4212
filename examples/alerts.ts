/** Prints the active alerts of a state, then their changes for some seconds: node examples/alerts.ts CO [SECONDS] */
import { hexcastChanges } from '../api/client/changes.ts'
import { hexcastClient } from '../api/client/client.ts'

const { HEXCAST_URL: baseUrl = 'http://localhost:8080', HEXCAST_KEY: key } = process.env
const area = process.argv[2] ?? 'CO'
const seconds = Number(process.argv[3] ?? 10)
const client = hexcastClient({ baseUrl, key })

const { data } = await client.GET('/v1/alerts', { params: { query: { area } } })
const alerts = data && 'alerts' in data ? data.alerts : []
console.log(`${area}: ${alerts.length} alerts`)
for (const { event, headline } of alerts) console.log(`- ${event}: ${headline ?? ''}`)

// The stream resumes after a lost connection. After a restart, pass { lastEventId } of the last change that you handled.
const signal = AbortSignal.timeout(seconds * 1000)
for await (const { id, type, data } of hexcastChanges({ baseUrl, key }, { area }, { signal }))
  console.log(`${id} ${type} ${data.id}`)
console.log(`no more changes within ${seconds} s`)
