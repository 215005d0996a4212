import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig, type S3Place } from '../../ingest/config.ts'
import { type Objects, openObjects } from '../../ingest/ports/objects.ts'
import { objectsSuite } from '../contracts/objects-suite.ts'

let folder: string
let plain: Objects
let cached: Objects
let place: S3Place

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hexcast-s3-'))
  place = loadConfig().objects as S3Place
  place = { ...place, prefix: `${place.prefix}/${randomBytes(4).toString('hex')}` }
  plain = await openObjects({ objects: { ...place, cache: undefined } })
  cached = await openObjects({ objects: { ...place, cache: { folder: join(folder, 'cache'), bytes: 8 << 20 } } })
})

afterAll(async () => {
  await Promise.all([plain?.close(), cached?.close()])
  await rm(folder, { recursive: true, force: true })
})

describe('S3', () => objectsSuite(() => plain))
describe('S3 behind the disk cache', () => objectsSuite(() => cached))

/** A door before the server that spoils answers: `spoil` gives a status to answer with, 0 to hang up, or undefined to let through. */
async function spoiledDoor(spoil: (count: number, method: string) => number | undefined) {
  const target = new URL(place.endpoint!)
  let count = 0
  const server = createServer((incoming, answer) => {
    const verdict = spoil(count++, incoming.method!)
    if (verdict !== undefined) {
      incoming.resume()
      if (verdict === 0) incoming.socket.destroy()
      else
        incoming.on('end', () =>
          answer
            .writeHead(verdict, { 'content-type': 'application/xml' })
            .end('<Error><Code>SlowDown</Code><Message>slow down</Message></Error>'),
        )
      return
    }
    const { host: _, ...headers } = incoming.headers
    // The signature is over the host that the client saw.
    const through = request(
      {
        host: target.hostname,
        port: target.port,
        method: incoming.method,
        path: incoming.url,
        headers: { ...headers, host: incoming.headers.host },
      },
      (back) => {
        answer.writeHead(back.statusCode!, back.headers)
        back.pipe(answer)
      },
    )
    through.on('error', () => answer.destroy())
    incoming.pipe(through)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const store = await openObjects({
    objects: { ...place, cache: undefined, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
  })
  return {
    store,
    requests: () => count,
    async close() {
      await store.close()
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('S3 that misbehaves', () => {
  test('503 to every third request and broken connections are retried; nothing is lost or torn', async () => {
    const door = await spoiledDoor((count) => (count % 3 === 2 ? 503 : count % 7 === 5 ? 0 : undefined))
    for (let index = 0; index < 12; index++) {
      const bytes = randomBytes(50_000)
      await door.store.put(`third/${index}`, bytes, { ifAbsent: true })
      expect(Buffer.compare(await plain.get(`third/${index}`), bytes)).toBe(0)
      expect(Buffer.compare(await door.store.range(`third/${index}`, 1000, 2000), bytes.subarray(1000, 3000))).toBe(0)
    }
    expect(door.requests()).toBeGreaterThan(24)
    await door.close()
  })

  test('503 to everything is Refused, after four tries', async () => {
    const door = await spoiledDoor(() => 503)
    await expect(door.store.get('third/0')).rejects.toMatchObject({ kind: 'Refused' })
    expect(door.requests()).toBe(4)
    await door.close()
  })
})
