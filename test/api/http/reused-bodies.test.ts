import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nth } from '../../../ingest/domain/nth.ts'
import { type EdgeServer, edgeServer } from './test-server.ts'

// Buffers of answers are reused: whatever a client does, it must get the place that it requested.

let server: EdgeServer
let keys: string[]
beforeAll(async () => {
  server = await edgeServer()
  keys = await Promise.all(Array.from({ length: 10 }, () => server.key()))
})
afterAll(() => server.close())

/** The cache has 40 MB, about 1,000 answers, so that more than half of all answers reuse a buffer. */
const PLACES = 2700
/** Places that each of the two slow clients requests. */
const LATE = 220
const placeOf = (i: number) => ({ lat: (340 + (i % 90)) / 10, lon: (-1160 + 6 * Math.floor(i / 90)) / 10 })
const pathOf = (i: number) => `/v1/weather?lat=${placeOf(i).lat}&lon=${placeOf(i).lon}&include=current,hourly,daily`
const keyOf = (i: number) => nth(keys, i % keys.length)

function expectPlace(text: string, i: number): void {
  const { gis, hourly } = JSON.parse(text) as { gis: { lat: number; lon: number }; hourly: readonly object[] }
  expect([gis.lat, gis.lon], `place ${i}`).toEqual([placeOf(i).lat, placeOf(i).lon])
  expect(hourly.length).toBeGreaterThan(0)
}

/** Requests places on one connection without waiting for answers, and reads a little every second until `read` is called. */
function pipelined(places: readonly number[]) {
  const socket = connect(server.api.port, '127.0.0.1')
  const head = (i: number) =>
    `GET ${pathOf(i)} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keyOf(i)}\r\n\r\n`
  socket.write(places.map(head).join(''))
  let slow = true
  // A client that reads nothing for 30 s would be disconnected.
  const sips = setInterval(() => socket.resume(), 1000)
  socket.once('close', () => clearInterval(sips))
  const bodies: string[] = []
  let text = ''
  socket.setEncoding('latin1')
  socket.on('data', (part: string) => {
    if (slow) socket.pause()
    text += part
    for (;;) {
      const end = text.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(text.slice(0, Math.max(0, end)))?.[1] ?? Number.NaN)
      if (!(text.length >= end + 4 + length)) return
      bodies.push(Buffer.from(text.slice(end + 4, end + 4 + length), 'latin1').toString())
      text = text.slice(end + 4 + length)
      if (bodies.length === places.length) socket.end()
    }
  })
  return {
    socket,
    async read(): Promise<string[]> {
      slow = false
      socket.resume()
      await once(socket, 'close')
      return bodies
    },
  }
}

test(`${PLACES} places by many clients, some of which read late, leave early, or ask for compressed answers`, {
  timeout: 300_000,
}, async () => {
  // These clients read at the end, so that answers beyond the 4 MB of system buffers wait in the server.
  const late = Array.from({ length: 2 }, (_, k) => pipelined(Array.from({ length: LATE }, (_, i) => k * LATE + i)))
  let next = 2 * LATE
  const client = async (k: number) => {
    while (next < PLACES) {
      const i = next++
      if (i % 29 === 0) {
        const { socket } = pipelined([i, i, i, i])
        setTimeout(() => socket.destroy(), i % 7)
        await once(socket, 'close')
        continue
      }
      // A cached answer is sent again while it may be evicted next.
      const place = i % 5 === 0 ? i - 800 : i
      if (place < 2 * LATE) continue
      const encoding = i % 3 === 0 ? 'gzip' : 'identity'
      const answer = await server.get(pathOf(place), keyOf(i), { 'accept-encoding': encoding })
      expect(answer.status, `client ${k}`).toBe(200)
      expectPlace(await answer.text(), place)
    }
  }
  await Promise.all(Array.from({ length: 12 }, (_, k) => client(k)))
  for (const [k, reader] of late.entries()) {
    const bodies = await reader.read()
    expect(bodies.length).toBe(LATE)
    bodies.forEach((body, i) => {
      expectPlace(body, k * LATE + i)
    })
  }
})
