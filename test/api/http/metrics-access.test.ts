import { request } from 'node:http'
import { expect, test } from 'vitest'
import { type EdgeServer, edgeServer } from './test-server.ts'

/** Status of /metrics with headers that `fetch` would not send. */
const read = (edge: EdgeServer, headers: Record<string, string>) =>
  new Promise<number>((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port: edge.api.port, path: '/metrics', headers }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode!))
    })
    outgoing.once('error', reject)
    outgoing.end()
  })

test('opens /metrics without PUBLIC_URL to loopback by a loopback name, else by the token', async () => {
  const edge = await edgeServer({ METRICS_TOKEN: 'a-token-of-the-operator' })
  try {
    const token = { authorization: 'Bearer a-token-of-the-operator' }
    for (const host of ['localhost', 'localhost:8080', '127.0.0.1', '127.0.0.1:1', '[::1]:8080'])
      expect([host, await read(edge, { host })]).toEqual([host, 200])
    // Names that an attacker's DNS points here.
    for (const host of [
      'rebound.example',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      'localhost@evil',
      '10.0.0.7',
    ])
      expect([host, await read(edge, { host })]).toEqual([host, 401])
    expect(await read(edge, { host: 'localhost', 'x-forwarded-for': '203.0.113.9' })).toBe(401)
    expect(await read(edge, { host: 'rebound.example', ...token })).toBe(200)
    expect(await read(edge, { host: 'rebound.example', authorization: 'Bearer a-token-of-the-operatoR' })).toBe(403)
  } finally {
    await edge.close()
  }
})

test('requires the token with PUBLIC_URL, because a proxy on this machine may not name its client', async () => {
  const edge = await edgeServer({ METRICS_TOKEN: 'a-token-of-the-operator', PUBLIC_URL: 'https://weather.example.org' })
  try {
    expect(await read(edge, { host: 'localhost' })).toBe(401)
    expect(await read(edge, { host: 'weather.example.org' })).toBe(401)
    expect(await read(edge, { host: 'localhost', authorization: 'Bearer wrong' })).toBe(403)
    expect(await read(edge, { host: 'localhost', authorization: 'Bearer a-token-of-the-operator' })).toBe(200)
  } finally {
    await edge.close()
  }
})
