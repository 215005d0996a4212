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
        const controller = new AbortController()
        const pending = fetch(`${edge.base}/v1/weather?lat=${33 + i / 10}&lon=-110&include=astro`, {
          headers: { authorization: `Bearer ${key}` },
          signal: controller.signal,
        })
        setTimeout(() => controller.abort(), i % 7)
        await pending.then((response) => response.arrayBuffer()).catch(() => undefined)
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

test('tells readers of streams to return at different times, at the start and at the end of the process', async () => {
  const edge = await edgeServer()
  // The most that a key may have open at once.
  const READERS = 20
  try {
    const key = await edge.key('professional')
    const streams = await Promise.all(
      Array.from({ length: READERS }, () => edge.get('/v1/events?lat=33&lon=-110', key)),
    )
    expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
    const readers = streams.map((stream) => stream.body!.pipeThrough(new TextDecoderStream()).getReader())
    const retryOf = (text = '') => Number(/retry: (\d+)\n/.exec(text)?.[1])
    const opening = await Promise.all(readers.map(async (reader) => retryOf((await reader.read()).value)))
    const closing = edge.close()
    const ending = await Promise.all(
      readers.map(async (reader) => {
        let last = Number.NaN
        for (let part = await reader.read(); !part.done; part = await reader.read()) last = retryOf(part.value) || last
        return last
      }),
    )
    await closing
    for (const [retries, least, most] of [
      [opening, 2000, 4000],
      [ending, 500, 5000],
    ] as const) {
      expect(retries.filter((ms) => !(ms >= least && ms <= most))).toEqual([])
      expect(new Set(retries).size).toBeGreaterThan(READERS / 2)
      expect(Math.max(...retries) - Math.min(...retries)).toBeGreaterThan((most - least) / 2)
    }
  } finally {
    await edge.close().catch(() => undefined)
  }
})
