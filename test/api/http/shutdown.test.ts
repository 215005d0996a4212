import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { edgeServer } from './test-server.ts'

test('loses no active request at shutdown, and does not wait for unused connections', async () => {
  const edge = await edgeServer()
  const key = await edge.key('professional')
  const idle = await Promise.all(
    Array.from(
      { length: 20 },
      () =>
        new Promise<ReturnType<typeof connect>>((resolve) => {
          const socket = connect(edge.api.port, '127.0.0.1', () => resolve(socket))
          socket.on('error', () => undefined)
        }),
    ),
  )
  const points = [{ lat: 33, lon: -110 }]
  const work = Array.from({ length: 6 }, () =>
    fetch(`${edge.base}/v1/series/batch`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ points, variables: ['temperature', 'humidity'], hours: 24 }),
    }).then(async (response) => [response.status, ((await response.json()) as { results: unknown[] }).results?.length]),
  )
  await new Promise((resolve) => setTimeout(resolve, 100))
  const began = performance.now()
  const closing = edge.close()
  expect(await Promise.all(work)).toEqual(work.map(() => [200, 1]))
  await closing
  expect(performance.now() - began).toBeLessThan(20_000)
  await expect(fetch(`${edge.base}/healthz`)).rejects.toThrow()
  for (const socket of idle) socket.destroy()
})

test('frees everything after a client disconnects', async () => {
  const edge = await edgeServer()
  try {
    const key = await edge.key('professional')
    await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const gone = new AbortController()
        const asked = fetch(`${edge.base}/v1/weather?lat=${33 + i / 10}&lon=-110&include=astro`, {
          headers: { authorization: `Bearer ${key}` },
          signal: gone.signal,
        })
        setTimeout(() => gone.abort(), i % 7)
        await asked.then((response) => response.arrayBuffer()).catch(() => undefined)
      }),
    )
    expect((await edge.get('/healthz')).status).toBe(200)
    const metrics = await (await edge.get('/metrics')).text()
    expect(metrics).toContain('hexcast_http_requests_total')
    expect(metrics).not.toMatch(/status="5\d\d"/)
  } finally {
    await edge.close()
  }
})
