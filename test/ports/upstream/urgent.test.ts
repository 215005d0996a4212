import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { openUpstream } from '../../../ingest/ports/upstream.ts'

test('answers an urgent request while all connections to its host and to the mirror hang', async () => {
  let hanging = 0
  const server = createServer((request, response) => {
    if (request.url?.includes('/alerts')) response.end('alerts')
    else hanging++
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const upstream = openUpstream({ mirror: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  try {
    const hosts = ['api.weather.gov', 'a.test', 'b.test', 'c.test', 'd.test', 'e.test']
    const stuck = hosts.flatMap((host) =>
      Array.from({ length: 30 }, (_, i) => upstream.get(`https://${host}/zones/${i}`).catch(() => undefined)),
    )
    // The agent has 64 connections to the mirror.
    await expect.poll(() => hanging).toBe(64)
    const reply = await upstream.get('https://api.weather.gov/alerts/active', { urgent: true })
    expect(Buffer.from(reply.bytes).toString()).toBe('alerts')
    await upstream.close()
    await Promise.all(stuck)
  } finally {
    await upstream.close()
    server.closeAllConnections()
    server.close()
  }
})
