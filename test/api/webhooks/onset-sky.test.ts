import { afterAll, beforeAll, expect, test } from 'vitest'
import { type SkyServer, skyServer } from '../sky-server.ts'
import { receiver, until } from './harness.ts'

/** Onsets of precipitation in simulated scans with motion: a stream must report the nowcast of its point. */

// biome-ignore lint/suspicious/noExplicitAny: bodies as they came
type Json = any

let sky: SkyServer
beforeAll(async () => {
  sky = await skyServer({
    coarse: 10,
    frames: ['mrms-precip-rate', 'mrms-precip-flag'],
    settings: { WEBHOOKS_PRIVATE: 'true' },
  })
}, 240_000)
afterAll(() => sky?.close())

const ask = async (path: string, init: RequestInit = {}): Promise<Json> => {
  const headers = { authorization: `Bearer ${sky.key}`, 'content-type': 'application/json' }
  const response = await fetch(sky.base + path, { ...init, headers })
  expect(response.status, path).toBeLessThan(300)
  return response.json()
}

/** Points where precipitation begins later in the nowcast. */
async function comingRain(most: number): Promise<{ lat: number; lon: number; startsAt: number }[]> {
  const places: { lat: number; lon: number; startsAt: number }[] = []
  for (let lat = 31; lat < 47 && places.length < most; lat += 0.7) {
    const points = Array.from({ length: 45 }, (_, i) => `${lat.toFixed(2)},${(-118 + i * 0.85).toFixed(2)}`).join(';')
    const { results } = await ask(`/v1/weather/batch?points=${points}&include=nowcast`)
    for (const { status, weather } of results) {
      if (status !== 'ok') continue
      const { summary } = weather.nowcast ?? {}
      const startsAt = Date.parse(summary?.starts_at ?? '')
      if (startsAt > Date.now() + 10 * 60_000)
        places.push({ lat: weather.location.lat, lon: weather.location.lon, startsAt })
    }
  }
  return places
}

test('reports the onset of the nowcast at the point of a stream, in minutes from now', async () => {
  const [point] = await comingRain(1)
  expect(point).toBeDefined()
  const { lat, lon, startsAt } = point!
  const abort = new AbortController()
  const response = await fetch(`${sky.base}/v1/events?events=nowcast.onset&within_minutes=90&lat=${lat}&lon=${lon}`, {
    headers: { authorization: `Bearer ${sky.key}` },
    signal: abort.signal,
  })
  let text = ''
  const reading = (async () => {
    for await (const part of response.body ?? []) text += Buffer.from(part).toString()
  })().catch(() => undefined)
  await until(() => text.includes('event: nowcast.onset'), 30_000)
  abort.abort()
  await reading
  const onset = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '')
  expect(onset).toMatchObject({ lat, lon, within_minutes: 90, simulated: true })
  expect(Date.parse(onset.starts_at)).toBe(startsAt)
  expect(Math.abs(onset.minutes - (startsAt - Date.now()) / 60_000)).toBeLessThan(1.5)
})

test('requires a point for a webhook of onsets, and stores how far ahead it reports', async () => {
  const target = await receiver((response) => void response.writeHead(200).end())
  const post = (body: object) =>
    fetch(`${sky.base}/v1/webhooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${sky.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: target.url, events: ['nowcast.onset'], ...body }),
    })
  const refused = await post({ filter: { area: 'CO' } })
  expect([refused.status, ((await refused.json()) as Json).detail]).toEqual([
    400,
    expect.stringContaining('`lat` and `lon`'),
  ])
  const filter = { lat: 39.74, lon: -104.99, within_minutes: 45 }
  const hook = (await (await post({ filter })).json()) as Json
  expect(hook.filter).toEqual(filter)
  const patch = (body: object) =>
    fetch(`${sky.base}/v1/webhooks/${hook.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${sky.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect((await patch({ filter: { area: 'CO' } })).status).toBe(400)
  expect((await patch({ events: ['run.late'], filter: { dataset_id: ['nbm'] } })).status).toBe(200)
  expect((await patch({ events: ['nowcast.onset'] })).status).toBe(400)
  await target.close()
})
