/**
 * Receives webhooks: registers a webhook, requests a test call, verifies its signature and removes the webhook:
 * node examples/webhook.ts. The server calls private addresses only with WEBHOOKS_PRIVATE=true.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hexcastClient } from '../api/client/client.ts'
import { webhookReceiver } from '../api/client/webhook.ts'

const { HEXCAST_URL: baseUrl = 'http://localhost:8080', HEXCAST_KEY: key } = process.env
const client = hexcastClient({ baseUrl, key })

const accepted = Promise.withResolvers<string>()
let receive: ReturnType<typeof webhookReceiver> | undefined
const server = createServer(async (request, response) => {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  try {
    // The signature covers the raw bytes: a body that was parsed and serialized again no longer matches it.
    const event = receive?.verify(Buffer.concat(parts).toString(), request.headers)
    response.writeHead(204).end()
    if (event) accepted.resolve(event.type)
  } catch (error) {
    response.writeHead(400).end(String(error))
  }
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
const { data: hook } = await client.POST('/v1/webhooks', {
  body: { url, events: ['alert.*'], filter: { area: 'CO', min_severity: 'Severe' } },
})
if (!hook) throw new Error('no webhook was made')
receive = webhookReceiver(hook.secret)
await client.POST('/v1/webhooks/{id}/test', { params: { path: { id: hook.id } } })
console.log(`verified: ${await accepted.promise}`)
await client.DELETE('/v1/webhooks/{id}', { params: { path: { id: hook.id } } })
server.close()
server.closeAllConnections()
