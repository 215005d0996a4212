import { expect, test } from 'vitest'
import { alertsAt } from '../../infra/simulator/alerts.ts'
import { alertFeed } from '../../infra/simulator/feeds/alerts.ts'
import { outlookSource } from '../../infra/simulator/feeds/outlooks.ts'
import { outlookFiles } from '../../ingest/datasets/spc.ts'
import { readAlertGeoJson } from '../../ingest/decode/alert/geojson.ts'
import { readOutlook } from '../../ingest/decode/outlook/spc-geojson.ts'
import { readZone } from '../../ingest/decode/zone.ts'
import { decide, type StoredAlert } from '../../ingest/domain/alert/lifecycle.ts'
import { nth } from '../../ingest/domain/nth.ts'
import { MINUTE } from '../../ingest/domain/time.ts'
import { countyAt } from '../../ingest/geo/place.ts'

const NOW = Date.UTC(2026, 10, 21, 21, 30)
const source = alertFeed()
const text = async (path: string, now: number, query = '') => {
  const document = await source.find(path, new URLSearchParams(query), now)
  return document && new TextDecoder().decode(await document.body())
}

test('warns of storms only where the middle of the area is in a county of the US', () => {
  const warnings = Array.from({ length: 96 }, (_, i) => alertsAt(NOW + i * 30 * MINUTE)).flatMap((list) =>
    list.flatMap(({ ring, zones }) => (ring ? [{ ring: ring.slice(1), zones }] : [])),
  )
  expect(warnings.length).toBeGreaterThan(100)
  const outside = warnings.filter(({ ring, zones }) => {
    const mean = (k: 0 | 1) => ring.reduce((sum, corner) => sum + corner[k], 0) / ring.length
    return countyAt(mean(1), mean(0))?.km !== 0 || zones.length === 0
  })
  expect(outside).toEqual([])
})

test('shows the alerts that the feed lists as active through a night of simulated storms, despite failures in between', async () => {
  const words = ['', 'duplicate', 'shuffle', 'flap', 'malformed', '']
  let stored: Iterable<StoredAlert> = []
  const changes: Record<string, number> = {}
  const look = async (now: number) => {
    const feed = readAlertGeoJson((await text('/alerts/active', now))!)
    const unread = feed.rejected.flatMap(({ id, isAccepted }) => (id && !isAccepted ? [id] : []))
    const decision = decide(stored, { kind: 'read', heads: feed.messages.map(({ head }) => head), unread }, now)
    stored = [...decision.alerts.values()]
    for (const { change } of decision.changes) changes[change] = (changes[change] ?? 0) + 1
    return feed
  }
  for (let step = 0; step < 150; step++) {
    const now = NOW + step * 5 * MINUTE
    await text('/_alerts', now, `misbehave=${words[step % words.length]}`)
    await look(now)
    if (step % words.length !== words.length - 1) continue
    const feed = await look(now + 30_000)
    const standing = feed.messages.filter(
      ({ head }) => head.kind !== 'Cancel' && !head.past && head.vtec.every(({ action }) => action !== 'CAN'),
    )
    const shown = [...stored].filter((alert) => alert.shown).map((alert) => alert.head.id)
    expect(shown.sort(), new Date(now).toISOString()).toEqual(standing.map(({ head }) => head.id).sort())
  }
  expect(changes['issued']).toBeGreaterThan(30)
  expect(changes['updated']).toBeGreaterThan(30)
  expect(changes['cancelled']).toBeGreaterThan(5)
  expect(changes['expired']).toBeGreaterThan(5)
  await text('/_alerts', NOW, 'misbehave=blank')
  expect(readAlertGeoJson((await text('/alerts/active', NOW))!).messages).toEqual([])
  await text('/_alerts', NOW, 'misbehave=')
})

test('answers zones with shapes, and omits zones that it does not have', async () => {
  const feed = readAlertGeoJson((await text('/alerts/active', NOW))!)
  const zones = feed.messages.flatMap((message) => message.zones)
  expect(zones.length).toBeGreaterThan(5)
  let read = 0
  for (const { kind, code } of zones) {
    const file = await text(`/zones/${kind}/${code}`, NOW)
    if (file) read += readZone(file, kind, code).area.length > 0 ? 1 : 0
  }
  expect(read).toBeGreaterThan(zones.length / 2)
  expect(await text('/zones/forecast/XXZ999', NOW)).toBeUndefined()
})

test('serves outlooks file by file, with areas on most days and none of fire', async () => {
  let levels = 0
  for (const { product, urls } of outlookFiles) {
    const document = await outlookSource.find(new URL(nth(urls, 0)).pathname, new URLSearchParams(), NOW)
    const issue = readOutlook(new TextDecoder().decode(await document!.body()), product)
    levels += issue.levels.length
    expect(issue.expires!, product).toBeGreaterThan(NOW)
    expect(product.includes('fw_') ? issue.levels : []).toEqual([])
  }
  expect(levels).toBeGreaterThan(5)
})
